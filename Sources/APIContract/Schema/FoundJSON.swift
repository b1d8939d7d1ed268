import ResilientDecoding
import ResilientPlatform

/// A value that came: its type and, for a scalar, its text.
struct FoundJSON {
  let type: ErrorDigest.FoundValue.ValueType

  /// Nil if it is not known.
  let text: String?

  /// Whether the value equals one of a document.
  func equals(_ value: JSONValue) -> Bool {
    switch (type, value) {
    case (.null, .null): true
    case (.boolean, .boolean(let other)): text == "\(other)"
    case (.string, .string(let other)): text.map { $0.utf8.elementsEqual(other.utf8) } ?? false
    case (.number, .integer(let other)):
      text.map { Int64($0).map { $0 == other } ?? (Double($0) == Double(other)) } ?? false
    case (.number, .number(let other)): text.flatMap { Double($0) } == other
    default: false
    }
  }

  /// Whether a number is beyond the bounds of a format (OpenAPI Format Registry).
  func exceeds(_ format: String) -> Bool {
    guard let text, let number = Double(text) else { return false }
    switch format {
    case "double": return number.isInfinite
    case "float": return Float(text)?.isInfinite ?? false
    default:
      guard let bounds = Self.bounds[format] else { return false }
      // A double cannot tell 2^63 from its neighbors.
      guard let number = Decimal(string: text), number.isFinite else { return true }
      return !isWhole || !(bounds ~= number)
    }
  }

  private static let bounds: [String: ClosedRange<Decimal>] = [
    "int8": -0x80...0x7F, "int16": -0x8000...0x7FFF, "int32": -0x8000_0000...0x7FFF_FFFF,
    "int64": Decimal(Int64.min)...Decimal(Int64.max), "uint8": 0...0xFF, "uint16": 0...0xFFFF,
    "uint32": 0...0xFFFF_FFFF, "uint64": 0...Decimal(UInt64.max),
  ]

  /// Whether one of a schema's types is this one's.
  func isOf(_ types: Set<String>) -> Bool {
    switch type {
    case .number:
      types.contains("number") || types.contains("integer") && isWhole
    default: types.contains(type.rawValue)
    }
  }

  /// Whether a number is whole, or may be.
  private var isWhole: Bool {
    guard let text, let number = Double(text) else { return true }
    return number.rounded() == number
  }
}

extension JSONValue {
  /// The value that an element of an extensible enum names: the element itself, the `value` of an
  /// object, or the name of an object's only member, whose value describes it.
  func named(_ type: ErrorDigest.FoundValue.ValueType) -> JSONValue {
    guard let members = object else { return self }
    if let value = members["value"] { return value }
    guard members.count == 1, let name = members.keys.first else { return self }
    return type == .number ? Int64(name).map(JSONValue.integer) ?? .null : .string(name)
  }

  var type: ErrorDigest.FoundValue.ValueType {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
