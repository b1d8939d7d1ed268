import ResilientDecoding

extension Oracle {
  /// Decodes a scalar or a raw value.
  func leaf(_ shape: Shape, _ json: JSON, at path: Path) throws(Failure) -> PlainValue {
    switch (shape, json) {
    case (.boolean, .boolean(let boolean)): return .boolean(boolean)
    case (.string, .string(let string)): return .string(string)
    case (.integer, _), (.byte, _), (.double, _):
      guard let number = shape.number(json) else {
        throw json.foundType == .number
          ? Failure(path: path, kind: .dataCorrupted, found: json)
          : Failure(mismatch: json, at: path)
      }
      return number
    case (.raw(let raw), .string(let string)):
      guard raw.known.contains(string) else {
        throw Failure(
          path: path, kind: .unknownNovelValue, found: json, novelValue: string,
          isHidden: !raw.isFrozen)
      }
      return .string(string)
    default:
      throw Failure(mismatch: json, at: path)
    }
  }
}

extension Shape {
  /// The number as a value of this shape, if it fits.
  fileprivate func number(_ json: JSON) -> PlainValue? {
    let integer: Int?
    let double: Double?
    switch json {
    case .integer(let value): (integer, double) = (value, Double(value))
    case .real(let value): (integer, double) = (Int(exactly: value), value)
    case .literal(let literal): (integer, double) = (literal.integer, literal.double)
    default: return nil
    }
    switch self {
    case .double: return double.map { .real($0) }
    case .byte: return integer.flatMap { (0...255).contains($0) ? .integer($0) : nil }
    default: return integer.map { .integer($0) }
    }
  }

  /// The lossless conversion of a value of another type, if there is one.
  func converted(from json: JSON) -> PlainValue? {
    switch (self, json) {
    case (.string, .boolean), (.string, .integer), (.string, .real):
      json.foundText.map { .string($0) }
    // A number with an exponent has been rounded.
    case (.string, .literal(let literal)):
      literal.exactText.flatMap { $0.contains("e") ? nil : .string($0) }
    case (.boolean, .integer(0)): .boolean(false)
    case (.boolean, .integer(1)): .boolean(true)
    case (.boolean, .literal(let literal)) where literal.integer == 1: .boolean(true)
    case (.boolean, .string("true")): .boolean(true)
    case (.boolean, .string("false")): .boolean(false)
    case (.integer, .boolean(let boolean)), (.byte, .boolean(let boolean)):
      .integer(boolean ? 1 : 0)
    case (.double, .boolean(let boolean)): .real(boolean ? 1 : 0)
    case (.integer, .string(let string)): Int(string).map { .integer($0) }
    case (.byte, .string(let string)): UInt8(string).map { .integer(Int($0)) }
    case (.double, .string(let string)):
      Double(string).flatMap { $0.isFinite ? .real($0) : nil }
    default: nil
    }
  }

  /// The default for this shape.
  var specimen: PlainValue {
    switch self {
    case .integer, .byte: .integer(41)
    case .double: .real(4.125)
    case .boolean: .boolean(true)
    case .string: .string("specimen")
    case .raw(.kind): .string("house")
    case .raw(.mood): .string("calm")
    case .raw(.side): .string("right")
    case .raw(.coin): .string("heads")
    case .open(let open): Shape.raw(open.raw).specimen
    case .optional(let value), .resilient(let value): value.specimen
    case .array(let element), .set(let element): collecting([element.specimen])
    case .dictionary(let value): .object(["specimen": value.specimen])
    case .numbered(let value): .object(["41": value.specimen])
    case .opened(let value): .object(["house": value.specimen])
    case .union: .object(["type": .string("novel")])
    case .node: .object(["children": .array([]), "byName": .none, "id": .integer(41)])
    case .record(let record):
      .object(
        Dictionary(uniqueKeysWithValues: zip(record.names, record.members.map(\.specimen))))
    }
  }
}

extension Member {
  fileprivate var specimen: PlainValue {
    switch wrapper {
    case .elements, .losslessElements: .array([shape.specimen])
    default: shape.specimen
    }
  }
}
