import ResilientDecoding

/// Reads the schemas of a document.
final class SchemaReader {
  private let files: DocumentFiles

  /// The schemas at places, and those that are made of others.
  private var schemas: [Place: Schema] = [:]
  private var leaves: [Leaf: Schema] = [:]
  private var composites: [Composite: Schema] = [:]
  private var nextID = 0

  /// The schemas below others.
  var descents: [DescentKey: Descent] = [:]

  /// The schemas on the way to the current one, in which a reference to one of them is a circle.
  private var path: Set<Place> = []

  /// The most schemas that one may be made of directly. Schemas that contain themselves several
  /// times would have more at each step.
  private static let maximumParts = 2_000

  /// The most references and combinations one inside the other: each takes some of the stack.
  private static let maximumDepth = 200

  private struct Leaf: Hashable {
    let kind: Int
    let place: Place
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

  init(_ files: DocumentFiles) { self.files = files }

  /// The number of schemas and steps that were made.
  var workDone: Int { schemas.count + nextID + descents.count }

  /// The schema at a node, with its references resolved.
  func schema(at node: Node) -> Schema {
    if let schema = schemas[node.place] { return schema }
    guard path.count < Self.maximumDepth else { return make(.open(node.place)) }
    guard path.insert(node.place).inserted else {
      return make(.unresolved(node.place, reference: "itself"))
    }
    defer { path.remove(node.place) }
    let schema = makeSchema(at: node)
    schemas[node.place] = schema
    return schema
  }

  private func makeSchema(at node: Node) -> Schema {
    if let allowed = node.value.boolean {
      return make(allowed ? .open(node.place) : .nothing(node.place))
    }
    guard let object = node.value.object else { return make(.open(node.place)) }
    var parts: [Schema] = []
    if let reference = object["$ref"]?.string {
      parts.append(schema(of: reference, at: node))
    }
    parts += (node.member("allOf")?.elements ?? []).map(schema)
    for name in ["oneOf", "anyOf"] {
      guard let elements = node.member(name)?.elements, !elements.isEmpty else { continue }
      parts.append(any(elements.map(schema)))
    }
    let hasKeywords = object.keys.contains {
      !Self.annotations.contains($0) && (!$0.hasPrefix("x-") || $0 == "x-extensible-enum")
    }
    let isComposed = !parts.isEmpty
    if hasKeywords { parts.append(make(.keywords(node))) }
    let whole = parts.isEmpty ? make(.open(node.place)) : all(parts)
    // Beside other schemas, authors mean the whole by it, although a strict reader would not.
    return isComposed && object["nullable"]?.boolean == true
      ? any([whole, make(.null(node.place))]) : whole
  }

  private func schema(of reference: String, at node: Node) -> Schema {
    guard let place = files.place(of: reference, from: node.place),
      let target = files.node(at: place)
    else { return make(.unresolved(node.place, reference: reference)) }
    return schema(at: target)
  }
}

/// Making schemas, each once.
extension SchemaReader {
  /// The schema of which all parts hold.
  func all(_ parts: [Schema]) -> Schema {
    combine(parts, isAny: false) { if case .all(let parts) = $0.form { parts } else { nil } }
  }

  /// The schema of which at least one part holds.
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
    // A schema that refers to itself says nothing by that.
    let others = unique.filter { !$0.isCircle }
    if !others.isEmpty { unique = others }
    guard unique.count > 1 else { return unique[0] }
    guard unique.count <= Self.maximumParts else { return make(.open(unique[0].place)) }
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
    case .keywords(let node): leaf = Leaf(kind: 0, place: node.place)
    case .open(let place): leaf = Leaf(kind: 1, place: place)
    case .nothing(let place): leaf = Leaf(kind: 2, place: place)
    case .null(let place): leaf = Leaf(kind: 3, place: place)
    case .unresolved(let place, _): leaf = Leaf(kind: 4, place: place)
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

extension Schema {
  fileprivate var isCircle: Bool {
    if case .unresolved(_, "itself") = form { true } else { false }
  }
}
