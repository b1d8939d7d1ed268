#if OpenAPI
  import ResilientPlatform
  import Yams

  extension DocumentFiles {
    static func yaml(_ text: Data, _ name: String) throws(DocumentError) -> JSONValue {
      let node: Yams.Node?
      do {
        node = try root(of: text)
      } catch {
        let text = "\(error)".split(separator: "\n").first.map(String.init) ?? ""
        throw DocumentError(.invalid, "\(name) is not valid YAML: \(text)")
      }
      guard let node else { throw DocumentError(.invalid, "\(name) is empty") }
      var reader = YAMLReader(name: name, size: text.count)
      return try reader.value(of: node)
    }

    /// The lines, from 1, on which the values at some JSON pointers begin.
    static func yamlLines(of pointers: Set<String>, in text: Data) -> [String: Int] {
      // The document was read before, so this fails only if the file has changed since.
      guard let root = try? root(of: text) else { return [:] }
      var lines: [String: Int] = [:]
      for pointer in pointers {
        var node: Yams.Node? = root
        for token in SourcePlace(pointer: pointer).tokens { node = node?.child(token) }
        lines[pointer] = node?.mark?.line
      }
      return lines
    }

    /// The node of the whole document, whose plain scalars have no types yet.
    private static func root(of text: Data) throws -> Yams.Node? {
      try Yams.compose(yaml: String(decoding: text, as: UTF8.self), .basic)
    }
  }

  extension Yams.Node {
    /// The member or the element that a JSON pointer names.
    fileprivate func child(_ token: String) -> Yams.Node? {
      if let mapping {
        if let own = mapping.first(where: { $0.key.scalar?.string == token && !$0.key.isMerge }) {
          return own.value
        }
        for base in mapping.bases {
          if let merged = base.child(token) { return merged }
        }
        return nil
      }
      guard let sequence, let index = Int(token), sequence.indices.contains(index) else {
        return nil
      }
      return sequence[index]
    }

    /// Whether a key merges the members of other mappings. YAML 1.2 has no such keys, but many
    /// documents do.
    fileprivate var isMerge: Bool { scalar?.string == "<<" && scalar?.style == .plain }
  }

  extension Yams.Node.Mapping {
    /// The mappings whose members this one has, too, the first of them before the others.
    fileprivate var bases: [Yams.Node] {
      filter { $0.key.isMerge }.flatMap { $0.value.sequence.map(Array.init) ?? [$0.value] }
    }
  }

  /// Converts YAML to the values of JSON.
  private struct YAMLReader {
    /// How the plain scalars of a node are read.
    private enum Reading {
      /// By the core schema.
      case values
      /// As text, except for null: the values of a schema that allows only strings.
      case textOrNull
      /// As text: names.
      case text
    }

    private let name: String

    /// The most values that the document may have. An alias repeats those of its anchor, so that a
    /// short document can have any number.
    private let maximumValues: Int
    private var count = 0

    /// The number of values around the current one. Each takes some of the stack.
    private var depth = 0
    private static let maximumDepth = 500

    /// - Parameter size: the size of the document, in bytes. Without aliases, it has fewer values.
    init(name: String, size: Int) {
      self.name = name
      maximumValues = max(100_000, size)
    }

    mutating func value(of node: Yams.Node) throws(DocumentError) -> JSONValue {
      try value(of: node, as: .values)
    }

    private mutating func value(of node: Yams.Node, as reading: Reading) throws(DocumentError)
      -> JSONValue
    {
      try enter(counting: 1)
      defer { depth -= 1 }
      switch node {
      case .mapping(let mapping):
        let members = try members(of: mapping)
        let allowsOnlyText = members["type"]?.namesOnlyStrings == true
        var object = [String: JSONValue](minimumCapacity: members.count)
        for (name, member) in members {
          let ofMember: Reading =
            switch name {
            case "operationId" where member.scalar != nil: .text
            case "required" where member.sequence != nil: .text
            case "enum", "const", "x-extensible-enum": allowsOnlyText ? .textOrNull : reading
            default: reading
            }
          object[name] = try value(of: member, as: ofMember)
        }
        return .object(object)
      case .sequence(let sequence):
        var elements: [JSONValue] = []
        for element in sequence { elements.append(try value(of: element, as: reading)) }
        return .array(elements)
      case .scalar(let scalar):
        let value = Self.value(of: scalar)
        let isText =
          switch reading {
          case .values: false
          case .textOrNull: scalar.isPlain && value != .null
          case .text: scalar.isPlain
          }
        return isText ? .string(scalar.string) : value
      case .alias: return .null
      }
    }

    /// The members of a mapping, including those that it merges. A name is the text of its key: the
    /// status of a response is written as a number.
    private mutating func members(of mapping: Yams.Node.Mapping) throws(DocumentError) -> [String:
      Yams.Node]
    {
      let bases = mapping.bases
      try enter(counting: mapping.count + bases.count)
      defer { depth -= 1 }
      var members = [String: Yams.Node](minimumCapacity: mapping.count)
      for (key, member) in mapping where !key.isMerge {
        if let name = key.scalar?.string { members[name] = member }
      }
      for base in bases {
        guard let base = base.mapping else { continue }
        members.merge(try self.members(of: base)) { own, _ in own }
      }
      return members
    }

    private mutating func enter(counting values: Int) throws(DocumentError) {
      count += values
      depth += 1
      guard count <= maximumValues else {
        throw DocumentError(.invalid, "\(name) has too many values once its aliases are expanded")
      }
      guard depth <= Self.maximumDepth else {
        throw DocumentError(
          .invalid, "\(name) has more than \(Self.maximumDepth) values inside each other")
      }
    }

    private static let tags = Set(
      ["null", "bool", "int", "float"].map { "tag:yaml.org,2002:\($0)" })

    /// The value of a scalar by the core schema (YAML 1.2.2, section 10.3).
    private static func value(of scalar: Yams.Node.Scalar) -> JSONValue {
      let text = scalar.string
      guard scalar.isPlain || tags.contains(scalar.tag.description) else { return .string(text) }
      return switch text {
      case "", "~", "null", "Null", "NULL": .null
      case "true", "True", "TRUE": .boolean(true)
      case "false", "False", "FALSE": .boolean(false)
      case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": .number(.infinity)
      case "-.inf", "-.Inf", "-.INF": .number(-.infinity)
      case ".nan", ".NaN", ".NAN": .number(.nan)
      default: number(text) ?? .string(text)
      }
    }

    private static func integer(_ digits: Substring, radix: Int) -> JSONValue? {
      Int64(digits, radix: radix).map(JSONValue.integer)
        ?? UInt64(digits, radix: radix).map { .number(Double($0)) }
    }

    private static func number(_ text: String) -> JSONValue? {
      if let digits = text.digits(after: "0o", "01234567") {
        return integer(digits, radix: 8)
      }
      if let digits = text.digits(after: "0x", "0123456789abcdefABCDEF") {
        return integer(digits, radix: 16)
      }
      guard text.digits(after: "", "0123456789+-.eE") != nil else { return nil }
      if let integer = Int64(text) { return .integer(integer) }
      return Double(text).map { number in
        Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
      }
    }
  }

  extension Yams.Node.Scalar {
    /// Whether the scalar has neither quotes nor a tag.
    fileprivate var isPlain: Bool { tag.description.isEmpty }
  }

  extension Yams.Node {
    /// Whether the type of a schema allows no other values than strings and null.
    fileprivate var namesOnlyStrings: Bool {
      let names = sequence?.map(\.scalar?.string) ?? [scalar?.string]
      return names.contains("string") && names.allSatisfy { $0 == "string" || $0 == "null" }
    }
  }

  extension String {
    /// The text after a prefix; nil unless it consists of one or more of the allowed characters.
    fileprivate func digits(after beginning: String, _ allowed: String) -> Substring? {
      guard hasPrefix(beginning) else { return nil }
      let rest = dropFirst(beginning.count)
      return !rest.isEmpty && rest.utf8.allSatisfy(allowed.utf8.contains) ? rest : nil
    }
  }
#else
  import ResilientPlatform

  extension DocumentFiles {
    static func yaml(_ text: Data, _ name: String) throws(DocumentError) -> JSONValue {
      throw DocumentError(
        .invalid,
        "\(name) is not JSON; to read YAML, build digest-query with --traits OpenAPI, or convert it"
      )
    }

    static func yamlLines(of pointers: Set<String>, in text: Data) -> [String: Int] { [:] }
  }
#endif
