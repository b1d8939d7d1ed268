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
  /// The actions that make amendments, and the number of those that are of another file or of a
  /// place that has no name.
  ///
  /// - Parameter amendments: the amendments, each with its description.
  package func actions(
    for amendments: [(amendment: Amendment, description: String)]
  ) -> (actions: [Overlay.Action], leftOut: Int) {
    var leftOut = 0
    var additions: [(place: Place, value: JSONValue, description: String)] = []
    var nulls: [(node: Node, description: String)] = []
    for (amendment, description) in amendments {
      switch amendment {
      case .addValue(let value, let place) where place.file.isEmpty:
        additions.append((place, value, description))
      case .allowNull(let place):
        guard place.file.isEmpty, let node = node(at: place), node.value.object != nil,
          !needsReplacement(node) || parent(of: node) != nil
        else { fallthrough }
        nulls.append((node, description))
      case .addValue: leftOut += 1
      }
    }
    var actions: [Overlay.Action] = []
    for (node, description) in nulls {
      // A schema that is written anew has what is added in it already.
      var node = node
      var descriptions = [description]
      if needsReplacement(node) {
        for addition in additions where addition.place.isInside(node.place) {
          let tokens = addition.place.tokens.dropFirst(node.place.tokens.count)
          node = Node(place: node.place, value: node.value.appending(addition.value, at: tokens))
          descriptions.append(addition.description)
        }
        additions.removeAll { $0.place.isInside(node.place) }
      }
      actions += allowNull(node, descriptions.joined(separator: "; "))
    }
    return (
      additions.map {
        Overlay.Action(target: $0.place.jsonPath, description: $0.description, update: $0.value)
      } + actions, leftOut
    )
  }

  /// The lists of a schema that a value has to be in.
  private func lists(of node: Node) -> [String] {
    ["enum", "oneOf", "anyOf"].filter { node.value[$0]?.array != nil }
  }

  /// Whether null can only be allowed by writing a schema anew, around the old one.
  private func needsReplacement(_ node: Node) -> Bool {
    guard node.value["$ref"] == nil else { return true }
    guard !version.hasPrefix("3.0") else { return false }
    let lists = lists(of: node)
    if node.value["allOf"] != nil || node.value["const"] != nil { return true }
    return node.value["type"] == nil ? lists.count != 1 : lists.contains { $0 != "enum" }
  }

  private func parent(of node: Node) -> Node? {
    node.place.parent.flatMap(self.node).flatMap { $0.value.object == nil ? nil : $0 }
  }

  /// The actions that let a schema be null.
  private func allowNull(_ node: Node, _ description: String) -> [Overlay.Action] {
    let isOld = version.hasPrefix("3.0")
    if needsReplacement(node) {
      return replace(
        node,
        by: isOld
          ? ["allOf": .array([node.value]), "nullable": .boolean(true)]
          : ["anyOf": .array([node.value, .object(["type": .string("null")])])], description)
    }
    var actions: [Overlay.Action] = []
    func add(_ value: JSONValue, to list: String?) {
      let place = list.map(node.place.child) ?? node.place
      actions.append(
        Overlay.Action(
          target: place.jsonPath, description: actions.isEmpty ? description : nil, update: value))
    }
    if isOld {
      add(.object(["nullable": .boolean(true)]), to: nil)
    } else if case .array? = node.value["type"] {
      add(.string("null"), to: "type")
    } else if let type = node.value["type"] {
      add(.object(["type": .array([type, .string("null")])]), to: nil)
    }
    for list in lists(of: node) where list == "enum" || !isOld {
      add(list == "enum" ? .null : .object(["type": .string("null")]), to: list)
    }
    return actions
  }

  /// The actions that replace a member of an object: an update alone would merge the two.
  private func replace(
    _ node: Node, by members: [String: JSONValue], _ description: String
  ) -> [Overlay.Action] {
    guard let name = node.place.tokens.last, let parent = parent(of: node) else { return [] }
    return [
      Overlay.Action(target: node.place.jsonPath, description: description, remove: true),
      Overlay.Action(
        target: parent.place.jsonPath, update: .object([name: .object(members)])),
    ]
  }
}

extension JSONValue {
  /// The value with an element added to an array in it.
  fileprivate func appending(_ value: JSONValue, at tokens: ArraySlice<String>) -> JSONValue {
    guard let token = tokens.first else { return .array((array ?? []) + [value]) }
    if var members = object, let member = members[token] {
      members[token] = member.appending(value, at: tokens.dropFirst())
      return .object(members)
    }
    if var elements = array, let index = Int(token), elements.indices.contains(index) {
      elements[index] = elements[index].appending(value, at: tokens.dropFirst())
      return .array(elements)
    }
    return self
  }
}

extension Place {
  /// Whether the place is below another one of the same file.
  fileprivate func isInside(_ other: Place) -> Bool {
    file == other.file && pointer.utf8.starts(with: "\(other.pointer)/".utf8)
  }

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
