import ResilientDecoding

/// How a schema describes a value.
struct Answer {
  /// From what excludes a value to what names it.
  enum Rank: Int, Comparable {
    case excluded
    /// The schema is not in the document.
    case unresolved
    /// Nothing is said about the value.
    case open
    /// Its type is documented.
    case typed
    /// The value itself is documented: in an enum, by a format, or as null.
    case listed

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  let rank: Rank

  /// The schema or keyword that decides.
  let place: SourcePlace

  /// The description, as the end of the sentence "the document …".
  let words: String

  /// Whether a list without the value excludes it, and nothing else does.
  var isByList = false
}

extension Schema {
  /// Looks up a value in the schema.
  func answer(_ value: FoundJSON) -> Answer {
    fold { form in
      form.answer(value)
    } all: { answers in
      let excluding = answers.filter { $0.rank == .excluded }
      guard let first = excluding.first else {
        let best = answers.dropFirst().reduce(answers[0]) { $0.rank < $1.rank ? $1 : $0 }
        // An unreadable part may restrict a value that the other parts allow.
        return best.rank == .open ? answers.first { $0.rank == .unresolved } ?? best : best
      }
      return Answer(
        rank: .excluded, place: first.place, words: first.words,
        isByList: excluding.allSatisfy(\.isByList))
    } any: { alternatives in
      let answers = alternatives.map(\.1)
      let best = answers.dropFirst().reduce(answers[0]) { $0.rank < $1.rank ? $1 : $0 }
      // If all exclude the value, a list is the nearest to it.
      return best.rank > .excluded ? best : answers.first(where: \.isByList) ?? best
    }
  }

  /// The first part or alternative that cannot be read, with the words of
  /// ``Form/unresolved(_:words:)``; nil if all can be.
  var unresolved: (place: SourcePlace, words: String)? {
    fold { form in
      if case .unresolved(let place, let words) = form { (place, words) } else { nil }
    } all: { parts in
      parts.compactMap(\.self).first
    } any: { alternatives in
      alternatives.compactMap(\.1).first
    }
  }

  /// The types that the schema documents; nil if it allows any.
  var types: Set<String>? {
    fold { form in
      form.types
    } all: { types in
      let known = types.compactMap(\.self)
      return known.first.map { known.dropFirst().reduce($0, Self.intersection) }
    } any: { alternatives in
      let types = alternatives.map(\.1)
      return types.contains { $0 == nil } ? nil : types.reduce(into: []) { $0.formUnion($1 ?? []) }
    }
  }
}

extension Schema {
  /// The types in both sets; every integer is a number.
  private static func intersection(_ types: Set<String>, _ others: Set<String>) -> Set<String> {
    let hasIntegers = [types, others].allSatisfy { $0.contains("integer") || $0.contains("number") }
    let common = types.intersection(others)
    return common.contains("number") || !hasIntegers ? common : common.union(["integer"])
  }
}

extension Schema.Form {
  /// Looks up a value in a schema without parts.
  fileprivate func answer(_ value: FoundJSON) -> Answer {
    switch self {
    case .keywords(let node, let listed): return node.answer(value, listed)
    case .open(let place): return Answer(rank: .open, place: place, words: "allows any value here")
    case .nothing(let place):
      return Answer(rank: .excluded, place: place, words: "allows no value here")
    case .null(let place):
      return value.type == .null
        ? Answer(rank: .listed, place: place.child("nullable"), words: "allows null here")
        : Answer(rank: .excluded, place: place, words: "allows only null here")
    case .unresolved(let place, let words):
      return Answer(rank: .unresolved, place: place, words: words)
    // A fold calls this for leaves only.
    case .all, .any: preconditionFailure("A schema with parts isn't a leaf.")
    }
  }

  /// The types that a schema without parts documents; nil if it allows any.
  fileprivate var types: Set<String>? {
    switch self {
    case .keywords(let node, _):
      if let types = node.types { return types }
      let list = node.isOpen("enum") ? nil : node.value["enum"]?.array
      let values = list ?? node.value["const"].map { [$0] }
      return values.map { Set($0.map(\.type.rawValue)) }
    case .open, .unresolved: return nil
    case .nothing: return []
    case .null: return ["null"]
    // A fold calls this for leaves only.
    case .all, .any: preconditionFailure("A schema with parts isn't a leaf.")
    }
  }
}

extension Node {
  fileprivate func answer(_ value: FoundJSON, _ listed: ListedValues) -> Answer {
    if value.type == .null, self.value["nullable"]?.boolean == true {
      return Answer(rank: .listed, place: place.child("nullable"), words: "allows null here")
    }
    if let types, !value.isOf(types) {
      let names = types.sorted().joined(separator: " or ")
      return Answer(
        rank: .excluded, place: place.child("type"),
        words: "allows \(names) here but not \(value.type.name)")
    }
    if value.type == .null, types != nil, self.value["enum"] == nil, self.value["const"] == nil {
      return Answer(rank: .listed, place: place.child("type"), words: "allows null here")
    }
    // A value in a list may be excluded by something else.
    let format = formatAnswer(value)
    return rangeAnswer(value) ?? (format?.rank == .excluded ? format : nil) ?? listAnswer(
      value, listed)
      ?? format ?? typeAnswer(value)
  }

  /// Looks up a value in `enum`, `const` or an extensible enum; nil if the schema has none of them.
  private func listAnswer(_ value: FoundJSON, _ listed: ListedValues) -> Answer? {
    let lists = [
      ("enum", self.value["enum"]?.array), ("const", self.value["const"].map { [$0] }),
      ("x-extensible-enum", self.value["x-extensible-enum"]?.array),
    ]
    for case (let name, let values?) in lists {
      let place = place.child(name)
      let isOpen = isOpen(name)
      func element(_ element: JSONValue) -> JSONValue {
        isOpen ? element.named(value.type) : element
      }
      let isListed =
        if value.type == .string, let text = value.text {
          listed.contain(text, in: name, values.map(element))
        } else {
          values.contains { value.equals(element($0)) }
        }
      guard !isOpen else {
        return isListed
          ? Answer(rank: .listed, place: place, words: "has this value in its extensible enum")
          : Answer(
            rank: .open, place: place,
            words: "has an extensible enum without this value")
      }
      guard value.text != nil || value.type == .null else {
        let hasType = values.contains { $0.type == value.type }
        return hasType
          ? Answer(rank: .typed, place: place, words: "lists values of this type in its \(name)")
          : Answer(
            rank: .excluded, place: place,
            words: "lists no \(value.type.rawValue) in its \(name)")
      }
      return isListed
        ? Answer(rank: .listed, place: place, words: "has this value in its \(name)")
        : Answer(
          rank: .excluded, place: place,
          words: name == "enum"
            ? "does not list this value in its enum (\(values.count == 1 ? "1 value" : "\(values.count) values"))"
            : "allows only another value here",
          isByList: true)
    }
    return nil
  }

  /// Whether a list may lack values: by its name, or because another word opens it.
  fileprivate func isOpen(_ list: String) -> Bool {
    switch list {
    case "x-extensible-enum": true
    case "enum":
      value["x-extensible-enum"] == .boolean(true)
        || value["x-ms-enum"]?["modelAsString"] == .boolean(true)
    default: false
    }
  }

  /// Compares a number with its bounds; nil if they allow it.
  private func rangeAnswer(_ value: FoundJSON) -> Answer? {
    guard value.type == .number, let number = value.text.flatMap({ Double($0) }) else { return nil }
    func bound(_ name: String) -> Double? { self.value[name]?.double }
    let excluding: [(String, Bool)] = [
      ("minimum", bound("minimum").map { number < $0 } ?? false),
      ("maximum", bound("maximum").map { number > $0 } ?? false),
      // Before 3.1 they say whether the bounds are excluded.
      (
        "exclusiveMinimum",
        self.value["exclusiveMinimum"] == .boolean(true) && number == bound("minimum")
      ),
      (
        "exclusiveMaximum",
        self.value["exclusiveMaximum"] == .boolean(true) && number == bound("maximum")
      ),
      ("exclusiveMinimum", bound("exclusiveMinimum").map { number <= $0 } ?? false),
      ("exclusiveMaximum", bound("exclusiveMaximum").map { number >= $0 } ?? false),
      ("format", self.value["format"]?.string.map(value.exceeds) ?? false),
    ]
    return excluding.first(where: \.1).map { name, _ in
      Answer(
        rank: .excluded, place: place.child(name), words: "excludes this number by its \(name)")
    }
  }

  /// Compares a string with its format; nil if the format is not checked.
  private func formatAnswer(_ value: FoundJSON) -> Answer? {
    guard value.type == .string, let text = value.text, let name = self.value["format"]?.string,
      let format = StringFormat(rawValue: name)
    else { return nil }
    let place = place.child("format")
    return format.matches(text)
      ? Answer(rank: .listed, place: place, words: "has the format \(name) here, as the value does")
      : Answer(rank: .excluded, place: place, words: "requires the format \(name) here")
  }

  private func typeAnswer(_ value: FoundJSON) -> Answer {
    if let types {
      let isInteger = value.type == .number && !types.contains("number")
      return Answer(
        rank: .typed, place: place.child("type"),
        words: "allows any \(isInteger ? "integer" : value.type.rawValue) here")
    }
    // Keywords for objects imply their type, though a strict reader would not say so.
    let implied: [(String, ErrorDigest.FoundValue.ValueType)] = [
      ("properties", .object), ("additionalProperties", .object), ("items", .array),
    ]
    if let (name, type) = implied.first(where: { self.value[$0.0] != nil }), type == value.type {
      return Answer(
        rank: .typed, place: place.child(name), words: "allows \(value.type.name) here")
    }
    return Answer(rank: .open, place: place, words: "allows any value here")
  }
}

extension ErrorDigest.FoundValue.ValueType {
  /// The name with its article.
  fileprivate var name: String {
    switch self {
    case .null: "null"
    case .array, .object: "an \(rawValue)"
    default: "a \(rawValue)"
    }
  }
}
