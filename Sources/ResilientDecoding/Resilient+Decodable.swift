/// A type that knows what to recover to, found at run time where the compiler saw only a `Value`.
///
/// Generic models and a top-level `Resilient` come this way. A property whose type the compiler
/// knows takes one of the overloads on `KeyedDecodingContainer` instead, without a cast.
protocol Recoverable: Decodable {
  typealias Recovered = (value: Self, outcome: ResilientDecodingOutcome)

  static func recovered(from decoder: any Decoder) throws -> Recovered

  static func recovered<Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key
  ) throws -> Recovered
}

extension Resilient: Decodable {
  /// Decodes a `Resilient` that is no property: the top-level type, or an element.
  ///
  /// - Throws: what decoding `Value` throws, when it is a type that cannot be recovered.
  public init(from decoder: any Decoder) throws {
    guard let type = Value.self as? any Recoverable.Type else {
      self = try Self.decodedOrFallback(from: decoder)
      return
    }
    let (value, outcome) = try type.recovered(from: decoder)
    self.init(value as! Value, outcome: outcome)  // `type` is `Value.self`
  }

  private static func decodedOrFallback(from decoder: any Decoder) throws -> Self {
    do {
      return Self(try decoder.singleValueContainer().decode(Value.self))
    } catch {
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      decoder.report(error, at: decoder.codingPath, decoding: Value.self)
      return Self(fallback, outcome: .recoveredFrom(error, wasReported: true))
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property whose type is not known to the compiler, as in a generic model.
  ///
  /// - Throws: what decoding `Value` throws, when it is a type that cannot be recovered.
  public func decode<Value: Decodable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> {
    if let type = Value.self as? any Recoverable.Type {
      let (value, outcome) = try type.recovered(from: self, forKey: key)
      return Resilient(value as! Value, outcome: outcome)  // `type` is `Value.self`
    }
    do {
      return Resilient(try decode(Value.self, forKey: key))
    } catch {
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, forKey: key, decoding: Value.self)
      return Resilient(fallback, outcome: .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes what the key holds, if anything, and recovers from any error that this throws.
  ///
  /// - Parameter type: what was to be decoded, as a report names it.
  func recover<Payload: Decodable, Value>(
    _ payload: Payload.Type,
    as type: Any.Type,
    forKey key: Key,
    whenAbsent absent: Value,
    whenMalformed malformed: Value,
    _ resilient: (Payload) -> Resilient<Value>
  ) -> Resilient<Value> {
    do {
      guard let decoded = try decodeIfPresent(Payload.self, forKey: key) else {
        return Resilient(absent, outcome: .absence(of: key, in: self))
      }
      return resilient(decoded)
    } catch {
      report(error, forKey: key, decoding: type)
      return Resilient(malformed, outcome: .recoveredFrom(error, wasReported: true))
    }
  }
}

extension Decoder {
  /// Whether there is a null where a value is decoded.
  var isAtNull: Bool {
    // A decoder that has no such container says why when it is asked for the one that is wanted.
    (try? singleValueContainer())?.decodeNil() == true
  }
}
