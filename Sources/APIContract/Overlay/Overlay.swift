import ResilientPlatform

/// Changes of a document, as an OpenAPI Overlay (Overlay Specification 1.0.0).
package struct Overlay: Encodable, Sendable {
  private var overlay = "1.0.0"
  private let info: Info
  private let extends: String?
  private let actions: [Action]

  private struct Info: Encodable {
    let title: String
    let version: String
  }

  /// - Parameters:
  ///   - title: what the changes are.
  ///   - document: the document, as the overlay's file refers to it; nil to leave it out.
  package init(_ actions: [Action], title: String, extending document: String?) {
    info = Info(title: title, version: "1")
    extends = document
    self.actions = actions
  }

  /// The JSON of the overlay, with a line break at its end.
  package var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: ".inf", negativeInfinity: "-.inf", nan: ".nan")
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }

  /// One change: removes what the target selects, or adds to it.
  package struct Action: Encodable, Sendable {
    let target: String
    var description: String?
    var update: JSONValue?
    var remove: Bool?
  }
}
