/// The operations of a document, by their identifier, or by method and path.
struct Operations {
  /// An operation, or a webhook.
  private struct Operation {
    let node: Node
    let isWebhook: Bool
  }

  /// The bodies of an operation that an app decodes: its successful responses in JSON, or the
  /// request of a webhook.
  struct Body {
    let isRequest: Bool
    var schemas: [Node] = []

    /// The first reference on the way that leads nowhere; nil if there is none.
    var dangling: Node?
  }

  /// A method and the parts of a path, with nil for each parameter.
  private struct Route: Hashable {
    let method: String
    private(set) var parts: [String?]

    /// - Parameter text: `GET /listings/{id}`, also with `:id` and `{}`; without a method, `GET`.
    init?(_ text: String) {
      let words = text.split(separator: " ")
      guard let path = words.last, path.hasPrefix("/"), words.count <= 2 else { return nil }
      self.init(method: words.count == 2 ? String(words[0]) : "GET", path: path)
    }

    init(method: String, path: some StringProtocol) {
      self.method = method.uppercased()
      parts = path.prefix { $0 != "?" }.split(separator: "/").map { part in
        part.hasPrefix("{") && part.hasSuffix("}") || part.hasPrefix(":") ? nil : String(part)
      }
    }

    /// The route without a beginning of its path; nil if it begins otherwise.
    func removing(prefix: [String?]) -> Self? {
      guard parts.starts(with: prefix) else { return nil }
      var route = self
      route.parts.removeFirst(prefix.count)
      return route
    }

    /// How many parts are the same, if the others are parameters here; else nil.
    func similarity(to other: Self) -> Int? {
      guard method == other.method, parts.count == other.parts.count else { return nil }
      var count = 0
      for (part, other) in zip(parts, other.parts) {
        if part == other { count += 1 } else if part != nil { return nil }
      }
      return count
    }
  }

  private static let methods = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
  ]

  private let files: DocumentFiles
  private var byID: [String: Operation] = [:]
  private var byRoute: [Route: Operation] = [:]

  /// The paths of the servers' URLs, longest first.
  private let basePaths: [[String?]]

  init(_ document: Node, _ files: DocumentFiles) {
    self.files = files
    basePaths = (document.member("servers")?.elements ?? [])
      .compactMap { $0.value["url"]?.string.map(Self.path(ofURL:)) }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    for (kind, isWebhook) in [("paths", false), ("webhooks", true)] {
      for (name, item) in files.member(kind, of: document)?.members ?? [] {
        let item = files.target(of: item)
        for method in Self.methods {
          // A path whose reference leads nowhere may have any method.
          guard let node = item.reference == nil ? files.member(method, of: item) : item else {
            continue
          }
          let operation = Operation(node: node, isWebhook: isWebhook)
          if let id = node.value["operationId"]?.string { byID[id] = operation }
          if isWebhook {
            byID[name] = byID[name] ?? operation
            byID["\(method.uppercased()) \(name)"] = operation
          } else {
            byRoute[Route(method: method, path: name)] = operation
          }
        }
      }
    }
  }

  /// The body that an app decodes of an operation; nil if the document has no such operation.
  func body(of name: String) -> Body? {
    guard let operation = operation(name) else { return nil }
    var body = Body(isRequest: operation.isWebhook)
    func follow(_ node: Node) -> Node? {
      let target = files.target(of: node)
      guard target.reference != nil else { return target }
      body.dangling = body.dangling ?? target
      return nil
    }
    func members(_ name: String, of node: Node) -> [(name: String, node: Node)] {
      node.member(name).flatMap(follow)?.members ?? []
    }
    guard let node = follow(operation.node) else { return body }
    var messages = node.member("requestBody").map { [$0] } ?? []
    if !operation.isWebhook {
      let responses = members("responses", of: node)
      let successful = responses.filter { $0.name.hasPrefix("2") }
      messages = (successful.isEmpty ? responses.filter { $0.name == "default" } : successful)
        .map(\.node)
    }
    for media in messages.compactMap(follow).flatMap({ members("content", of: $0) })
    where Self.isJSON(media.name) {
      if let schema = follow(media.node)?.member("schema") { body.schemas.append(schema) }
    }
    return body
  }

  private func operation(_ name: String) -> Operation? {
    if let operation = byID[name] { return operation }
    guard let route = Route(name) else { return nil }
    let routes = [route] + basePaths.compactMap { route.removing(prefix: $0) }
    for route in routes {
      if let operation = byRoute[route] { return operation }
    }
    // The path of a request, whose parameters have values.
    for route in routes {
      let similar = byRoute.compactMap { known, operation in
        known.similarity(to: route).map { (similarity: $0, operation: operation) }
      }
      let most = similar.map(\.similarity).max()
      let best = similar.filter { $0.similarity == most }
      if best.count == 1 { return best[0].operation }
    }
    return nil
  }

  private static func isJSON(_ mediaType: String) -> Bool {
    let type = mediaType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    return type == "application/json" || type.hasSuffix("+json") || type == "*/*"
      || type == "application/*" || type == "text/json"
  }

  /// The parts of a URL's path.
  private static func path(ofURL url: String) -> [String?] {
    guard let scheme = url.firstRange(of: "://") else {
      return Route(method: "", path: url).parts
    }
    let path = url[scheme.upperBound...].drop { $0 != "/" }
    return Route(method: "", path: path).parts
  }
}

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
