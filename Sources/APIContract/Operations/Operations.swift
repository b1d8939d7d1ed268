/// The operations of a document, by their identifier, or by method and path.
struct Operations {
  /// An operation, or a webhook.
  private struct Operation {
    let node: Node
    let isWebhook: Bool
  }

  /// A method and the parts of a path, with nil for each parameter.
  private struct Route: Hashable {
    let method: String
    let parts: [String?]

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

    private init(method: String, parts: [String?]) {
      self.method = method
      self.parts = parts
    }

    /// The route without a beginning of its path; nil if it begins otherwise.
    func removing(prefix: [String?]) -> Self? {
      parts.starts(with: prefix)
        ? Self(method: method, parts: Array(parts.dropFirst(prefix.count))) : nil
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

  private var byID: [String: Operation] = [:]
  private var byRoute: [Route: Operation] = [:]

  /// The paths of the servers' URLs, longest first.
  private let basePaths: [[String?]]

  /// - Parameter resolve: returns what a node's `$ref` names, or the node itself.
  init(_ document: Node, resolve: (Node) -> Node?) {
    basePaths = (document.member("servers")?.elements ?? [])
      .compactMap { $0.value["url"]?.string.map(Self.path(ofURL:)) }.filter { !$0.isEmpty }
      .sorted { $0.count > $1.count }
    for (kind, isWebhook) in [("paths", false), ("webhooks", true)] {
      for (name, item) in document.member(kind)?.members ?? [] {
        guard let item = resolve(item) else { continue }
        for method in Self.methods {
          guard let node = item.member(method) else { continue }
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

  /// The bodies that an app decodes of an operation, as nodes with a `schema`: those of its
  /// successful responses in JSON, or the request of a webhook.
  ///
  /// - Returns: nil if the document has no such operation, or no JSON of it.
  func bodies(
    of name: String, resolve: (Node) -> Node?
  ) -> (schemas: [Node], isRequest: Bool)? {
    guard let operation = operation(name) else { return nil }
    if operation.isWebhook {
      let schemas = operation.node.member("requestBody").flatMap(resolve).map(Self.schemas) ?? []
      return schemas.isEmpty ? nil : (schemas, true)
    }
    let responses = operation.node.member("responses")?.members ?? []
    let successful = responses.filter { $0.name.hasPrefix("2") }
    let chosen = successful.isEmpty ? responses.filter { $0.name == "default" } : successful
    let schemas = chosen.compactMap { resolve($0.node) }.flatMap(Self.schemas)
    return schemas.isEmpty ? nil : (schemas, false)
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

  /// The schemas of a body's JSON.
  private static func schemas(_ body: Node) -> [Node] {
    let media = body.member("content")?.members ?? []
    return media.filter { isJSON($0.name) }.compactMap { $0.node.member("schema") }
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
