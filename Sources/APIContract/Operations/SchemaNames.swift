/// Finds the schema of a model by its name.
struct SchemaNames {
  enum Match {
    case one(Node)
    case several([String])
    case none
  }

  /// Last words that models and schemas may differ in.
  private static let suffixes = [
    "DTO", "Dto", "Model", "Response", "Payload", "Entity", "Resource",
  ]

  private let schemas: [String: Node]
  private let byPlainName: [String: [String]]
  private let byStem: [String: [String]]

  init(_ document: Node, _ files: DocumentFiles) {
    let components = files.member("components", of: document)
    let members = components.flatMap { files.member("schemas", of: $0) }?.members ?? []
    schemas = Dictionary(members.map { ($0.name, $0.node) }) { first, _ in first }
    byPlainName = Dictionary(grouping: members.map(\.name)) { Self.plain($0) }
    byStem = Dictionary(grouping: members.map(\.name)) { Self.plain(Self.stem($0)) }
  }

  /// The schema with a name; nil if there is none.
  subscript(name: String) -> Node? { schemas[name] }

  /// The schema for a model, by its name without the module: as it is, without its outer types, in
  /// another case, or without a usual suffix.
  func match(model: String) -> Match {
    for name in Self.names(ofModel: model) {
      if let node = schemas[name] { return .one(node) }
      let stem = Self.plain(Self.stem(name))
      for names in [byPlainName[Self.plain(name)], byPlainName[stem], byStem[stem]] {
        if let match = match(names ?? []) { return match }
      }
    }
    return .none
  }

  private func match(_ names: [String]) -> Match? {
    guard let first = names.first, let node = schemas[first] else { return nil }
    return names.count == 1 ? .one(node) : .several(names.sorted())
  }

  /// `App.Feed.Item<App.Listing>` is `FeedItem`, then `Item`.
  private static func names(ofModel model: String) -> [String] {
    let parts = model.prefix { $0 != "<" }.split(separator: ".").map(String.init)
    let types = parts.count > 1 ? parts.dropFirst() : parts[...]
    return types.indices.map { types[$0...].joined() }
  }

  /// The name in lowercase, without what separates words.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" && $0 != "." && $0 != " " }
  }

  /// The name without a usual suffix: `ListingDTO`, `listing_response`.
  private static func stem(_ name: String) -> String {
    for suffix in suffixes where name.count > suffix.count {
      if name.hasSuffix(suffix) { return String(name.dropLast(suffix.count)) }
      for separator in ["-", "_", "."] where name.hasSuffix(separator + suffix.lowercased()) {
        return String(name.dropLast(suffix.count + 1))
      }
    }
    return name
  }
}
