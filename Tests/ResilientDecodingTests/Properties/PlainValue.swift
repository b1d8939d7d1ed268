/// A decoded value without its type, to compare with the oracle's.
indirect enum PlainValue: Hashable, Sendable {
  case none
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case string(String)
  case array([PlainValue])
  case set(Set<PlainValue>)
  case object([String: PlainValue])
}

extension PlainValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "nil"
    case .boolean(let boolean): "\(boolean)"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .string(let string): string.debugDescription
    case .array(let elements): "\(elements)"
    case .set(let elements): "Set(\(elements.map(\.description).sorted()))"
    case .object(let entries): "\(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })"
    }
  }
}
