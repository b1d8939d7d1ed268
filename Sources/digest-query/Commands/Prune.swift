import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

struct Prune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Delete the oldest digests and free their space. They stay counted.",
    discussion: """
      Reports still count deleted digests. Exports no longer contain them, and a window that \
      begins or ends in the deleted time is exact to the hour. --max-bytes deletes the oldest \
      digests, and no more than needed. If that is not enough, it deletes the counts of hours \
      and days, oldest first, and then the totals of the oldest releases; reports say what \
      they miss. Names and the totals of all releases together stay: with a limit \
      below their size, all else is deleted, and the command fails. The limit is for the file; \
      its write-ahead log is extra. --dry-run prunes a copy in $TMPDIR and leaves the store unchanged. Without --max-age and --max-bytes the \
      command only frees unused space. A fleet on a server is pruned by --max-age alone, and keeps \
      all counts.

      Examples:
        digest-query prune --max-age 30d
        digest-query prune --max-bytes 100M --dry-run --store app.sqlite
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Delete digests that are older than this, measured back from the newest digest (on a \
      server, from now): 90s, 30m, 24h, 7d, 2w, 6mo or 1y.
      """, valueName: "time"),
    transform: Self.age
  )
  var maxAge: Time?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Delete the oldest digests until the file is no larger than this: 16M, 2G or bytes; 1M or more.",
      valueName: "bytes"
    ),
    transform: Self.bytes
  )
  var maxBytes: Int?

  @Flag(help: "Report what would be deleted, and delete nothing.")
  var dryRun = false

  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if let maxAge, maxAge.secondsAgo == nil {
      throw ValidationError("--max-age is a length of time: write 30m, 24h or 7d")
    }
    if let maxBytes, maxBytes < 1 << 20 {
      throw ValidationError("--max-bytes \(maxBytes) is too small: give it 1M (1048576) or more")
    }
  }

  func run() throws {
    if FleetURL.isFleet(store.path) { return try pruneFleet() }
    let path = try store.file
    // Only an existing store is opened for writing.
    let reader = try store.openForReading()
    guard dryRun else {
      try reader.close()
      Interruption.say("what was deleted stays counted; prune again to delete the rest")
      return try prune(path)
    }
    try TemporaryDirectory.with("copy.sqlite") { copy in
      do {
        try reader.copy(to: copy)
      } catch let error as DigestStoreError {
        throw ExitFailure.io(
          "the store cannot be copied to \(copy): \(error); choose another place with TMPDIR")
      }
      try reader.close()
      try prune(copy)
    }
  }

  /// Deletes old digests of a fleet on a server.
  private func pruneFleet() throws {
    guard let age = maxAge?.secondsAgo, maxBytes == nil, !dryRun else {
      throw ExitFailure.usage("a fleet on a server is pruned with --max-age alone")
    }
    let deleted = try FleetURL.connect(store.path).prune(
      before: Date(timeIntervalSinceNow: -Double(age)))
    try StandardOutput.print("deleted \(deleted.counting("digest")); they stay counted")
  }

  /// Prunes a store or its copy, and prints what was or would be deleted.
  private func prune(_ path: String) throws {
    do {
      try pruneStore(at: path)
    } catch let error as DigestStoreError {
      let message = error.description.replacing(path, with: store.path)
      throw DigestStoreError(
        error.code, dryRun ? message.replacing("was deleted", with: "would be deleted") : message)
    }
  }

  private func pruneStore(at path: String) throws {
    var configuration = DigestStore.Configuration()
    configuration.setsDamagedFilesAside = false
    let store = try DigestStore(path: path, configuration: configuration)
    let age = maxAge?.secondsAgo.map { Duration.seconds($0) }
    let line = ProgressLine("pruning")
    defer { line.erase() }
    let lostBefore = try Self.lostCounts(in: store)
    let summary = try store.prune(maximumAge: age, maximumBytes: maxBytes) { line.show($0) }
    let lost = try Self.lostCounts(in: store)
    try store.close()
    line.erase()
    try StandardOutput.print(summary.text(asPlan: dryRun))
    if let hours = summary.hoursBefore {
      Note.write(
        "digests alone are not enough: counts before \(hours.iso8601) "
          + "\(dryRun ? "would be" : "are") kept by day only")
    }
    let isLeft = dryRun ? "would be left" : "is left"
    let undated = lost.undated - lostBefore.undated
    if undated > 0 {
      Note.write(
        "that was not enough: of \(undated.counting("occurrence")) only the sum of all time \(isLeft)"
      )
    }
    let unattributed = lost.unattributed - lostBefore.unattributed
    if unattributed > 0 {
      Note.write(
        "that was not enough: of \(unattributed.counting("occurrence")) of the oldest releases only "
          + "the sum of all releases \(isLeft)")
    }
    if let maxBytes, summary.bytes > maxBytes {
      Note.write(
        "\(summary.bytes) bytes are more than \(maxBytes): another process is using the file; prune "
          + "again")
    }
  }

  /// The numbers of errors that only the sums of all time, or of all releases, count.
  private static func lostCounts(
    in store: DigestReader
  ) throws -> (undated: Int, unattributed: Int) {
    let losses = try store.losses()
    func occurrences(_ reason: DigestStore.Loss.Reason) -> Int {
      losses.filter { $0.reason == reason }.sum(of: \.occurrences)
    }
    return (occurrences(.undated), occurrences(.unattributed))
  }
}

extension Prune {
  /// Powers of 1024, as file systems count.
  private static let units = ["": 0, "k": 10, "m": 20, "g": 30, "t": 40]

  /// Reads a length of time.
  ///
  /// - Throws: a `ValidationError` with examples.
  static func age(_ argument: String) throws -> Time {
    // The error would offer times that are no lengths.
    guard let time = try? Time(argument: argument) else {
      throw ValidationError("write 30m, 24h or 7d")
    }
    return time
  }

  /// Reads a number of bytes.
  ///
  /// - Throws: a `ValidationError` with examples.
  static func bytes(_ argument: String) throws -> Int {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    var unit = argument.dropFirst(digits.count).lowercased()
    if unit.hasSuffix("ib"), unit.count == 3 { unit.removeLast(2) }
    guard let count = Int(digits), let power = units[unit],
      case (let bytes, let isTooMany) = count.multipliedReportingOverflow(by: 1 << power),
      !isTooMany
    else {
      throw ValidationError(
        "write a number of bytes such as 16777216, 16M or 16MiB: K, M and G "
          + "are powers of 1024")
    }
    return bytes
  }
}

extension DigestStore.PruneSummary {
  /// A sentence about what was or would be deleted.
  fileprivate func text(asPlan isPlan: Bool) -> String {
    let would = isPlan ? "would " : ""
    return "\(would)\(isPlan ? "delete" : "deleted") \(digests.counting("digest")) of "
      + "\(occurrences.counting("occurrence")), which stay counted; "
      + "\(would)\(isPlan ? "give" : "gave") back \(max(0, bytesBefore - bytes).counting("byte")), "
      + "\(bytes) \(isPlan ? "would be" : "are") left"
  }
}
