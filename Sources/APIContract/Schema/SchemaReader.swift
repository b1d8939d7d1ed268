import ResilientDecoding

/// Reads the schemas of a document.
final class SchemaReader {
  let files: DocumentFiles

  /// The schemas at places, and those that are made of others.
  private var schemas: [SourcePlace: Schema] = [:]
  private var leaves: [Leaf: Schema] = [:]
  private var composites: [Composite: Schema] = [:]
  private var nextID = 0

  /// The schemas below others.
  var descents: [DescentKey: Descent] = [:]

  /// The schemas on the way to the current one, and what stands for those that contain themselves.
  private var path: [SourcePlace: Schema?] = [:]

  /// Whether the document is of a version before 3.1, in which what is beside a `$ref` is ignored.
  private let ignoresSiblings: Bool

  /// The most schemas that one may be made of directly. Schemas that contain themselves several
  /// times would have more at each step.
  private static let maximumParts = 2_000

  /// The most references and combinations one inside the other: each takes some of the stack.
  private static let maximumDepth = 200

  private struct Leaf: Hashable {
    let kind: Int
    let place: SourcePlace
  }

  private struct Composite: Hashable {
    let isAny: Bool
    let parts: [Int]
  }

  struct DescentKey: Hashable {
    let schema: Int
    let component: ErrorDigest.Path.Component
  }

  /// Keywords that say nothing about the value.
  private static let annotations: Set<String> = [
    "$ref", "allOf", "anyOf", "oneOf", "nullable", "title", "description", "example", "examples",
    "default", "deprecated", "readOnly", "writeOnly", "externalDocs", "xml", "discriminator",
    "$comment", "$id", "$schema", "$anchor", "$defs", "definitions",
  ]

  init(_ files: DocumentFiles, version: String) {
    self.files = files
    ignoresSiblings = version.hasPrefix("3.0")
  }

  deinit {
    // A schema that contains itself would never be freed.
    for schema in circles { schema.setForm(.open(schema.place)) }
  }

  private var circles: [Schema] = []

  /// The number of schemas and steps that were made.
  var workDone: Int { schemas.count + nextID + descents.count }

  /// The schema at a node, with its references resolved.
  func schema(at node: Node) -> Schema {
    if let schema = schemas[node.place] { return schema }
    if let known = path[node.place] {
      let circle = known ?? Schema(id: makeID(), form: .open(node.place))
      path.updateValue(circle, forKey: node.place)
      return circle
    }
    guard path.count < Self.maximumDepth else {
      return make(.unresolved(node.place, words: "has too many schemas here, one inside the other"))
    }
    path.updateValue(nil, forKey: node.place)
    let schema = makeSchema(at: node)
    if let circle = path.removeValue(forKey: node.place) ?? nil {
      if circle === schema {
        circle.setForm(.unresolved(node.place, words: "has a schema here that is only itself"))
      } else {
        circle.setForm(.all([schema]))
        circles.append(circle)
      }
    }
    schemas[node.place] = schema
    return schema
  }

  private func makeSchema(at node: Node) -> Schema {
    if let allowed = node.value.boolean {
      return make(allowed ? .open(node.place) : .nothing(node.place))
    }
    guard let object = node.value.object else { return make(.open(node.place)) }
    var parts: [Schema] = []
    if ignoresSiblings, node.reference != nil {
      let target = target(of: node)
      return object["nullable"]?.boolean == true
        ? any([target, make(.null(node.place))]) : target
    }
    if node.reference != nil { parts.append(target(of: node)) }
    parts += (node.member("allOf")?.elements ?? []).map(schema)
    for name in ["oneOf", "anyOf"] {
      guard let elements = node.member(name)?.elements, !elements.isEmpty else { continue }
      parts.append(any(elements.map(schema)))
    }
    let hasKeywords = object.keys.contains {
      !Self.annotations.contains($0) && (!$0.hasPrefix("x-") || $0 == "x-extensible-enum")
    }
    let isComposed = !parts.isEmpty
    if let words = node.wordsOfUnknownType {
      parts.append(make(.unresolved(node.place.child("type"), words: words)))
    } else if hasKeywords {
      parts.append(make(.keywords(node, ListedValues())))
    }
    let whole = parts.isEmpty ? make(.open(node.place)) : all(parts)
    // Beside other schemas, authors mean the whole by it, although a strict reader would not.
    return isComposed && object["nullable"]?.boolean == true
      ? any([whole, make(.null(node.place))]) : whole
  }

  private func target(of node: Node) -> Schema {
    guard let target = files.referenced(by: node) else {
      return make(.unresolved(node.place, words: files.words(ofDangling: node)))
    }
    return schema(at: target)
  }
}

/// Making schemas, each once.
extension SchemaReader {
  /// A schema that requires all parts to hold.
  func all(_ parts: [Schema]) -> Schema {
    combine(parts, isAny: false) { if case .all(let parts) = $0.form { parts } else { nil } }
  }

  /// A schema that requires at least one part to hold.
  func any(_ parts: [Schema]) -> Schema {
    combine(parts, isAny: true) { if case .any(let parts) = $0.form { parts } else { nil } }
  }

  private func combine(
    _ schemas: [Schema], isAny: Bool, _ parts: (Schema) -> [Schema]?
  ) -> Schema {
    var ids: Set<Int> = []
    var unique: [Schema] = []
    for schema in schemas {
      for part in parts(schema) ?? [schema] where ids.insert(part.id).inserted {
        unique.append(part)
      }
    }
    guard unique.count > 1 else { return unique[0] }
    guard unique.count <= Self.maximumParts else {
      return make(.unresolved(unique[0].place, words: "has too many schemas here"))
    }
    let key = Composite(isAny: isAny, parts: unique.map(\.id))
    if let schema = composites[key] { return schema }
    let schema = Schema(id: makeID(), form: isAny ? .any(unique) : .all(unique))
    composites[key] = schema
    return schema
  }

  /// Makes a schema that has no parts.
  func make(_ form: Schema.Form) -> Schema {
    let leaf: Leaf
    switch form {
    case .keywords(let node, _): leaf = Leaf(kind: 0, place: node.place)
    case .open(let place): leaf = Leaf(kind: 1, place: place)
    case .nothing(let place): leaf = Leaf(kind: 2, place: place)
    case .null(let place): leaf = Leaf(kind: 3, place: place)
    case .unresolved(let place, _): leaf = Leaf(kind: 4, place: place)
    // Callers pass leaves only.
    case .all, .any: preconditionFailure("A schema with parts is made by combine.")
    }
    if let schema = leaves[leaf] { return schema }
    let schema = Schema(id: makeID(), form: form)
    leaves[leaf] = schema
    return schema
  }

  private func makeID() -> Int {
    nextID += 1
    return nextID
  }
}
