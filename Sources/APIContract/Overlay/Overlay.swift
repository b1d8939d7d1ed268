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

extension APIContract {
  /// The actions that make an amendment; nil if it is of another file, or of a place that has no
  /// name.
  package func actions(
    for amendment: Amendment, description: String
  ) -> [Overlay.Action]? {
    switch amendment {
    case .addValue(let value, let place):
      guard place.file.isEmpty else { return nil }
      return [Overlay.Action(target: place.jsonPath, description: description, update: value)]
    case .allowNull(let place):
      guard place.file.isEmpty, let node = node(at: place), let schema = node.value.object else {
        return nil
      }
      let lists = ["enum", "oneOf", "anyOf"].filter { schema[$0]?.array != nil }
      return version.hasPrefix("3.0")
        ? nullable(node, schema, lists, description) : nullType(node, schema, lists, description)
    }
  }

  /// The actions for OpenAPI 3.0, which has `nullable`.
  private func nullable(
    _ node: Node, _ schema: [String: JSONValue], _ lists: [String], _ description: String
  ) -> [Overlay.Action]? {
    guard schema["$ref"] == nil else {
      return replace(
        node, by: .object(["allOf": .array([node.value]), "nullable": .boolean(true)]), description)
    }
    let allow = Overlay.Action(
      target: node.place.jsonPath, description: description,
      update: .object(["nullable": .boolean(true)]))
    return [allow] + (lists.contains("enum") ? [addNull(.null, to: "enum", of: node)] : [])
  }

  /// The actions for OpenAPI 3.1, which has the type `null`.
  private func nullType(
    _ node: Node, _ schema: [String: JSONValue], _ lists: [String], _ description: String
  ) -> [Overlay.Action]? {
    let isPlain = schema["$ref"] == nil && schema["allOf"] == nil && schema["const"] == nil
    let alternatives = lists.filter { $0 != "enum" }
    if isPlain, let types = schema["type"], alternatives.isEmpty {
      let names = types.array ?? [types]
      let allow = Overlay.Action(
        target: node.place.jsonPath, description: description,
        update: .object(["type": .array(names + [.string("null")])]))
      // An update adds to an array, so one of several types is replaced.
      let actions =
        types.array == nil
        ? [allow]
        : [
          Overlay.Action(
            target: node.place.child("type").jsonPath, description: description,
            update: .string("null"))
        ]
      return actions + (lists.contains("enum") ? [addNull(.null, to: "enum", of: node)] : [])
    }
    if isPlain, schema["type"] == nil, alternatives.count == 1, !lists.contains("enum") {
      var action = addNull(.object(["type": .string("null")]), to: alternatives[0], of: node)
      action.description = description
      return [action]
    }
    if isPlain, schema["type"] == nil, lists == ["enum"] {
      var action = addNull(.null, to: "enum", of: node)
      action.description = description
      return [action]
    }
    return replace(
      node, by: .object(["anyOf": .array([node.value, .object(["type": .string("null")])])]),
      description)
  }

  private func addNull(_ value: JSONValue, to list: String, of node: Node) -> Overlay.Action {
    Overlay.Action(target: node.place.child(list).jsonPath, update: value)
  }

  /// The actions that replace a member of an object: an update alone would merge the two.
  private func replace(
    _ node: Node, by value: JSONValue, _ description: String
  ) -> [Overlay.Action]? {
    guard let name = node.place.tokens.last, let parent = node.place.parent,
      self.node(at: parent)?.value.object != nil
    else { return nil }
    return [
      Overlay.Action(target: node.place.jsonPath, description: description, remove: true),
      Overlay.Action(target: parent.jsonPath, update: .object([name: value])),
    ]
  }
}

extension Place {
  fileprivate var parent: Place? {
    pointer.lastIndex(of: "/").map { Place(file: file, pointer: String(pointer[..<$0])) }
  }

  /// The place as a JSONPath (RFC 9535) with quoted names.
  var jsonPath: String {
    tokens.reduce("$") { path, token in
      let name = token.unicodeScalars.map { scalar in
        switch scalar {
        case "'": "\\'"
        case "\\": "\\\\"
        case "\0"..<" ":
          "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
            + String(scalar.value, radix: 16)
        default: String(Character(scalar))
        }
      }.joined()
      return "\(path)['\(name)']"
    }
  }
}
