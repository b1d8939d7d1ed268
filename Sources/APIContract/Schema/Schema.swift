/// The schema of a value, combined from the schemas of a document, with all references resolved.
///
/// Equal schemas are one object, which ``SchemaReader`` makes.
final class Schema {
  enum Form {
    /// The keywords of a schema object that are about the value itself.
    case keywords(Node, ListedValues)
    /// All of the schemas hold: `allOf`, and keywords beside it or beside a `$ref`.
    case all([Schema])
    /// At least one of the schemas holds: `anyOf` and `oneOf`.
    case any([Schema])
    /// Everything is allowed: `true`, `{}`, and schemas that are too large to follow.
    case open(SourcePlace)
    /// Nothing is allowed: `false`.
    case nothing(SourcePlace)
    /// Null is allowed: `nullable: true`.
    case null(SourcePlace)
    /// The schema cannot be read: a dangling reference, an unknown type, or too many schemas.
    /// The words are the end of the sentence "the document …".
    case unresolved(SourcePlace, words: String)
  }

  let id: Int

  /// Set once. A schema that contains itself exists before its parts do.
  fileprivate(set) var form: Form

  /// The place of the schema, or of the first of several.
  let place: SourcePlace

  init(id: Int, form: Form) {
    self.id = id
    self.form = form
    place =
      switch form {
      case .keywords(let node, _): node.place
      case .open(let place), .nothing(let place), .null(let place), .unresolved(let place, _): place
      case .all(let parts), .any(let parts): parts[0].place
      }
  }

  /// Completes a schema that contains itself, or takes it apart again.
  func setForm(_ form: Form) { self.form = form }
}

/// The texts in the lists of a schema object, by the list's name.
final class ListedValues {
  private var texts: [String: Set<JSONValue>] = [:]

  /// Whether a list has a text. The list is read once, because it may be long.
  func contain(_ text: String, in name: String, _ values: @autoclosure () -> [JSONValue]) -> Bool {
    if texts[name] == nil { texts[name] = Set(values()) }
    return texts[name]?.contains(.string(text)) == true
  }
}

extension Array {
  /// The most places that an answer names. An answer is kept for each schema, so that longer lists would
  /// take the square of a document's size.
  private static var maximumPlaces: Int { 100 }

  /// The first elements, each place once. Several parts of a schema may have one answer.
  func unique<Key: Hashable>(by key: (Element) -> Key) -> Self {
    var keys: Set<Key> = []
    return Self(filter { keys.insert(key($0)).inserted }.prefix(Self.maximumPlaces))
  }
}

extension Schema {
  /// The most parts that are asked for an answer. Below schemas that contain themselves, they become
  /// more with each step of a path.
  private static var maximumParts: Int { 20_000 }

  /// Finds an answer of the schema, from the answers of its parts. Asks each part once, although it
  /// may be a part of several others. A part that contains the schema itself says nothing by that.
  func fold<Answer>(
    _ leaf: (Form) -> Answer, all: ([Answer]) -> Answer, any: ([(part: Schema, Answer)]) -> Answer
  ) -> Answer {
    // Nil while the parts are asked.
    var answers: [Int: Answer?] = [:]
    var partCount = 0
    func answer(_ schema: Schema) -> Answer? {
      let parts: [Schema]
      switch schema.form {
      case .all(let all): parts = all
      case .any(let any): parts = any
      default: return leaf(schema.form)
      }
      if let known = answers[schema.id] { return known }
      partCount += parts.count
      guard partCount <= Self.maximumParts else { return nil }
      answers.updateValue(nil, forKey: schema.id)
      let found = parts.compactMap { part in answer(part).map { (part: part, $0) } }
      guard !found.isEmpty else { return nil }
      let whole = if case .all = schema.form { all(found.map(\.1)) } else { any(found) }
      answers.updateValue(whole, forKey: schema.id)
      return whole
    }
    let whole = answer(self)
    guard partCount <= Self.maximumParts else {
      return leaf(.unresolved(place, words: "has too many schemas here"))
    }
    return whole ?? leaf(.unresolved(place, words: "has a schema here that is only itself"))
  }
}

/// The rules of a document for a member of an object.
struct MemberRules {
  /// Whether `properties` has it, and where.
  var declared: SourcePlace?
  /// The same in all parts of a schema.
  var properties: [Node] = []
  /// Whether `required` has it, and where.
  var required: SourcePlace?
  /// Where other members than those of `properties` are excluded.
  var closed: SourcePlace?
  /// The schema that was read last.
  var place: SourcePlace
}

extension Schema {
  /// The rules for a member of the object.
  func rules(forMember name: String) -> MemberRules {
    fold {
      if case .keywords(let node, _) = $0 { return node.rules(forMember: name) }
      return MemberRules(place: place)
    } all: { rules in
      MemberRules(
        declared: rules.firstValue(\.declared),
        properties: rules.flatMap(\.properties).unique(by: \.place),
        required: rules.firstValue(\.required), closed: rules.firstValue(\.closed),
        place: rules[0].place)
    } any: { alternatives in
      // The member is required only if each alternative for an object requires it.
      let objects = alternatives.filter { $0.part.mayBeObject }.map(\.1)
      let rules = objects.isEmpty ? alternatives.map(\.1) : objects
      return MemberRules(
        declared: rules.firstValue(\.declared),
        properties: rules.flatMap(\.properties).unique(by: \.place),
        required: rules.allSatisfy { $0.required != nil } ? rules[0].required : nil,
        closed: rules.allSatisfy { $0.closed != nil } ? rules[0].closed : nil,
        place: rules[0].place)
    }
  }

  /// Whether the value may be an object.
  var mayBeObject: Bool {
    fold {
      switch $0 {
      case .keywords(let node, _): node.allows("object")
      case .open, .unresolved: true
      case .nothing, .null, .all, .any: false
      }
    } all: {
      !$0.contains(false)
    } any: {
      $0.contains(where: \.1)
    }
  }
}

extension [MemberRules] {
  fileprivate func firstValue(_ property: KeyPath<MemberRules, SourcePlace?>) -> SourcePlace? {
    lazy.compactMap { $0[keyPath: property] }.first
  }
}

extension Node {
  fileprivate func rules(forMember name: String) -> MemberRules {
    let property = member("properties")?.member(name)
    let required = member("required")?.elements.first {
      $0.value.string.map { $0.utf8.elementsEqual(name.utf8) } == true
    }
    let isClosed =
      additionalMembers?.value.boolean == false && value["patternProperties"] == nil
    return MemberRules(
      declared: property?.place, properties: property.map { [$0] } ?? [], required: required?.place,
      closed: isClosed ? place : nil, place: place)
  }
}

extension SchemaReader {
  /// Whether a property is only in requests, or only in responses, and this is the other one.
  func isOfOtherDirection(_ properties: [Node], isRequest: Bool) -> Bool {
    let name = isRequest ? "readOnly" : "writeOnly"
    var (parts, seen) = (properties, Set<SourcePlace>())
    while let part = parts.popLast() {
      guard seen.insert(part.place).inserted else { continue }
      if part.value[name]?.boolean == true { return true }
      parts +=
        (part.member("allOf")?.elements ?? []) + [files.referenced(by: part)].compactMap(\.self)
    }
    return false
  }
}

/// The formats of strings that are checked (OpenAPI Format Registry; RFC 3339; RFC 9562).
enum StringFormat: String {
  case dateTime = "date-time"
  case date
  case uuid

  func matches(_ text: String) -> Bool {
    switch self {
    case .date: return Self.isDate(Substring(text))
    case .dateTime:
      // Any number of decimals, and an offset.
      let time =
        /(.{10})[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})/
      return text.wholeMatch(of: time).map { Self.isDate($0.output.1) } ?? false
    case .uuid:
      return text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
    }
  }

  private static func isDate(_ text: Substring) -> Bool {
    guard
      let (_, year, month, day) = text.wholeMatch(of: /([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})/)?
        .output,
      let year = Int(year), let month = Int(month), let day = Int(day)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1...days[month - 1] ~= day
  }
}
