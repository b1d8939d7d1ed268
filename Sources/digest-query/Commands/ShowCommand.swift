import APIContract
import ArgumentParser
import DigestStore
import ResilientDecoding
import ResilientPlatform

struct ShowCommand: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about one failure, or one digest.",
    discussion: """
      A failure is named by the id that other commands print, by its novel value or by its coding \
      path, with the wildcards * and ?; else by the last key of its path, or by the value that was \
      found. If several failures have this name, they are listed. For one \
      failure, a table shows its course, its share of the model's decodes, what digest-query summary \
      says of it (of the last 24 hours, or since --since), the key that came in its place, the values \
      that the app knows, the releases, environments, operations and sources that have it, how much of \
      the traffic comes from releases that never had it, its last digests, a verdict with --spec, and \
      what was decided. JSON and NDJSON have the same as an object; other formats have one row. Without \
      --since, shares are of the decodes since the hour in which the failure was first seen.

      A digest is named by its id, or by the short one that a table shows. A table shows the tree of \
      its errors, JSON the object that export writes, and other formats one row per error.

      Examples:
        digest-query show f3ef468a
        digest-query show villa --since 7d
        digest-query show 'items[].kind' --spec openapi.yaml
        digest-query show 7c1f36ab-1042
      """
  )

  @Argument(
    help: "The id, the novel value or the coding path of a failure; or the id of a digest.",
    completion: .names(of: .novelValue))
  var name: String

  @Option(
    help: ArgumentHelp("Judge the failure by this OpenAPI document.", valueName: "file"),
    completion: .file())
  var spec: String?

  @OptionGroup var contract: ContractOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageFileOption
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if name.isEmpty { throw ValidationError("the name is empty: write an id, a value or a path") }
    try contract.check(hasDocument: spec != nil)
  }

  /// What was found.
  private enum Answer {
    case failures([DigestStore.FailureCount])
    case failure(FailureDetail)
    case digest(DigestStore.RecordedDigest)
  }

  func printOutput() throws {
    let contract = try spec.map(contract.contract)
    let reader = try store.openForReading()
    let (answer, notes) = try reader.atOneMoment { try find(in: reader, contract) }
    switch answer {
    case .digest(let digest): try print(digest, from: reader)
    case .failure(let detail) where output.format == .table && output.columns == nil:
      let text = FailureText(detail: detail, store: store)
      try StandardOutput.write(
        text.text(isColored: StandardOutput.usesColor, fitting: StandardOutput.width))
    case .failure(let detail)
    where [.json, .ndjson].contains(output.format) && output.columns == nil:
      var stdout = StandardOutput()
      stdout.writeJSON(detail.json + "\n")
      try stdout.flush(force: true)
    case .failure(let detail): try print([detail.failure])
    case .failures(let failures):
      try print(failures)
      Note.write("\(failures.count.counting("failure")) named \(name); show the id of one")
    }
    Note.write(notes)
  }

  private func find(in reader: DigestReader, _ contract: APIContract?) throws -> (Answer, [Note]) {
    let now = Date()
    // A notice is shown when it is named.
    guard var named = try reader.filter(filters.filter.ofAllKinds, ofFailuresNamed: name) else {
      guard let id = try store.wholeID(name, in: reader), let digest = try reader.digest(id: id)
      else { throw try unknown(in: reader) }
      guard filters.isEmpty, spec == nil, triage.path == nil else {
        throw ExitFailure.usage(
          "\(name) is a digest, and filters, --spec and --triage are for failures: leave them out")
      }
      return (.digest(digest), [])
    }
    var clock: [Note]
    (named, clock) = try ReportRunner.endingNow(named, in: reader)
    var failures = try reader.failures(matching: named)
    if failures.count == 1, named.since == nil,
      (.firstOfSwift..<now).contains(failures[0].firstSeen)
    {
      // The share of the decodes since it began says how bad it is.
      var sinceItBegan = named
      sinceItBegan.since = failures[0].firstSeen.hour
      // All-time sums have what was counted on days whose counts were deleted.
      if try !ReportRunner.lacksDroppedCounts(sinceItBegan, in: reader) {
        (named, clock) = try ReportRunner.endingNow(sinceItBegan, in: reader)
        failures = try reader.failures(matching: named)
      }
    }
    let notes =
      try ReportRunner.notes(
        of: reader, matching: named, isEmpty: failures.isEmpty, byContexts: true, byPeriods: true)
      + ReportRunner.lateRates(
        of: reader, matching: named, since: failures.map(\.firstSeen).min())
    guard let failure = failures.first, failures.count == 1 else {
      guard failures.isEmpty else { return (.failures(failures), notes + clock) }
      if let release = try ReportRunner.deletedRelease(named, in: reader) {
        throw ExitFailure.missing(
          "the totals of release \(release) were deleted to save space; leave --release out")
      }
      throw ExitFailure.missing("\(name) doesn't occur in what the filters choose; leave some out")
    }
    let decisions = try TriageOptions.triage(in: triage, of: reader)
    let asked = filters.filter
    let (since, until) = (SummaryCommand.since(asked, before: now), asked.until ?? now)
    let detail = try FailureDetail(
      failure, matching: named, window: since..<max(since, until), in: reader, contract: contract,
      triage: decisions)
    let unset =
      try named.since == nil
      ? ReportRunner.unsetClocks(
        in: reader, matching: named, trendSince: detail.trend?.points.first?.start) : []
    return (.failure(detail), notes + clock + unset)
  }

  private func unknown(in reader: DigestReader) throws -> ExitFailure {
    if name.wholeMatch(of: /[0-9a-f]+-[0-9]+(-[0-9]+)?/) != nil { return store.noDigest(name) }
    let names = try reader.names(of: .novelValue) + reader.names(of: .codingPath)
    let remedy = name.suggestion(among: names) ?? "digest-query top-failures lists failures"
    return .missing("\(store.name) has no failure and no digest \(name); \(remedy)")
  }

  private func print<Row: OutputRow>(_ rows: [Row]) throws {
    var printer = try RowPrinter<Row>(output)
    for row in rows { try printer.print(row) }
    try printer.finish()
  }

  private func print(_ digest: DigestStore.RecordedDigest, from reader: DigestReader) throws {
    guard output.columns == nil else { return try print(digest.entries + digest.omissions) }
    var stdout = StandardOutput()
    switch output.format {
    case .table:
      let tree = DigestTree(digest)
      stdout.write(tree.heading.bold(StandardOutput.usesColor) + "\n")
      for line in tree.lines { stdout.write(line + "\n") }
    case .csv, .tsv, .markdown: return try print(digest.entries + digest.omissions)
    case .json, .ndjson:
      guard let line = try reader.exportLine(ofDigest: digest.id) else {
        throw ExitFailure.missing("the digest \(digest.id) was evicted meanwhile")
      }
      stdout.writeJSON(String(decoding: line, as: UTF8.self))
    }
    try stdout.flush(force: true)
  }
}
