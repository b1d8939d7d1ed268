import APIContract
import DigestStore
import ResilientDecoding

/// What the page says of a failure besides its counts.
struct RowDetail {
  /// Whether it is new, where not all are.
  var isNew = false

  /// The operations that have it.
  var operations: [String] = []

  /// The verdicts of a document, each once, with their reasons.
  var judgements: [(verdict: Verdict, reason: String)] = []

  /// What was decided; nil without a file of decisions.
  var state: TriageState?

  /// The attributes of a row, by which the script of the page filters.
  var attributes: HTML {
    let names = [
      ("operations", operations), ("verdicts", judgements.map(\.verdict.rawValue)),
      ("states", state.map { [$0.rawValue] } ?? []),
    ]
    return names.filter { !$1.isEmpty }.map { name, values -> HTML in
      // A list in JSON, because a name may be any text, with its escapes for what HTML would show.
      let list = JSON.forTerminal("[\(values.map(\.jsonQuoted).joined(separator: ","))]")
      return #" data-\#(name)="\#(list)""#
    }.joined()
  }
}

/// The details of the failures of a page.
struct RowDetails {
  /// The most operations of a row by which the page filters: each is an entry of a menu.
  private static let maximumOperations = 50

  private var details: [FailureName: RowDetail] = [:]

  /// The file of decisions; nil without one.
  private(set) var triageFile: String?

  /// Without any.
  init() {}

  /// Finds the details of the failures that an overview shows.
  init(
    of overview: DigestStore.Overview, matching filter: DigestFilter, in store: DigestReader,
    contract: APIContract?, triage: Triage?
  ) throws {
    triageFile = triage?.file.path
    for (index, row) in overview.failures.rows.enumerated() {
      details[row.failureName] = RowDetail(
        isNew: overview.novelty != .everything && index < overview.newRowCount,
        state: triage?.state(of: row.failureName))
    }
    let rows = try store.failuresByOperation(matching: filter.narrowed(to: overview))
    let judged = contract?.judged(rows)
    for (index, row) in rows.enumerated() {
      let name = FailureName(row.failure)
      guard details[name] != nil else { continue }
      if let operation = row.operation,
        details[name]?.operations.count ?? 0 < Self.maximumOperations
      {
        details[name]?.operations.append(operation)
      }
      guard let judgement = judged?[index].judgement else { continue }
      if details[name]?.judgements.contains(where: { $0.verdict == judgement.verdict }) == false {
        details[name]?.judgements.append((judgement.verdict, judgement.text))
      }
    }
  }

  subscript(name: FailureName?) -> RowDetail {
    name.flatMap { details[$0] } ?? RowDetail()
  }
}

extension DigestFilter {
  /// The filter for the models and paths that an overview shows.
  fileprivate func narrowed(to overview: DigestStore.Overview) -> Self {
    let models = Self.names(overview.failures.rows.map(\.model))
    let paths = Self.names(overview.failures.rows.map(\.codingPath))
    var filter = self
    if !models.isEmpty { filter.models = models }
    if !paths.isEmpty { filter.codingPaths = paths }
    return filter
  }
}
