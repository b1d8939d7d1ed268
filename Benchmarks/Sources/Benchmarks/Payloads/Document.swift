/// A payload in no format yet.
enum Document: Encodable {
  case null
  case integer(Int)
  case number(Double)
  case string(String)
  case array([Document])
  case object([String: Document])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension Document: ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation {
  init(integerLiteral value: Int) { self = .integer(value) }
  init(stringLiteral value: String) { self = .string(value) }
}

extension Document: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(arrayLiteral elements: Document...) { self = .array(elements) }

  init(dictionaryLiteral elements: (String, Document)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}
