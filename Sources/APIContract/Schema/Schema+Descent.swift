import ResilientDecoding

/// The schema of a value inside another value, or the reason why there is none.
enum Descent {
  /// Its schema.
  case found(Schema)
  /// Nothing, and it allows any value there.
  case open(SourcePlace)
  /// The schema is not in the document.
  case unresolved(SourcePlace, words: String)
  /// No such member or element.
  case missing(SourcePlace, Absence)
}

/// Why a document has no member or element, the likeliest reason last.
enum Absence: Int {
  /// The value is neither an object nor an array.
  case ofContainer
  /// The object has no others than its properties.
  case excluded
  /// The object may have others.
  case undeclared
}

extension SchemaReader {
  /// Steps from a value to one that it contains.
  func descend(from schema: Schema, to component: ErrorDigest.Path.Component) -> Descent {
    let key = DescentKey(schema: schema.id, component: component)
    if let descent = descents[key] { return descent }
    let descent = schema.fold { form in
      switch form {
      case .keywords(let node, _): descend(from: node, to: component)
      case .unresolved(let place, let words): .unresolved(place, words: words)
      case .nothing(let place), .null(let place): .missing(place, .ofContainer)
      case .open(let place): .open(place)
      // A fold calls this for leaves only.
      case .all, .any: preconditionFailure("The parts of a schema answer.")
      }
    } all: { parts in
      descend(fromAll: parts)
    } any: { alternatives in
      descend(fromAny: alternatives.map(\.1))
    }
    descents[key] = descent
    return descent
  }

  private func descend(fromAll parts: [Descent]) -> Descent {
    let found = parts.compactMap(\.schema)
    if found.count > 1 {
      return .found(all(found))
    }
    // One part has the member, or excludes it, or lists the properties; the others do not matter.
    return parts.first { $0.schema != nil }
      ?? parts.first { $0.absence == .excluded } ?? parts.first(where: \.isUnresolved)
      ?? parts.first { $0.absence == .undeclared }
      ?? parts.first { $0.absence == .ofContainer } ?? parts[0]
  }

  private func descend(fromAny parts: [Descent]) -> Descent {
    let found = parts.compactMap(\.schema)
    // An alternative that does not mention the member allows any.
    let open = parts.compactMap(\.openSchema)
    guard !found.isEmpty else {
      return parts.first { $0.openSchema != nil && $0.absence == nil }
        ?? parts.max { ($0.absence?.rawValue ?? -1) < ($1.absence?.rawValue ?? -1) } ?? parts[0]
    }
    return .found(any(found + open.prefix(1).map(make)))
  }

  private func descend(from node: Node, to component: ErrorDigest.Path.Component) -> Descent {
    switch component {
    case .key(let name): member(name, of: node)
    case .dictionaryKey(let name): member(name, of: node)
    case .anyDictionaryKey: anyMember(of: node)
    case .index, .anyIndex: element(of: node)
    }
  }

  /// The schema of a member.
  private func member(_ name: String, of node: Node) -> Descent {
    if let property = node.member("properties")?.member(name) { return found([property]) }
    return otherMembers(of: node)
  }

  /// The schema of the members whose names are data.
  private func anyMember(of node: Node) -> Descent {
    let others = otherMembers(of: node)
    if case .found = others { return others }
    let properties = node.member("properties")?.members.map(\.node) ?? []
    return properties.isEmpty ? others : found(properties)
  }

  /// The schema of the members that `properties` does not have. Patterns are not compared with the
  /// name: each may match, or none.
  private func otherMembers(of node: Node) -> Descent {
    let patterns = node.member("patternProperties")?.members.map(\.node) ?? []
    let additional = node.additionalMembers
    let others = additional.flatMap { $0.value.object?.isEmpty == false ? $0 : nil }
    if !patterns.isEmpty || others != nil {
      let isClosed = additional?.value.boolean == false
      return found(
        patterns + (others.map { [$0] } ?? []), orAnyOf: isClosed || others != nil ? nil : node)
    }
    guard node.allows("object") else { return .missing(node.place, .ofContainer) }
    if additional?.value.boolean == false { return .missing(node.place, .excluded) }
    // Without further keywords, an object may have any members.
    let isFree = additional != nil || node.value["properties"]?.object?.isEmpty ?? true
    return isFree ? .open(node.place) : .missing(node.place, .undeclared)
  }

  private func element(of node: Node) -> Descent {
    let first = node.member("prefixItems")?.elements ?? []
    let item = node.member("items")
    let items = item.map { $0.value.array == nil ? [$0] : $0.elements } ?? []
    if !first.isEmpty || !items.isEmpty {
      // Elements after the first ones are free, unless `items` is about them.
      let isFree = item == nil || item?.value.array != nil
      return found(first + items, orAnyOf: isFree ? node : nil)
    }
    return node.allows("array") && node.value["properties"] == nil
      ? .open(node.place) : .missing(node.place, .ofContainer)
  }

  /// - Parameter node: allows any other value, too; nil if none does.
  private func found(_ nodes: [Node], orAnyOf node: Node? = nil) -> Descent {
    let open = node.map { [make(.open($0.place))] } ?? []
    return .found(any(nodes.map(schema) + open))
  }
}

extension Node {
  /// The schema of members that `properties` does not list. `unevaluatedProperties` also depends on the
  /// other parts of the schema, so it is read only if there are none.
  var additionalMembers: Node? {
    let parts = ["allOf", "oneOf", "anyOf", "$ref", "if", "dependentSchemas"]
    return member("additionalProperties")
      ?? (parts.contains { value[$0] != nil } ? nil : member("unevaluatedProperties"))
  }
}

extension Descent {
  var schema: Schema? {
    if case .found(let schema) = self { schema } else { nil }
  }

  /// The schema of a value about which nothing is known.
  var openSchema: Schema.Form? {
    switch self {
    case .open(let place): .open(place)
    case .unresolved(let place, let words): .unresolved(place, words: words)
    case .missing(let place, .undeclared): .open(place)
    case .found, .missing: nil
    }
  }

  var isUnresolved: Bool {
    if case .unresolved = self { true } else { false }
  }

  var absence: Absence? {
    if case .missing(_, let absence) = self { absence } else { nil }
  }
}

extension Node {
  /// Whether `type` allows a type; true if there is none.
  func allows(_ type: String) -> Bool {
    types.map { $0.contains(type) } ?? true
  }

  /// The names in `type`; nil if there is none.
  var types: Set<String>? {
    switch value["type"] {
    case .string(let name): [name]
    case .array(let names): Set(names.compactMap(\.string))
    default: nil
    }
  }

  /// The fault of `type`, as the end of the sentence "the document …"; nil if it is valid.
  var wordsOfUnknownType: String? {
    let known: Set = ["array", "boolean", "integer", "null", "number", "object", "string"]
    guard let type = value["type"] else { return nil }
    let list = type.array ?? [type]
    guard let names = list.map(\.string) as? [String], !names.isEmpty else {
      if list.contains(.null) { return "has null as a type here: write it in quotes" }
      return "has a type here that isn't a name or a list of names"
    }
    return Set(names).subtracting(known).min().map { "has an unknown type here: \($0)" }
  }
}
