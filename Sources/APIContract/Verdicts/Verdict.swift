/// Whose fault a failure is, by the document of the API.
package enum Verdict: String, CaseIterable, Sendable {
  /// The document has the value, the type or the null that the app does not take.
  case appBehind = "app-behind"
  /// The document excludes what came.
  case contractBroken = "contract-broken"
  /// The document says nothing about it that is closed.
  case undocumented
  /// The app requires what the document leaves optional or nullable.
  case modelDiffers = "model-differs"
  /// The document has no schema for the model, or none at the path.
  case unmapped
}

/// A verdict with its reason.
package struct Judgement: Sendable {
  package let verdict: Verdict

  /// The schema or the keyword that decided; nil if there is none.
  package let place: Place?

  /// One sentence without its period.
  package let reason: String

  /// The changes of the document that would allow what came.
  package var amendments: [Amendment] = []

  package init(verdict: Verdict, place: Place?, reason: String) {
    self.verdict = verdict
    self.place = place
    self.reason = reason
  }
}

/// A change of a document that allows a value.
package enum Amendment: Hashable, Sendable {
  /// Adds a value to a list.
  case addValue(JSONValue, to: Place)
  /// Lets the value of a schema be null.
  case allowNull(Place)
}
