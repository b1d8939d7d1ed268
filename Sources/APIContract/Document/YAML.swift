#if OpenAPI
  import ResilientPlatform
  import Yams

  extension DocumentFiles {
    static func yaml(_ data: Data, _ name: String) throws -> JSONValue {
      do {
        guard let node = try Yams.compose(yaml: String(decoding: data, as: UTF8.self)) else {
          throw DocumentError(.invalid, "\(name) is empty")
        }
        var reader = YAMLReader(name: name)
        return try reader.value(of: node)
      } catch let error as YamlError {
        let text = "\(error)".split(separator: "\n").first.map(String.init) ?? ""
        throw DocumentError(.invalid, "\(name) is not valid YAML: \(text)")
      }
    }
  }

  extension DocumentFiles {
    /// The lines, from 1, on which the values at some JSON pointers begin.
    static func yamlLines(of pointers: Set<String>, in data: Data) -> [String: Int] {
      // The document was read before, so this fails only if the file has changed since.
      guard let root = try? Yams.compose(yaml: String(decoding: data, as: UTF8.self)) else {
        return [:]
      }
      var lines: [String: Int] = [:]
      for pointer in pointers {
        var node: Yams.Node? = root
        for token in Place(pointer: pointer).tokens { node = node?.child(token) }
        lines[pointer] = node?.mark?.line
      }
      return lines
    }
  }

  extension Yams.Node {
    /// The member or the element that a JSON pointer names.
    fileprivate func child(_ token: String) -> Yams.Node? {
      if let mapping { return mapping.first { $0.key.scalar?.string == token }?.value }
      guard let sequence, let index = Int(token), sequence.indices.contains(index) else {
        return nil
      }
      return sequence[index]
    }
  }

  /// Converts YAML to the values of JSON.
  private struct YAMLReader {
    /// The most values that a document may have. An alias repeats those of its anchor, so that a
    /// short document can have any number.
    private static let maximumValues = 5_000_000

    let name: String
    private var count = 0

    init(name: String) { self.name = name }

    mutating func value(of node: Yams.Node) throws -> JSONValue {
      count += 1
      guard count <= Self.maximumValues else {
        throw DocumentError(.invalid, "\(name) has more than \(Self.maximumValues) values")
      }
      switch node {
      case .mapping(let mapping):
        var members = [String: JSONValue](minimumCapacity: mapping.count)
        for (key, member) in mapping {
          // A status of a response is a number.
          guard let key = key.scalar?.string else { continue }
          members[key] = try value(of: member)
        }
        // Merge keys, which have no part in YAML 1.2, but in many documents.
        if let merged = members.removeValue(forKey: "<<") {
          for base in merged.array ?? [merged] {
            members.merge(base.object ?? [:]) { own, _ in own }
          }
        }
        return .object(members)
      case .sequence(let sequence):
        return .array(try sequence.map { try value(of: $0) })
      case .scalar(let scalar): return Self.scalar(node, scalar)
      case .alias: return .null
      }
    }

    private static func scalar(_ node: Yams.Node, _ scalar: Yams.Node.Scalar) -> JSONValue {
      // The names of the core schema (YAML 1.2.2, section 10.3).
      switch node.tag.description {
      case "tag:yaml.org,2002:null": .null
      case "tag:yaml.org,2002:bool": node.bool.map(JSONValue.boolean) ?? .string(scalar.string)
      case "tag:yaml.org,2002:int":
        node.int.map { .integer(Int64($0)) } ?? node.float.map(JSONValue.number)
          ?? .string(scalar.string)
      case "tag:yaml.org,2002:float": node.float.map(JSONValue.number) ?? .string(scalar.string)
      default: .string(scalar.string)
      }
    }
  }
#else
  import ResilientPlatform

  extension DocumentFiles {
    static func yaml(_ data: Data, _ name: String) throws -> JSONValue {
      throw DocumentError(
        .invalid,
        "\(name) is not JSON; to read YAML, build digest-query with --traits OpenAPI, or convert it"
      )
    }

    static func yamlLines(of pointers: Set<String>, in data: Data) -> [String: Int] { [:] }
  }
#endif
