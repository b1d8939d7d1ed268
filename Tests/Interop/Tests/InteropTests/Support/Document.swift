import Foundation

/// The same payload in each of the formats.
///
/// The YAML is the JSON, because YAML includes JSON. In XML, a key is an element, an array repeats
/// its element, and an array in an array has elements named `q`. A property list has no null, so it
/// has `$null`, as `PropertyListEncoder` writes it and `PropertyListDecoder` reads it.
struct Document: Sendable {
  let json: String
  let yaml: String
  let xml: String

  init(_ json: String, yaml: String? = nil, xml: String? = nil) {
    self.json = json
    self.yaml = yaml ?? json
    let root = Result { try JSONDecoder().decode(Node.self, from: Data(json.utf8)) }
    self.xml = xml ?? "<r>\((try? root.get().content) ?? "")</r>"
  }

  func propertyList(as format: Format) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: withoutNull(
        JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
      ),
      format: format == .plistBinary ? .binary : .xml,
      options: 0
    )
  }
}

private func withoutNull(_ object: Any) -> Any {
  switch object {
  case is NSNull: "$null"
  case let array as [Any]: array.map(withoutNull)
  case let dictionary as [String: Any]: dictionary.mapValues(withoutNull)
  default: object
  }
}

/// A value of the JSON, to write as XML.
private enum Node: Decodable {
  case text(String)
  case elements([Node])
  case members([String: Node])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .text("")
    } else if let members = try? container.decode([String: Node].self) {
      self = .members(members)
    } else if let elements = try? container.decode([Node].self) {
      self = .elements(elements)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let boolean = try? container.decode(Bool.self) {
      self = .text("\(boolean)")
    } else {
      self = .text("\(try container.decode(Decimal.self))")
    }
  }

  /// The text between the tags of an element.
  var content: String {
    switch self {
    case .text(let text): text
    case .elements: xml(named: "q")
    case .members(let members):
      members.sorted { $0.key < $1.key }.map { $0.value.xml(named: $0.key) }.joined()
    }
  }

  private func xml(named name: String) -> String {
    let nodes = if case .elements(let elements) = self { elements } else { [self] }
    return nodes.map { "<\(name)>\($0.content)</\(name)>" }.joined()
  }
}
