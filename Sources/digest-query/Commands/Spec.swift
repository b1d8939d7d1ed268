import APIContract
import ArgumentParser
import DigestStore
import ResilientDecoding
import ResilientPlatform

struct Spec: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "Judge each failure by the OpenAPI document of the backend.",
    discussion: """
      The document is OpenAPI 3.0 or 3.1 in JSON or, if digest-query was built with the trait \
      OpenAPI, in YAML. One row for each failure says whose bug it is, or several if its operations differ:

      \(String.definitions(Verdict.allCases.map { ($0.rawValue, $0.meaning) }))

      The schema is the one that --map or --map-file names for the model. Without one, or if it does \
      not have the path, it is that of the operation's successful JSON response; else, without a map, \
      that of the model's name, in another case or with a suffix such as DTO or Response. pointer is \
      the place in the document that decides, and reason explains the verdict. For a type mismatch, \
      one sample value is judged.

      --fail-on ends with exit status 1 if a failure that is neither ignored nor resolved has one of \
      these verdicts. With it, an unknown name and a window without counts are errors, \
      as in digest-query check, unless --allow-empty is given. --format github prints \
      annotations for GitHub Actions, sarif and junit what other services read.

      Examples:
        digest-query spec openapi.json
        digest-query spec openapi.json --verdict contract-broken --format csv
        digest-query spec openapi.json --since 7d --fail-on contract-broken
        digest-query spec openapi.json --map App.Listing=ListingV2
      """
  )

  @Argument(help: "The OpenAPI document.", completion: .file())
  var document: String

  @OptionGroup var contract: ContractOptions

  @Option(
    name: .customLong("verdict"),
    help: ArgumentHelp("Print only these verdicts, separated by commas.", valueName: "verdicts"),
    completion: .list(Verdict.names),
    transform: Verdicts.init(argument:)
  )
  var shown: Verdicts?

  @Option(
    help: ArgumentHelp(
      "Fail with exit status 1 if a failure has one of these verdicts.", valueName: "verdicts"),
    completion: .list(Verdict.names),
    transform: Verdicts.init(argument:)
  )
  var failOn: Verdicts?

  @Flag(help: "With --fail-on, pass for unknown names and for a window without counts.")
  var allowEmpty = false

  @OptionGroup(title: "Output") var limit: LimitOption
  @OptionGroup(title: "Output") var output: CIOutputOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Triage") var triage: TriageOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    try output.checkColumns(hasRows: output.ofRows != nil)
    if allowEmpty, failOn == nil {
      throw ValidationError("--allow-empty is for --fail-on: give that too, or leave it out")
    }
  }

  func run() throws {
    let contract = try contract.contract(at: document)
    var all: [JudgedFailure] = []
    var listed: TriagedRows<JudgedFailure>?
    try output.file.redirectOutput {
      let report = ReportRunner(
        store: store, filter: filters.filter, limit: limit.limit,
        output: output.ofRows ?? OutputOptions()
      )
      let ask = { (store: DigestReader, filter: DigestFilter, limit: Int?) in
        if failOn != nil, !allowEmpty {
          try ReportRunner.checkIsNotEmpty(
            filter, in: store, before: Date(), "nothing was checked",
            remedy: "to pass, add --allow-empty")
        }
        all = try contract.judged(store.failuresByOperation(matching: filter))
        let rows = try TriagedRows(by: triage.triage(of: store), limit: limit) { _, _ in
          all.filter(isShown)
        }
        listed = rows
        return rows.shown
      }
      try report.answer(ask, byContexts: true, hidden: listed?.note) { rows in
        guard output.ofRows == nil else {
          return try report.print(rows, adding: listed?.triage.columns() ?? [])
        }
        let findings = findings(rows, of: all, contract, listed?.triage)
        try StandardOutput.write(findings.text(output.format))
      }
    }
    if let note = self.contract.note(ofUnusedBy: all) { Note.write(note) }
    let failing = all.filter { isFailing($0, listed?.triage) }
    let unseen = failing.filter { !isShown($0) }.failures
    if unseen > 0 {
      Note.write("\(unseen.counting("failure")) of --fail-on not shown, because of --verdict")
    }
    if !failing.isEmpty { throw ExitFailure.negative }
  }

  /// Whether a row has one of the verdicts that are printed.
  private func isShown(_ row: JudgedFailure) -> Bool {
    shown?.verdicts.contains(row.judgement.verdict) ?? true
  }

  /// Whether a row makes the run fail.
  func isFailing(_ row: JudgedFailure, _ triage: Triage?) -> Bool {
    failOn?.verdicts.contains(row.judgement.verdict) == true
      && triage?.state(of: row.failureKey).needsWork != false
  }
}

extension Spec {
  /// The rows for a service. Those of `--fail-on` are errors.
  ///
  /// - Parameter all: all rows. A verdict whose rows are all left out by `--verdict` or `--limit` isn't
  ///   a rule of the run: nothing says whether it passed.
  func findings(
    _ rows: ArraySlice<JudgedFailure>, of all: [JudgedFailure], _ contract: APIContract,
    _ triage: Triage?
  ) -> Findings {
    let shown = Set(rows.map(\.judgement.verdict))
    let open = all.filter { triage?.hides($0) != true }
    let hidden = Set(open.map(\.judgement.verdict)).subtracting(shown)
    let lines = contract.lines(of: Set(rows.compactMap(\.judgement.place)))
    let folder = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .map { $0 + "/" }.joined()
    return Findings(
      command: "spec",
      rules: Verdict.allCases.filter { !hidden.contains($0) }.map {
        ($0.rawValue, "\($0.meaning.withCapital).")
      },
      findings: rows.map { row in
        let (verdict, failure) = (row.judgement.verdict, row.failure)
        let state = triage?.state(of: row.failureKey) ?? .open
        let suppression = triage?.suppression(of: row.failureKey)
        let isForInformation = verdict == .unmapped || suppression != nil
        let value = failure.novelValue ?? failure.foundValue ?? failure.foundType?.rawValue
        let texts = [
          row.operationList, failure.codingPath, failure.kind.rawValue,
          value.map { "\"\($0)\"" },
        ]
        return Annotation(
          rule: verdict.rawValue,
          subject: (failure.model, texts.compactMap(\.self).joined(separator: " ")),
          level: isFailing(row, triage) ? .error : isForInformation ? .note : .warning,
          message: "\(row.judgement.text) (\(row.occurrences.counting("occurrence"))"
            + "\(state == .open ? "" : ", \(state.rawValue)"))",
          // Neither the operations nor the found value, which change.
          identity: [failure.failureKey.text, row.judgement.place?.text],
          suppression: suppression,
          location: row.judgement.place.map {
            ($0.file.isEmpty ? document : folder + $0.file, lines[$0], $0.pointer)
          })
      }, file: document)
  }
}
