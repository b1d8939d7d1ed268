import ArgumentParser
import DigestStore

struct Prune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Delete the oldest digests and give their space back; they stay counted.",
    discussion: """
      Reports go on counting what is deleted; it is gone from exports, and the ends of a window \
      among it are exact to the hour. Where that is not enough for --max-bytes, the counts of hours \
      and days go, and the oldest releases are counted together; sums of all time stay, and reports \
      say what they miss. Without --max-age and --max-bytes only free space is given back.

      Examples:
        digest-query prune --max-age 30d
        digest-query prune --max-bytes 100000000 --store /var/lib/app/digests.sqlite
      """
  )

  @Option(
    help: ArgumentHelp("Delete what is older: 90s, 30m, 24h, 7d or 2w.", valueName: "time"),
    transform: Time.init(argument:)
  )
  var maxAge: Time?

  @Option(
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
    // Only what is there is opened for writing.
    try store.openForReading().close()
    var configuration = DigestStore.Configuration(maximumBytes: maxBytes)
    if case .ago(let seconds) = maxAge { configuration.maximumAge = .seconds(seconds) }
    let store = try DigestStore(path: store.path, configuration: configuration)
    Interruption.say("what was deleted stays counted; prune again to delete the rest")
    let line = ProgressLine("pruning")
    defer { line.erase() }
    let summary = try store.prune { line.show($0) }
    try store.close()
    line.erase()
    let freed = summary.bytesBefore - summary.bytes
    try StandardOutput.print(
      "deleted \(summary.digests.counting("digest")) of "
        + "\(summary.occurrences.counting("occurrence")), which stay counted; "
        + "gave back \(max(0, freed).counting("byte")), \(summary.bytes) are left")
  }
}
