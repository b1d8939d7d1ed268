/// What a document says about a value: schemas and how they are combined, with all references
/// resolved.
///
/// Equal schemas are one object, which ``SchemaReader`` makes.
final class Schema {
  enum Form {
    /// The keywords of a schema object that are about the value itself.
    case keywords(Node)
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
    /// A reference that leads nowhere.
    case unresolved(Place, reference: String)
  }

  let id: Int
  let form: Form

  init(id: Int, form: Form) {
    self.id = id
    self.form = form
  }

  /// The place of the schema, or of the first of several.
  var place: Place {
    switch form {
    case .keywords(let node): node.place
    case .open(let place), .nothing(let place), .null(let place), .unresolved(let place, _): place
    case .all(let parts), .any(let parts): parts[0].place
    }
  }
}

extension Schema {
  /// Finds an answer of the schema, from the answers of its parts. Asks each part once, although it
  /// may be a part of several others.
  func fold<Answer>(
    _ leaf: (Form) -> Answer, all: ([Answer]) -> Answer, any: ([(part: Schema, Answer)]) -> Answer
  ) -> Answer {
    var answers: [Int: Answer] = [:]
    func answer(_ schema: Schema) -> Answer {
      switch schema.form {
      case .all(let parts):
        if let known = answers[schema.id] { return known }
        let found = all(parts.map(answer))
        answers[schema.id] = found
        return found
      case .any(let parts):
        if let known = answers[schema.id] { return known }
        let found = any(parts.map { ($0, answer($0)) })
        answers[schema.id] = found
        return found
      default: return leaf(schema.form)
      }
    }
    return answer(self)
  }
}
