/// A document that is grown from bytes, so that most of them lead to something to decode.
indirect enum Payload: Encodable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case string(String)
  case array([Payload])
  case object([String: Payload])

  /// The first byte of an input that is choices, and no document.
  static let mark: UInt8 = 0xff

  // Without "day" and "link": each format has its own way to write a date and a URL.
  private static let names = [
    "name", "tags", "sizes", "prices", "stock", "kind", "side", "kinds", "sides", "table",
    "shelves", "numbers", "node", "boxes", "rows", "title", "items", "titles",
    "weight", "codes", "flags", "count", "counts", "either", "id", "parts", "children", "byName",
    "next", "value", "values", "", "Index 1", "super", "a.b", "7", "-1", "*", "[]", "\"", "é",
  ]

  private static let strings = [
    "", "flat", "house", "villa", "true", "5", "1.5", "1e400", "-0", "https://example.org", "é\"\\",
  ]

  init(choices: [UInt8]) {
    var choices = choices[...]
    self = .object(Self.entries(&choices, depth: 0))
  }

  private init(_ choices: inout ArraySlice<UInt8>, depth: Int) {
    let choice = choices.popFirst() ?? 0
    let next = Int(choices.first ?? 0)
    switch choice % 16 {
    case 0...1: self = .null
    case 2: self = .boolean(choices.popFirst() ?? 0 > 127)
    case 3...4: self = .integer(Int(choices.popFirst() ?? 0) - 100)
    case 5: self = .real(Double(choices.popFirst() ?? 0) / 4 + 0.125)
    case 6...7: self = .string(Self.strings[Int(choices.popFirst() ?? 0) % Self.strings.count])
    case 8...11 where depth < 40:
      choices = choices.dropFirst()
      self = .array((0..<next % 6).map { _ in Payload(&choices, depth: depth + 1) })
    case 12...15 where depth < 40:
      self = .object(Self.entries(&choices, depth: depth + 1))
    default: self = .integer(1)
    }
  }

  private static func entries(
    _ choices: inout ArraySlice<UInt8>,
    depth: Int
  ) -> [String: Payload] {
    var entries: [String: Payload] = [:]
    let count = Int(choices.popFirst() ?? 0) % (depth == 0 ? 32 : 5)
    for _ in 0..<count where !choices.isEmpty {
      let name = names[Int(choices.removeFirst()) % names.count]
      entries[name] = Payload(&choices, depth: depth)
    }
    return entries
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let boolean): try container.encode(boolean)
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    case .string(let string): try container.encode(string)
    case .array(let elements): try container.encode(elements)
    case .object(let entries): try container.encode(entries)
    }
  }
}
