extension Resilient: Decodable {
  /// Decodes a `Resilient` that is no property: the top-level type, or an element.
  ///
  /// - Throws: what decoding `Value` throws, when it is a type that cannot be recovered.
  public init(from decoder: any Decoder) throws {
    guard let type = recoverable(Value.self) else {
      self = try Self.decodedOrFallback(from: decoder)
      return
    }
    func recovered<R: Recoverable>(_ type: R.Type) -> Self {
      let (value, outcome) = R.recoveredOrReplaced(from: decoder, AsSent.self)
      return Self(value as! Value, outcome: outcome)  // `R` is `Value`.
    }
    self = recovered(type)
  }

  private static func decodedOrFallback(from decoder: any Decoder) throws -> Self {
    do {
      return Self(try decoder.singleValueContainer().decode(Value.self))
    } catch {
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      decoder.report(error, decoding: Value.self)
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
    if let type = recoverable(Value.self) {
      func recovered<R: Recoverable>(_ type: R.Type) -> Resilient<Value> {
        let (value, outcome) = R.recovered(from: self, forKey: key, AsSent.self)
        return Resilient(value as! Value, outcome: outcome)  // `R` is `Value`.
      }
      return recovered(type)
    }
    do {
      return Resilient(try decode(Value.self, forKey: key))
    } catch {
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, forKey: key, decoding: Value.self)
      return Resilient(fallback, outcome: .recoveredFrom(error, wasReported: true))
    }
  }
}
