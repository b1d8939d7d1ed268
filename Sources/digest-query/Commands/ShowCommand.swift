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
      failure, a table shows its course, its share of the model's decodes, the releases, \
      environments and operations that have it, how much of the traffic is by releases that never \
      had it, its last digests, a verdict with --spec, and what was decided. JSON has the same as \
      an object; other formats have one row. Without --since, shares are of the decodes since the hour \
      in which the failure was first seen.

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
    if spec == nil, !contract.isEmpty { throw ValidationError("--map needs --spec") }
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
    let (filter, clock) = try ReportRunner.endingNow(filters.filter, in: reader)
    // A notice is shown when it is named.
    guard var named = try reader.filter(filter.ofAllKinds, ofFailuresNamed: name) else {
      guard let id = try store.wholeID(name, in: reader), let digest = try reader.digest(id: id)
      else { throw try unknown(in: reader) }
      guard filters.isEmpty, spec == nil, triage.path == nil else {
        throw ExitFailure.usage(
          "\(name) is a digest, and filters, --spec and --triage are for failures: leave them out")
      }
      return (.digest(digest), [])
    }
    var failures = try reader.failures(matching: named)
    if failures.count == 1, named.since == nil {
      // The share of the decodes since it began says how bad it is.
      named.since = failures[0].firstSeen.hour
      failures = try reader.failures(matching: named)
    }
    let notes = try ReportRunner.notes(of: reader, matching: named, isEmpty: failures.isEmpty)
    guard let failure = failures.first, failures.count == 1 else {
      guard failures.isEmpty else { return (.failures(failures), notes + clock) }
      throw ExitFailure.missing("\(name) doesn't occur in what the filters choose; leave some out")
    }
    let decisions = try TriageOptions.triage(in: triage, of: reader)
    let detail = try FailureDetail(
      failure, matching: named, in: reader, contract: contract, triage: decisions)
    return (.failure(detail), notes + clock)
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

/// A failure for people.
struct FailureText {
  /// The most rows of a part.
  private static let rows = 10

  let detail: FailureDetail
  let store: StoreOptions

  private var failure: DigestStore.FailureCount { detail.failure }

  func text(isColored: Bool, fitting width: Int?) -> String {
    let heading = "\(failure.model) \(failure.place)  \(failure.id)".lines(fitting: width)
      .dropLast()
    let sentences =
      [what, rename, counts, times, course, detail.adoption?.sentence, decision] + verdicts
    var text = String(heading).bold(isColored) + "\n"
    for sentence in sentences.compactMap(\.self) { text += sentence.lines(fitting: width) }
    text += parts(isColored, width)
    guard let last = detail.digests.first else {
      return text + "\nIts digests were deleted, and are still counted.\n"
    }
    text += "\n" + "LAST DIGESTS".bold(isColored) + "\n"
    for digest in detail.digests {
      let words = [digest.shortID, digest.recordedAt.second, digest.release]
      text += words.compactMap(\.self).joined(separator: "  ").lines(fitting: width)
    }
    return text + "\n" + store.next("show \(last.shortID)").lines(fitting: nil)
  }

  private var what: String {
    let sample = failure.sample.map { ": \($0)" } ?? ""
    let known = detail.message?.knownValues.map { ": \($0)" } ?? ""
    let expected = failure.expectedType.map { "; expected \($0)\(known)" } ?? ""
    return failure.kind.inWords + sample + expected
  }

  /// The key that came in place of a missing one, or the other way round.
  private var rename: String? {
    guard let rename = detail.rename else { return nil }
    let both = "both in \(rename.digests.grouped) of the latest digests"
    return rename.oldPath == failure.codingPath
      ? "perhaps renamed to \(rename.newPath): \(both)"
      : "perhaps the new name of \(rename.oldPath): \(both)"
  }

  private var counts: String {
    let rate = failure.rate.map { ": \($0.percent) of the model's decodes" } ?? ""
    let digests = failure.digests.counting("digest")
    let since = detail.since.map { " since \($0.minute)" } ?? ""
    return "\(failure.occurrences.counting("occurrence")) in \(digests)\(since)\(rate)"
  }

  private var times: String {
    let release = failure.firstRelease.map { " in release \($0)" } ?? ""
    return "first seen \(failure.firstSeen.minute)\(release), last seen \(failure.lastSeen.minute)"
  }

  private var course: String? {
    guard let trend = detail.trend else { return nil }
    // A period that has just begun would look like an end.
    let points = trend.points.last?.isPartial == true ? trend.points.dropLast() : trend.points[...]
    guard let first = points.first, let last = points.last, points.count > 1 else { return nil }
    let line = Histogram(width: 40).line(points.map(\.occurrences))
    return "\(line)  by \(trend.unit.rawValue), \(first.start.day) to \(last.start.day)"
  }

  private var decision: String? { detail.decision.map { "triage: \($0)" } }

  private var verdicts: [String] {
    detail.verdicts.map { row in
      let operation = row.operationList.map { " in \($0)" } ?? ""
      return "\(row.judgement.verdict.rawValue)\(operation): \(row.judgement.text)"
    }
  }

  /// The counts by release, environment and so on.
  private func parts(_ isColored: Bool, _ width: Int?) -> String {
    var table = TextTable(DigestStore.ModelCount.partColumns)
    var headings: [String] = []
    for part in detail.parts {
      let all = part.counts.count
      let rest = all > Self.rows ? " (\(Self.rows) of \(all))" : ""
      for count in part.counts.prefix(Self.rows) {
        table.append(count)
        headings.append(part.name.rawValue.uppercased() + rest)
      }
    }
    guard !headings.isEmpty else { return "" }
    table.removeEmptyColumns()
    return "\n" + table.text(isColored: isColored, fitting: width, under: headings).0
  }
}

extension DigestStore.ModelCount {
  /// The columns of a part of a failure's counts.
  fileprivate static var partColumns: [Column<Self>] {
    [.text("name") { $0.contextName }] + countColumns
  }

  private static var countColumns: [Column<Self>] {
    [
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests }.dropped(at: 3),
      .number("decodes") { $0.decodes }.omittedIfEmpty.dropped(at: 4),
      .share("rate") { $0.rate }.omittedIfEmpty,
      .time("first_seen") { $0.firstSeen }.dropped(at: 2),
      .time("last_seen") { $0.lastSeen }.dropped(at: 1),
    ]
  }

  /// The object of a part in JSON.
  fileprivate func json(_ name: DigestStore.ContextName) -> String {
    let columns = [.text(name.rawValue) { $0.contextName }] + Self.countColumns
    return JSON.object(columns, self)
  }
}

extension FailureDetail {
  /// The columns of the failure, with its course, its parts and so on as arrays of objects.
  fileprivate var json: String {
    let course = (trend?.points ?? []).map { point in
      JSON.object(
        [.time("start") { $0.start }, .number("occurrences") { $0.occurrences }], point)
    }
    let days = (adoption?.days ?? []).map { day in
      JSON.object(
        [
          .text("day") { $0.start.day }, .number("decodes") { $0.decodes },
          .number("unaffected") { $0.unaffected }, .share("share") { $0.share },
        ], day)
    }
    let digests = digests.map { digest in
      JSON.object(
        [
          .text("id") { $0.id }, .time("recorded_at") { $0.recordedAt },
          .text("release") { $0.release },
        ], digest)
    }
    let verdicts = verdicts.map { row in
      JSON.object(
        [
          .text("operation") { $0.operationList },
          .text("verdict") { $0.judgement.verdict.rawValue },
          .text("pointer") { $0.judgement.place?.text }, .text("reason") { $0.judgement.text },
        ], row)
    }
    let arrays =
      [("course", course)]
      + parts.map { part in
        ("\(part.name.rawValue)s", part.counts.map { $0.json(part.name) })
      } + [("adoption", days), ("last_digests", digests), ("verdicts", verdicts)]
    let columns = DigestStore.FailureCount.columns.map { $0.of(\FailureDetail.failure) }
    let rest: [Column<FailureDetail>] = [
      .time("since") { $0.since }, .text("known_values") { $0.message?.knownValues },
      .text("renamed_from") {
        $0.rename.flatMap { $0.newPath == failure.codingPath ? $0.oldPath : nil }
      },
      .text("renamed_to") {
        $0.rename.flatMap { $0.oldPath == failure.codingPath ? $0.newPath : nil }
      },
      .text("decision") { $0.decision },
    ]
    return JSON.object(columns + rest, self, arrays)
  }
}
