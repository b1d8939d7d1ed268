import APIContract
import DigestStore
import ResilientPlatform

/// The verdicts and the state of a failure on the page.
struct PageDetail {
  /// The verdicts of a document, each once, with their reasons.
  var verdicts: [(verdict: Verdict, reason: String)] = []

  /// The state by the decisions.
  var state = TriageState.open
}

/// The verdicts, states, and decodes by context that the rows of a page show.
struct PageDetails {
  private var details: [FailureKey: PageDetail] = [:]

  /// The file of decisions; nil without one.
  let file: String?

  /// Whether any failure has a rate.
  let hasRates: Bool

  typealias PartName = KeyPath<DigestStore.OverviewContext, String?>

  /// The decodes of each model by each name of their contexts.
  private(set) var decodes: [PartName: [BinaryString: [String?: Int]]] = [:]

  /// Finds the details of the failures that an overview shows.
  init(
    of overview: DigestStore.Overview, matching filter: DigestFilter, in store: DigestReader,
    contract: APIContract?, triage: Triage
  ) throws {
    // The page is for people who do not have the file.
    file = triage.entries.isEmpty ? nil : URL(filePath: triage.file.path).lastPathComponent
    hasRates = overview.failures.contains { $0.row.failure.rate != nil }
    let names: [PartName] = [\.release, \.environment, \.operation, \.source]
    for context in overview.contexts {
      for (model, count) in context.decodes {
        for name in names {
          decodes[name, default: [:]][model, default: [:]][context[keyPath: name], default: 0] +=
            count
        }
      }
    }
    for failure in overview.failures {
      let key = failure.row.failure.failureKey
      details[key] = PageDetail(state: triage.state(of: key))
    }
    guard let contract else { return }
    let rows = try store.failuresByOperation(
      matching: filter.narrowed(to: overview.failures.map(\.row.failure)))
    for row in contract.judged(rows) {
      let judgement = row.judgement
      guard
        details[row.failureKey]?.verdicts.contains(where: { $0.verdict == judgement.verdict })
          == false
      else { continue }
      details[row.failureKey]?.verdicts.append((judgement.verdict, judgement.text))
    }
  }

  subscript(key: FailureKey) -> PageDetail { details[key] ?? PageDetail() }
}
