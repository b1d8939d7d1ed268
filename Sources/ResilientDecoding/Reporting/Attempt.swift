/// The result of decoding a value as one type, to learn what the payload holds.
package enum Attempt<Value> {
  case value(Value)

  /// The payload has a value of the type that cannot be read: half a surrogate, a number out of
  /// range.
  case unreadable

  case otherType

  package init(_ decode: () throws -> Value) {
    do {
      self = .value(try decode())
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      self = .otherType
    } catch {
      self = .unreadable
    }
  }

  var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  package var isUnreadable: Bool {
    if case .unreadable = self { true } else { false }
  }

  var isOtherType: Bool {
    if case .otherType = self { true } else { false }
  }
}
