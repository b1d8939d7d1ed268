/// Makes the actions of an overlay, one after the other, on a copy of the document.
struct OverlayBuilder {
  private(set) var actions: [Overlay.Action] = []
  private var document: JSONValue
  private let hasNullable: Bool

  /// Where schemas have gone that were written anew, around the old ones.
  private var moves: [(from: [String], to: [String])] = []

  /// - Parameter hasNullable: whether the document is of a version with `nullable`, before 3.1.
  init(_ document: JSONValue, hasNullable: Bool) {
    self.document = document
    self.hasNullable = hasNullable
  }

  /// Adds the actions for an amendment.
  ///
  /// - Returns: whether there are any; not for one of another file, or of the document itself.
  mutating func add(_ amendment: Amendment, _ description: String) -> Bool {
    switch amendment {
    case .addValue(let value, let place):
      let tokens = moved(place)
      guard place.file.isEmpty, let list = document.value(at: tokens)?.array else { return false }
      append(Self.element(value, of: list), to: tokens, description)
      return true
    case .allowNull(let place):
      let tokens = moved(place)
      guard place.file.isEmpty, let schema = document.value(at: tokens), let members = schema.object
      else { return false }
      return allowNull(members, at: tokens, description)
    }
  }

  private mutating func allowNull(
    _ schema: [String: JSONValue], at tokens: [String], _ description: String
  ) -> Bool {
    let alternatives = ["oneOf", "anyOf"].filter { schema[$0]?.array != nil }
    let isComposed = schema["$ref"] != nil || schema["allOf"] != nil || schema["const"] != nil
    if hasNullable, schema["$ref"] == nil {
      merge(["nullable": .boolean(true)], into: tokens, description)
    } else if hasNullable || isComposed
      || alternatives.count + (schema["type"] == nil ? 0 : 1) > 1
      || alternatives.count == 1 && schema["enum"] != nil
    {
      return wrap(.object(schema), at: tokens, description)
    } else if let list = alternatives.first {
      append(Self.null, to: tokens + [list], description)
      return true
    } else if let types = schema["type"]?.array {
      if !types.contains(.string("null")) {
        append(.string("null"), to: tokens + ["type"], description)
      }
    } else if let type = schema["type"], type != .string("null") {
      merge(["type": .array([type, .string("null")])], into: tokens, description)
    }
    if schema["enum"]?.array?.contains(.null) == false {
      append(.null, to: tokens + ["enum"], description)
    }
    return true
  }

  /// A value in the form that the elements of a list have.
  private static func element(_ value: JSONValue, of list: [JSONValue]) -> JSONValue {
    let members = list.compactMap(\.object)
    for name in ["const", "value"] where members.contains(where: { $0[name] != nil }) {
      return .object([name: value])
    }
    guard members.count == list.count, members.first?.count == 1 else { return value }
    // The reviewer adds the description.
    return switch value {
    case .string(let name): .object([name: .string("")])
    case .integer(let name): .object(["\(name)": .string("")])
    default: value
    }
  }

  private static let null = JSONValue.object(["type": .string("null")])

  private mutating func append(_ value: JSONValue, to tokens: [String], _ description: String) {
    actions.append(
      Overlay.Action(target: path(to: tokens), description: description, update: value))
    document = document.changing(tokens[...]) { .array(($0.array ?? []) + [value]) }
  }

  private mutating func merge(
    _ members: [String: JSONValue], into tokens: [String], _ description: String
  ) {
    actions.append(
      Overlay.Action(
        target: path(to: tokens), description: description, update: .object(members)))
    document = document.changing(tokens[...]) {
      .object(($0.object ?? [:]).merging(members) { $1 })
    }
  }

  /// Writes a schema anew, with the old one as an alternative to null. Removes it first, because an
  /// update would merge the two.
  private mutating func wrap(
    _ schema: JSONValue, at tokens: [String], _ description: String
  ) -> Bool {
    let parent = Array(tokens.dropLast())
    guard let name = tokens.last, case .object? = document.value(at: parent) else { return false }
    let (list, whole): (String, [String: JSONValue]) =
      hasNullable
      ? ("allOf", ["allOf": .array([schema]), "nullable": .boolean(true)])
      : ("anyOf", ["anyOf": .array([schema, Self.null])])
    actions.append(
      Overlay.Action(target: path(to: tokens), description: description, remove: true))
    actions.append(
      Overlay.Action(target: path(to: parent), update: .object([name: .object(whole)])))
    document = document.changing(tokens[...]) { _ in .object(whole) }
    moves.append((tokens, tokens + [list, "0"]))
    return true
  }

  /// Where a place of the original document is now.
  private func moved(_ place: Place) -> [String] {
    moves.reduce(place.tokens) { tokens, move in
      // The schema itself has another one in its place; what is in it has moved.
      tokens.count > move.from.count && tokens.starts(with: move.from)
        ? move.to + tokens.dropFirst(move.from.count) : tokens
    }
  }

  /// A JSONPath (RFC 9535): names in quotes, and numbers for the elements of arrays.
  private func path(to tokens: [String]) -> String {
    var value: JSONValue? = document
    return tokens.reduce("$") { path, token in
      let container = value
      value = container?.value(at: [token])
      return container?.array == nil ? "\(path)['\(token.escapedInJSONPath)']" : "\(path)[\(token)]"
    }
  }
}

extension APIContract {
  /// The actions that make amendments, and the number of those that cannot be made because they are
  /// of another file.
  ///
  /// - Parameter amendments: the amendments, each with its description.
  package func actions(
    for amendments: [(amendment: Amendment, description: String)]
  ) -> (actions: [Overlay.Action], leftOut: Int) {
    guard let document = node(at: Place())?.value else { return ([], amendments.count) }
    var builder = OverlayBuilder(document, hasNullable: version.hasPrefix("3.0"))
    let leftOut = amendments.count { !builder.add($0.amendment, $0.description) }
    return (builder.actions, leftOut)
  }
}

extension JSONValue {
  /// The value at the end of some names and numbers; nil if there is none.
  fileprivate func value(at tokens: [String]) -> JSONValue? {
    tokens.reduce(self) { value, token in
      guard let array = value?.array else { return value?[token] }
      return Int(token).flatMap { array.indices.contains($0) ? array[$0] : nil }
    }
  }

  /// The value with what is at the end of some names and numbers changed.
  fileprivate func changing(
    _ tokens: ArraySlice<String>, _ change: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard let token = tokens.first else { return change(self) }
    if var members = object, let member = members[token] {
      members[token] = member.changing(tokens.dropFirst(), change)
      return .object(members)
    }
    if var elements = array, let index = Int(token), elements.indices.contains(index) {
      elements[index] = elements[index].changing(tokens.dropFirst(), change)
      return .array(elements)
    }
    return self
  }
}

extension String {
  /// The text in single quotes.
  fileprivate var escapedInJSONPath: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "'": "\\'"
      case "\\": "\\\\"
      case "\0"..<" ":
        "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
          + String(scalar.value, radix: 16)
      default: String(Character(scalar))
      }
    }.joined()
  }
}
