import ArgumentParser
import DigestStore
import ResilientDecoding
import ResilientPlatform

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
    completion: .list(ErrorDigest.Kind.names),
    transform: ErrorDigest.Kind.init(argument:))
  var kind: ErrorDigest.Kind?

  @Option(
    help: ArgumentHelp("Only this novel value.", valueName: "glob"),
    completion: .names(of: .novelValue))
  var value: String?

  @Option(help: ArgumentHelp("Why, for those who review the file.", valueName: "text"))
  var reason: String

  @Option(
    help: ArgumentHelp(
      "When the decision ends: a date or a version.", valueName: "end"),
    transform: Self.end)
  var until: Decision.End?

  @Option(help: ArgumentHelp("Who decided (default: $USER).", valueName: "name"))
  var by: String?

  @Flag(help: "Write a decision that matches nothing in the store.")
  var allowEmpty = false

  @OptionGroup var file: TriageFileOption
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard model != nil || path != nil || kind != nil || value != nil else {
      throw ValidationError("say which failures: give --model, --path, --kind or --value")
    }
    if reason.isEmpty { throw ValidationError("--reason is empty: say why") }
  }

  private static func end(_ argument: String) throws -> Decision.End {
    guard let end = Decision.End(argument) else {
      throw ValidationError("write a date (2027-01-31) or a version (4.3.0)")
    }
    return end
  }

  func add(_ state: Decision.State) throws {
    let user = ProcessInfo.processInfo.environment["USER"].flatMap { $0.isEmpty ? nil : $0 }
    let decision = Decision(
      model: model, path: path, kind: kind, value: value, state: state, reason: reason,
      until: until, by: by ?? user, at: Date())
    let path = file.name
    // A clone of the app has no store, but can still record decisions.
    let hasStore = access(store.path, F_OK) == 0 || store.isNamed
    // Read before the line is written: if that fails, a second run would write another one.
    let notes = try hasStore ? notes(on: decision, in: store.openForReading()) : []
    try TriageFile.add(decision, to: path) { Note.writeWaiting(for: path) }
    try StandardOutput.print("\(path): \(decision.line)".printable)
    Note.write(notes)
  }

  /// The failures that the patterns name.
  private var filter: DigestFilter {
    var filter = DigestFilter()
    filter.models = model.map { [$0] } ?? []
    filter.codingPaths = path.map { [$0] } ?? []
    filter.novelValues = value.map { [$0] } ?? []
    return filter
  }

  /// Notes about the failures of a decision.
  ///
  /// - Throws: an ``ExitFailure`` with a suggestion if it matches none.
  private func notes(on decision: Decision, in store: DigestReader) throws -> [Note] {
    let file = TriageFile(path: file.name, decisions: [(1, decision)])
    let entry = try Triage(file, store).entries[0]
    guard entry.matches > 0 || allowEmpty else {
      let (refusal, remedy) = ("nothing was written", "to write it, add --allow-empty")
      try ReportRunner.checkIsNotEmpty(
        filter, in: store, before: Date(), refusal, remedy: remedy)
      throw ExitFailure.missing("\(refusal): \(self.store.name) has no such failure; \(remedy)")
    }
    let past =
      entry.regressed > 0
      ? "; \(entry.regressed) \(entry.regressed == 1 ? "has" : "have") already regressed" : ""
    let end = until.map { "; a failure regresses if it \($0.condition)" } ?? ""
    let matches: Note =
      "matches \(entry.matches.counting("failure")) in \(self.store.name)\(end)\(past)"
    guard case .release? = until, entry.matches > 0, !entry.hasVersion else { return [matches] }
    return [matches, "no release of these failures is a version, so the decision does not end"]
  }
}
