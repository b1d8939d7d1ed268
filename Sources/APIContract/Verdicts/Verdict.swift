/// Whose bug a failure is, by the document of the API.
package enum Verdict: String, CaseIterable, Sendable {
  case appBehind = "app-behind"
  case contractBroken = "contract-broken"
  case undocumented
  case modelDiffers = "model-differs"
  case unmapped

  /// The meaning, as words after "it means that".
  package var meaning: String {
    switch self {
    case .appBehind: "the document allows what came, and the app does not"
    case .contractBroken: "the document excludes what came, or requires the missing key"
    case .undocumented: "the document has no rule for the value, or no such property"
    case .modelDiffers: "the app requires what the document lets be missing or null"
    case .unmapped:
      "no schema for the model or path, or what came is not known"
    }
  }
}

/// A verdict with its reason.
package struct Judgement: Sendable {
  package let verdict: Verdict

  /// The schema or the keyword that decided; nil if there is none.
  package let place: Place?

  /// One sentence without its period.
  package var reason: String

  /// A mapping that may lead to a schema; nil if there is a schema.
  package var missing: MissingMapping?

  /// The model of the map whose schema judged the failure; nil if another schema did.
  package var mapping: String?

  /// Why another schema may be meant; nil if the failure was judged.
  package var deadEnd: DeadEnd?

  package init(
    verdict: Verdict, place: Place?, reason: String, missing: MissingMapping? = nil,
    deadEnd: DeadEnd? = nil
  ) {
    self.verdict = verdict
    self.place = place
    self.reason = reason
    self.missing = missing
    self.deadEnd = deadEnd
  }
}

/// Why the schema of an operation says nothing of a failure.
package enum DeadEnd: Sendable {
  /// It has nothing at the path.
  case noPath
  /// It has something that cannot be followed.
  case unreadable
}

/// A mapping of a model to a schema that someone has to choose.
package struct MissingMapping: Sendable {
  package let model: String

  /// A schema that may be meant; nil if none is known.
  package let schema: String?
}
