import ResilientDecoding

/// An OpenAPI document of version 3, and the schemas that the models of an app are mapped to.
///
/// Reads the document and the files beside it that its references name, and nothing else.
package final class APIContract {
  private let files: DocumentFiles
  private let reader: SchemaReader
  private let operations: Operations
  private let names: SchemaNames

  /// The schemas of models, by name or as a JSON pointer.
  private let map: [String: String]

  /// The version of the format, such as `3.1.0`.
  package let version: String

  /// Where failures of a model and an operation begin. Most failures have the same few.
  private var roots: [RootKey: [Root]] = [:]

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - map: the schemas of models: a name in `components/schemas`, or a pointer such as
  ///     `#/components/schemas/Listing`.
  ///   - willRead: called with the path of each file before it is read, also of one that a reference
  ///     names.
  /// - Throws: ``DocumentError`` if it cannot be read, is of another version, or lacks a schema of
  ///   the map.
  package init(
    path: String, map: [String: String] = [:], willRead: @escaping (String) -> Void = { _ in }
  ) throws {
    files = try DocumentFiles(path: path, willRead: willRead)
    guard let document = files.node(at: SourcePlace()) else {
      throw DocumentError(.invalid, "\(path) is empty")
    }
    version = try Self.version(of: document.value, path)
    reader = SchemaReader(files, version: version)
    operations = Operations(document, files)
    names = SchemaNames(document, files)
    self.map = map
    for (model, schema) in map.sorted(by: { $0.key < $1.key })
    where Self.node(ofMapped: schema, names, files) == nil {
      throw DocumentError(.invalid, "\(path) has no schema \(schema), which \(model) is mapped to")
    }
  }

  /// Judges a failure by the schema that its model is mapped to; else, or if that does not have the
  /// path, by the response of its operation; else by the schema of the model's name. With an
  /// operation, the reason says which schema it is, unless it is the response's.
  package func judgement(of failure: ContractFailure) -> Judgement {
    let roots = roots(of: failure.model, failure.operation)
    let first = judgement(of: failure, from: roots[0])
    guard let operation = failure.operation else { return first }
    guard roots.count > 1, let deadEnd = first.deadEnd else {
      if let model = roots[0].mapping {
        return roots.count == 1 || first.verdict == .unmapped
          ? first
          : first.adding(
            "the one that \(model) is mapped to, not that of the response of \(operation)")
      }
      return roots.count > 1 || first.verdict == .unmapped
        ? first
        : first.adding("the model's, because the document has no JSON response of the operation")
    }
    let second = judgement(of: failure, from: roots[1])
    guard second.deadEnd == nil, second.verdict != .unmapped else { return first }
    let reference = if case .dangling(let node) = roots[0] { node.reference } else { String?.none }
    let why =
      (deadEnd == .noPath ? "does not have this path" : "cannot be followed")
      + (reference.map { ": \($0)" } ?? "")
    return second.adding(
      roots[0].mapping.map {
        "that of the response of \(operation), because the one for \($0) \(why)"
      }
        ?? "the model's, because the response of \(operation) \(why)")
  }

  /// The number of schemas and steps that were made so far, each of them once.
  var workDone: Int { reader.workDone }

  /// The value at a place; nil if there is none.
  func node(at place: SourcePlace) -> Node? { files.node(at: place) }

  /// The lines, from 1, on which the values at some places begin.
  package func lines(of places: Set<SourcePlace>) -> [SourcePlace: Int] { files.lines(of: places) }

  private func judgement(of failure: ContractFailure, from root: Root) -> Judgement {
    switch root {
    case .unmapped(let reason, let missing):
      return Judgement(verdict: .unmapped, place: nil, reason: reason, missing: missing)
    case .dangling(let node):
      return Judgement(
        verdict: .unmapped, place: node.place,
        reason: "the document \(files.words(ofDangling: node))", deadEnd: .unreadable)
    case .schemas(let nodes, let steps, let isRequest, let mapping):
      var path = failure.path.components[...]
      for step in steps {
        guard let first = path.first, step.matches(first) else { break }
        path.removeFirst()
      }
      var judgement = Judge(
        reader: reader, failure: failure, model: mapping ?? Self.innermost(of: failure.model),
        isRequest: isRequest
      ).judgement(
        reader.any(nodes.map(reader.schema)), at: path)
      judgement.mapping = mapping
      return judgement
    }
  }
}

extension APIContract {
  private struct RootKey: Hashable {
    let model: String
    let operation: String?
  }

  /// Where the failures of a model begin.
  private enum Root {
    /// - steps: what the path has before the value of the schemas.
    /// - mapping: the model of the map that chose the schema; nil if another one did.
    case schemas([Node], steps: [PathStep], isRequest: Bool = false, mapping: String? = nil)
    case unmapped(String, MissingMapping)
    /// A reference that leads nowhere is on the way to the response.
    case dangling(Node)

    var mapping: String? {
      if case .schemas(_, _, _, let mapping) = self { mapping } else { nil }
    }
  }

  /// A step of the path that the type of a model implies.
  private enum PathStep {
    case element, member

    func matches(_ component: ErrorDigest.Path.Component) -> Bool {
      switch (self, component) {
      case (.element, .index), (.element, .anyIndex): true
      case (.member, .key), (.member, .dictionaryKey), (.member, .anyDictionaryKey): true
      default: false
      }
    }
  }

  private func roots(of model: String, _ operation: String?) -> [Root] {
    let key = RootKey(model: model, operation: operation)
    if let roots = roots[key] { return roots }
    let ofModel = root(ofModel: model, operation)
    let ofOperation = operation.flatMap(root(ofOperation:)).map { [$0] } ?? []
    let found = ofModel.mapping == nil ? ofOperation + [ofModel] : [ofModel] + ofOperation
    roots[key] = found
    return found
  }

  private func root(ofOperation operation: String) -> Root? {
    guard let body = operations.body(of: operation) else { return nil }
    return body.schemas.isEmpty
      ? body.dangling.map(Root.dangling)
      : .schemas(body.schemas, steps: [], isRequest: body.isRequest)
  }

  private func root(ofModel model: String, _ operation: String?) -> Root {
    var (name, steps) = (model, [PathStep]())
    while true {
      if let schema = map[name], let node = Self.node(ofMapped: schema, names, files) {
        return .schemas([node], steps: steps, mapping: name)
      }
      guard let (inner, step) = Self.content(ofCollection: name) else { break }
      name = inner
      steps += step.map { [$0] } ?? []
    }
    switch names.match(model: name) {
    case .one(let node): return .schemas([node], steps: steps)
    case .several(let schemas):
      return .unmapped(
        "the document has \(schemas.joined(separator: " and ")) for \(name)",
        MissingMapping(model: name, schema: schemas[0]))
    case .none:
      // Other operations have the same reason, and share a row.
      let response = operation == nil ? "" : "no JSON response of the operation, and "
      return .unmapped(
        "the document has \(response)no schema for \(name)",
        MissingMapping(model: name, schema: nil))
    }
  }

  /// The type of the elements of a collection, and of the elements of these: `App.Listing`.
  private static func innermost(of model: String) -> String {
    var model = model
    while let (inner, _) = content(ofCollection: model) { model = inner }
    return model
  }

  /// The element of a collection's type, and the step to it: `Swift.Array<App.Listing>`.
  private static func content(ofCollection type: String) -> (String, PathStep?)? {
    guard type.hasSuffix(">"), let open = type.firstIndex(of: "<") else { return nil }
    let inner = type[type.index(after: open)..<type.index(before: type.endIndex)]
    switch type[..<open].split(separator: ".").last {
    case "Array", "Set", "ContiguousArray": return (String(inner), .element)
    case "Optional": return (String(inner), nil)
    case "Dictionary":
      let value = inner.firstIndex(of: ",").map { inner[inner.index(after: $0)...] } ?? inner
      return (value.trimmingPrefix(" ").description, .member)
    default: return nil
    }
  }

  private static func node(
    ofMapped schema: String, _ names: SchemaNames, _ files: DocumentFiles
  ) -> Node? {
    if let node = names[schema] { return node }
    guard schema.contains("#") || schema.hasPrefix("/") else { return nil }
    let reference = schema.contains("#") ? schema : "#\(schema)"
    return files.place(of: reference, from: SourcePlace()).flatMap(files.node)
  }

  private static func version(of document: JSONValue, _ path: String) throws -> String {
    let member = document["openapi"] ?? document["swagger"]
    // A version without quotes is a number.
    guard let version = member?.string ?? member?.double.map({ "\($0)" }) else {
      throw DocumentError(.invalid, "\(path) isn't an OpenAPI document: it has no member openapi")
    }
    if document["openapi"] != nil, version.hasPrefix("3.") { return version }
    throw DocumentError(
      .invalid, "\(path) has version \(version): convert it to OpenAPI 3.0 or 3.1")
  }
}

extension Judgement {
  /// The judgement with the schema in its reason.
  fileprivate func adding(_ schema: String) -> Self {
    var judgement = self
    judgement.reason += "; the schema is \(schema)"
    return judgement
  }
}
