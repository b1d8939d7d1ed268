import ArgumentParser
import DigestStore
import ResilientDecoding
import ResilientPlatform

struct TriageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "triage",
    abstract: "Ignore failures, or mark them as resolved.",
    discussion: """
      Decisions are lines of a text file, digest-triage.ndjson, which belongs under version control \
      beside the app. The reports top-novel-values, top-failures and spec have a column state; new \
      and check count only what is open or has regressed:

        open       nothing was decided
        ignored    until the end of the decision, or for ever if it has none
        resolved   not seen since the decision, or since its end
        regressed  seen again after the end, or in the release of the end or a later one

      Of several lines that match a failure the last one counts. To undo a decision, delete its line. \
      A decision holds for all operations, releases and environments. Occurrences and times are of all \
      time, whatever the filters of a report.

      Examples:
        digest-query triage ignore --value yurt --reason 'shown as a house' --until 2027-01-31
        digest-query triage resolve --model App.Listing --path kind --value villa --until 4.3.0
        digest-query triage list
      """,
    subcommands: [TriageIgnore.self, TriageResolve.self, TriageList.self, TriagePrune.self]
  )
}

/// The patterns of a decision, and what is decided.
struct DecisionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only this model; * and ? are wildcards.", valueName: "glob"),
    completion: .names(of: .model))
  var model: String?

  @Option(
    help: ArgumentHelp("Only this coding path.", valueName: "glob"),
    completion: .names(of: .codingPath))
  var path: String?

  @Option(
    help: ArgumentHelp("Only this kind.", valueName: "kind"),
    completion: .list(ErrorDigest.Kind.allCases.map(\.rawValue)))
  var kind: String?

  @Option(
    help: ArgumentHelp("Only this novel value.", valueName: "glob"),
    completion: .names(of: .novelValue))
  var value: String?

  @Option(help: ArgumentHelp("Why, for those who review the file.", valueName: "text"))
  var reason: String

  @Option(
    help: ArgumentHelp(
      "When the decision ends: a date, a version, or a number of occurrences.", valueName: "end"),
    transform: Self.end)
  var until: Decision.End?

  @Option(help: ArgumentHelp("Who decided (default: $USER).", valueName: "name"))
  var by: String?

  @Option(
    name: .customLong("triage"),
    help: ArgumentHelp(
      "The file of decisions (default: $DIGEST_TRIAGE, else digest-triage.ndjson here).",
      valueName: "file"),
    completion: .file())
  var file: String?

  func validate() throws {
    guard [model, path, kind, value].contains(where: { $0 != nil }) else {
      throw ValidationError("say which failures: give --model, --path, --kind or --value")
    }
    for (name, text) in [("--reason", reason), ("--triage", file)]
    where text?.isEmpty == true {
      throw ValidationError("\(name) is empty")
    }
    if let kind, ErrorDigest.Kind(rawValue: kind) == nil {
      let kinds = ErrorDigest.Kind.allCases.map(\.rawValue)
      throw ValidationError(
        "no kind '\(kind)'; \(kind.suggestion(among: kinds) ?? "write one of \(kinds.joined(separator: ", "))")"
      )
    }
  }

  private static func end(_ argument: String) throws -> Decision.End {
    if let count = Int(argument), count >= 0 { return .occurrences(count) }
    guard let end = Decision.End(argument) else {
      throw ValidationError("write a date (2027-01-31), a version (4.3.0) or a number (1000)")
    }
    return end
  }

  func add(_ state: Decision.State) throws {
    let user = ProcessInfo.processInfo.environment["USER"].flatMap { $0.isEmpty ? nil : $0 }
    let decision = Decision(
      model: model, path: path, kind: kind, value: value, state: state, reason: reason,
      until: until, by: by ?? user, at: Date())
    let path = TriageOptions.name(file)
    try TriageFile.add(decision, to: path) { Note.writeWaiting(for: path) }
    try StandardOutput.print("\(path): \(decision.line)".printable)
  }
}

struct TriageIgnore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ignore",
    abstract: "Ignore failures, for ever or until an end.",
    discussion: """
      Adds a line to the file of decisions. --until is a date (2027-01-31), a release (4.3.0) or a \
      number of occurrences (1000): a failure that is seen on or after that date, in that release or \
      a later one, or more often, has regressed.

      Example:
        digest-query triage ignore --model App.Listing --value yurt --reason 'shown as a house' --until 1000
      """
  )

  @OptionGroup var decision: DecisionOptions

  func run() throws { try decision.add(.ignored) }
}

struct TriageResolve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Mark failures as resolved.",
    discussion: """
      Adds a line to the file of decisions. A failure that is seen afterwards has regressed. With \
      --until 4.3.0 only if it is seen in that release or a later one, so older releases can keep \
      reporting it; with a date only if it is seen on or after it.

      Example:
        digest-query triage resolve --model App.Listing --value villa --reason 'added the case' --until 4.3.0
      """
  )

  @OptionGroup var decision: DecisionOptions

  func run() throws { try decision.add(.resolved) }
}

struct TriageList: RowCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List decisions, and mark those that no longer apply.",
    discussion: """
      failures counts what a decision matches, and regressed what of that was seen after its end. \
      remark names a decision that matches nothing, is past its end, or is replaced by later lines.

      Examples:
        digest-query triage list
        digest-query triage list --triage app/digest-triage.ndjson --format csv
      """
  )

  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func printOutput() throws {
    let entries = try triage.required(of: store.openForReading()).entries
    var printer = try RowPrinter<Triage.Entry>(output)
    for entry in entries { try printer.print(entry) }
    try printer.finish()
  }
}

struct TriagePrune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove decisions that no longer apply.",
    discussion: """
      Removes the lines that triage list remarks on, and prints them, unless they still decide \
      something: a decision past its end stays while it still hides a failure. A decision that \
      matches nothing in this store may match something in another one: --dry-run only prints.

      Example:
        digest-query triage prune --dry-run
      """
  )

  @Flag(help: "Print the lines, and remove none.")
  var dryRun = false

  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let decisions = try triage.required(of: store.openForReading())
    let useless = decisions.entries.filter(\.isUseless)
    let path = decisions.file.path
    var count = useless.count
    if !dryRun, !useless.isEmpty {
      count = try TriageFile.remove(useless.map { ($0.line, $0.decision) }, from: path) {
        Note.writeWaiting(for: path)
      }
    }
    let action = dryRun ? "would be removed" : "removed"
    for entry in useless {
      try StandardOutput.print(
        "line \(entry.line) (\(entry.remark ?? "")): \(entry.decision.line)".printable)
    }
    try StandardOutput.print(
      "\(path.printable): \(count) of \(decisions.entries.count.counting("line")) \(action)"
    )
  }
}

extension TriageOptions {
  /// The decisions of a file that has to exist.
  fileprivate func required(of store: DigestReader) throws -> Triage {
    guard !isOff else {
      throw Failure.usage("triage list and prune need a triage file: remove --no-triage")
    }
    return try Triage(TriageFile(name), store)
  }
}

extension Triage.Entry: Row {
  static var columns: [Column<Self>] {
    [
      .number("line") { $0.line },
      .text("decision") { $0.decision.state.rawValue },
      .text("model", cut: .front) { $0.decision.model }.omittedIfEmpty,
      .text("path", cut: .middle) { $0.decision.path }.omittedIfEmpty,
      .text("kind") { $0.decision.kind }.omittedIfEmpty.dropped(at: 4),
      .text("value") { $0.decision.value }.omittedIfEmpty,
      .text("until") { $0.decision.until?.text }.omittedIfEmpty,
      .number("failures") { $0.matches },
      .number("regressed") { $0.regressed },
      .text("remark") { $0.remark }.omittedIfEmpty,
      .text("reason") { $0.decision.reason }.dropped(at: 3),
      .text("by") { $0.decision.by }.omittedIfEmpty.dropped(at: 2),
      .time("at") { $0.decision.at }.dropped(at: 1),
    ]
  }
}
