extension JSON {
  static let names = [
    "a", "b", "c", "", "Index 1", "Index 2", "super", "a.b", "*", "[]", "[0]", "\"", "\\", "\0",
    "k\nl", "é", "🏠", "\u{301}x", "snake_case", "1", "007", "-5", "9223372036854775808",
  ]

  static let strings = [
    "", "5", "-3", "2.5", "300", "true", "false", "1e400", "-1e999", " 5", "0x10", "NULL",
    "flat", "calm", "unknown", "left", "heads", "novel", "é", "nul\0", "line\nbreak", "🏠",
  ]

  /// A payload without faults for a shape.
  static func fitting(
    _ shape: Shape,
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> JSON {
    let count = depth > 0 ? Int.random(in: 0...3, using: &random) : 0
    switch shape {
    case .integer: return .integer(Int.random(in: -1000...1000, using: &random))
    case .byte: return .integer(Int.random(in: 0...255, using: &random))
    case .double: return .real(Double(Int.random(in: -99...99, using: &random)) + 0.25)
    case .boolean: return .boolean(Bool.random(using: &random))
    case .string: return .string(strings.randomElement(using: &random)!)
    case .raw(let raw): return .string(raw.known.randomElement(using: &random)!)
    case .open(let open):
      return .string((open.raw.known + ["novel"]).randomElement(using: &random)!)
    case .optional(let value):
      return count == 0 ? .null : fitting(value, depth: depth, using: &random)
    case .array(let element), .set(let element):
      return .array((0..<count).map { _ in fitting(element, depth: depth - 1, using: &random) })
    case .dictionary(let value):
      return .object(
        entries(names, count) { fitting(value, depth: depth - 1, using: &$0) }(&random))
    case .numbered(let value):
      let numbers = (-9...99).map(String.init) + ["07", "+7", "007", "-0", "00"]
      return .object(
        entries(numbers, count) { fitting(value, depth: depth - 1, using: &$0) }(&random))
    case .opened(let value):
      return .object(
        entries(["flat", "house", "novel", "é"], count) {
          fitting(value, depth: depth - 1, using: &$0)
        }(&random))
    case .resilient(let value): return fitting(value, depth: depth, using: &random)
    case .record(let record):
      return object(Array(zip(record.names, record.members)), depth: depth, using: &random)
    case .node: return object(RecordShape.node, depth: depth - 1, using: &random)
    case .union:
      let type = ["flat", "house", "novel"].randomElement(using: &random)!
      let payload = object(RecordShape.union[type] ?? [], depth: depth - 1, using: &random)
      guard case .object(var members) = payload else { return payload }
      members["type"] = .string(type)
      return .object(members)
    }
  }

  private static func object(
    _ members: [(String, Member)],
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> JSON {
    var object: [String: JSON] = [:]
    for (name, member) in members {
      let shape = member.hasElements ? Shape.array(member.shape) : member.shape
      let value = fitting(shape, depth: depth - 1, using: &random)
      object[name] = member.isConverting ? value.disguised(using: &random) : value
    }
    return .object(object)
  }

  /// The payload with some scalars in another type, from which they can be converted back.
  private func disguised(using random: inout some RandomNumberGenerator) -> JSON {
    switch self {
    case .array(let elements): return .array(elements.map { $0.disguised(using: &random) })
    case .object(let entries):
      var disguised: [String: JSON] = [:]
      for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
        disguised[name] = value.disguised(using: &random)
      }
      return .object(disguised)
    case .boolean(let boolean):
      let other: [JSON] = [self, .string("\(boolean)"), .integer(boolean ? 1 : 0)]
      return other.randomElement(using: &random)!
    case .string(let string):
      let other = Int(string).map { JSON.integer($0) } ?? .boolean(true)
      return [self, self, other].randomElement(using: &random)!
    case .integer, .real: return [self, .string(text)].randomElement(using: &random)!
    case .null, .literal: return self
    }
  }

  private static func entries<Random: RandomNumberGenerator>(
    _ names: [String],
    _ count: Int,
    _ value: @escaping (inout Random) -> JSON
  ) -> (inout Random) -> [String: JSON] {
    { random in
      var entries: [String: JSON] = [:]
      for _ in 0..<count {
        let name = names.randomElement(using: &random)!
        entries[name] = value(&random)
      }
      return entries
    }
  }
}

extension Member {
  var isConverting: Bool {
    wrapper == .lossless || wrapper == .losslessDefaulted || wrapper == .losslessElements
  }

  var hasElements: Bool { wrapper == .elements || wrapper == .losslessElements }
}
