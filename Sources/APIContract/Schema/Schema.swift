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
    case open(Place)
    /// Nothing is allowed: `false`.
    case nothing(Place)
    /// Null is allowed: `nullable: true`.
    case null(Place)
    /// The schema cannot be read: a dangling reference, an unknown type, or too many schemas.
    /// The words are the end of the sentence "the document …".
    case unresolved(Place, words: String)
  }

  let id: Int

  /// Set once. A schema that contains itself exists before its parts do.
  fileprivate(set) var form: Form

  /// The place of the schema, or of the first of several.
  let place: Place

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
