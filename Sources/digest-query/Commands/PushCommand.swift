import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Add the counts and digests of stores to a file, a server or a collector.",
    discussion: """
      The target counts the digests of many stores. It is a file, which is made if it is not there, or \
      the URL of a fleet in PostgreSQL or ClickHouse, which digest-query fleet init makes. Reports read \
      it with --store, as any store.

      The stores are only read, and all of them are opened before anything is written. A push sends new \
      digests and the counts of the hours and days that changed, including those of digests that a store \
      has deleted; its losses are reported on stderr. Repeating a push counts nothing twice, and \
      completes one that was interrupted. A push of an older copy of a store, such as a restored \
      backup, is refused. Without a store the command pushes --store.

      The target keeps the name of each store and the time of its last push: digest-query fleet sources \
      lists them, and reports select a store with --source. A file also passes on the names of the stores \
      that were pushed to it.

      An address such as https://digests.example.com is a collector, which digest-query serve is. It is \
      sent the digests that it does not have yet, with the token in $DIGEST_TOKEN, and counts them as \
      its own, without names of stores. Push a store to a collector or to a fleet, not to both.

      Examples:
        digest-query push all.sqlite phone.sqlite tablet.sqlite
        digest-query push /srv/fleet.sqlite --store /var/lib/app/digests.sqlite
        digest-query push postgresql://pusher@db.example/drift --name web-1
      """
  )

  @Argument(
    help: "The file, the URL of the fleet, or the address of the collector to push to.",
    completion: .file())
  var target: String

  @Argument(help: "The stores to push.", completion: .file())
  var stores: [String] = []

  @Option(
    help: ArgumentHelp("The name of the stores in the target (default: that of this host)."))
  var name: String?

  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if name?.isEmpty == true { throw ValidationError("--name is empty: name the store") }
    guard stores.isEmpty || store.store == nil else {
      throw ValidationError("name the stores after the target, or one with --store, but not both")
    }
  }

  func run() throws {
    guard !Self.isCollector(target) else {
      let paths = stores.isEmpty ? [try store.file] : stores
      try checkStores()
      return try upload(storesAt: paths)
    }
    let job = InterruptibleJob("pushing") { _ in "nothing is counted twice; push again" }
    defer { job.end() }
    let summaries = try push(progress: job.show)
    job.end()
    for summary in summaries {
      try StandardOutput.print(
        "\(summary.path.printable): pushed \(summary.added.counting("digest")) and the counts of "
          + summary.periods.counting("period"))
      summary.writeNotes()
    }
  }

  /// Pushes the stores.
  func push(
    progress: ((DigestStore.Progress) throws -> Void)? = nil
  ) throws -> [DigestStore.PushSummary] {
    let paths = stores.isEmpty ? [try store.file] : stores
    if let url = paths.first(where: FleetURL.isFleet) {
      throw ExitFailure.usage("\(FleetURL.display(url)) isn't a file; name the file of a store")
    }
    try checkStores()
    let server = try FleetURL.isFleet(target) ? FleetURL.connect(target) : nil
    let name = name ?? Self.hostName
    return try server?.push(storesAt: paths, name: name, progress: progress)
      ?? DigestStore.push(
        storesAt: paths, to: target, name: name, configuration: .forImport, progress: progress)
  }

  /// The name of this host, without a look-up of its domain.
  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Checks that the stores are there, before a server is asked.
  private func checkStores() throws {
    guard !stores.isEmpty else { return try store.openForReading().close() }
    for path in stores {
      do {
        try DigestReader(path: path).close()
      } catch let error as DigestStoreError where error.code == .noSuchStore {
        throw ExitFailure.missing(
          "no such store: \(path); name the stores to push after the target")
      }
    }
  }
}

extension DigestStore.PushSummary {
  /// Writes a note about each problem of the store.
  fileprivate func writeNotes() {
    Note.write(unreadable: unreadable, in: path)
    let losses = Dictionary(grouping: losses, by: \.reason)
    for (reason, losses) in losses.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where ![.undated, .unattributed].contains(reason) {
      Note.write("\(path): \(LossMessage(reason: reason, losses).text(about: .push))")
    }
  }
}
