/// What is done about a value that is not of its type, before it is given up.
@usableFromInline
protocol LeafRecovery {
  /// Whether ``convert(_:from:)`` is worth a decoder for the place of the value.
  static var converts: Bool { get }

  /// Makes a `Value` of what there is instead, if nothing is lost by it.
  static func convert<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) -> Value?
}

/// Nothing is done: a value is what the payload has, or it is none.
@usableFromInline
enum AsSent: LeafRecovery {
  @usableFromInline static var converts: Bool { false }

  @usableFromInline
  static func convert<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) -> Value? {
    nil
  }
}
