import ArgumentParser
import DigestStore
import Synchronization

#if PostgreSQL
  import DigestFleet
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Prune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Delete the oldest digests and give their space back; they stay counted.",
    discussion: """
      Reports go on counting what is deleted; it is gone from exports, and the ends of a window \
      among it are exact to the hour. Where that is not enough for --max-bytes, the counts of hours \
      and days go, and the oldest releases are counted together; sums of all time stay, and reports \
      say what they miss. Without --max-age and --max-bytes only free space is given back. Of a fleet \
      --max-age deletes the digests that were sent there, and the counts of hours; days stay. The default there is \
      sslmode=verify-full, as for init.

      Examples:
        digest-query prune --max-age 30d
        digest-query prune --max-bytes 100000000 --store /var/lib/app/digests.sqlite
        digest-query prune --max-age 90d --store postgresql://admin@db.example/drift
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Delete what is older: 90s, 30m, 24h, 7d or 2w.", valueName: "time"),
    transform: Time.init(argument:)
  )
  var maxAge: Time?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Delete the oldest until the file is smaller, by about a tenth; 1048576 or more.",
      valueName: "n"
    )
  )
  var maxBytes: Int?

  @OptionGroup var store: StoreOptions

  func validate() throws {
    if case .moment = maxAge {
      throw ValidationError("--max-age is a length of time: write 30m, 24h or 7d")
    }
    if let maxBytes, maxBytes < 1 << 20 {
      throw ValidationError("--max-bytes \(maxBytes) is too small: give it 1048576 or more")
    }
  }

  func run() throws {
    #if PostgreSQL
      if StoreOptions.isFleet(store.path) { return try runOnFleet() }
    #else
      try store.checkIsNoFleet()
    #endif
    // Only what is there is opened for writing.
    let reader = try store.openFileForReading()
    let undatedBefore = try Self.undated(in: reader)
    try reader.close()
    let setAside = Mutex<DigestStore.Quarantine?>(nil)
    var configuration = DigestStore.Configuration(
      maximumBytes: maxBytes, onQuarantine: { aside in setAside.withLock { $0 = aside } })
    if case .ago(let seconds) = maxAge { configuration.maximumAge = .seconds(seconds) }
    let path = store.path
    let store = try DigestStore(path: path, configuration: configuration)
    Interruption.say("what was deleted stays counted; prune again to delete the rest")
    let line = ProgressLine("pruning")
    defer { line.erase() }
    let summary = try store.prune { line.show($0) }
    let undated = try Self.undated(in: store) - undatedBefore
    try store.close()
    line.erase()
    if let aside = setAside.withLock({ $0 }) {
      throw Failure(
        status: 65,  // EX_DATAERR
        "\(aside.text(about: path)), and nothing pruned")
    }
    let freed = summary.bytesBefore - summary.bytes
    try StandardOutput.print(
      "deleted \(summary.digests.counting("digest")) of "
        + "\(summary.occurrences.counting("occurrence")), which stay counted; "
        + "gave back \(max(0, freed).counting("byte")), \(summary.bytes) are left")
    if undated > 0 {
      Note.write(
        "that was not enough: of \(undated.counting("occurrence")) only the sum of all time is left"
      )
    }
    if let maxBytes, summary.bytes > maxBytes {
      Note.write(
        "\(summary.bytes) bytes are more than \(maxBytes): the rest is names and sums of all time, "
          + "which stay")
    }
  }

  #if PostgreSQL
    private func runOnFleet() throws {
      guard case .ago(let seconds) = maxAge, maxBytes == nil, store.source == nil else {
        throw Failure.usage(
          "a fleet is pruned by age, and as a whole: give it --max-age alone, such as 90d")
      }
      let summary = try FleetCommand.run(on: store.path) { fleet in
        try fleet.prune(before: Date(timeIntervalSinceNow: -TimeInterval(seconds)))
      }
      try StandardOutput.print(
        "deleted \(summary.digests.counting("digest")), which stay counted; before "
          + "\(summary.hoursBefore.iso8601) only days are told apart")
      if summary.unreadable > 0 {
        Note.write("deleted \(summary.unreadable.counting("pack")) of counts that cannot be read")
      }
    }
  #endif

  /// How many errors are counted only in the sum of all time.
  private static func undated(in store: DigestStore) throws -> Int {
    try store.losses().sum { $0.reason == Loss.undated ? $0.occurrences : 0 }
  }
}
