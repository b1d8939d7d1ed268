/// A type of which one part can be kept when another part cannot be decoded.
///
/// The standard library's collections and optionals are. A property whose type the compiler knows
/// takes one of the overloads on `KeyedDecodingContainer`; all the rest comes this way: collections
/// in collections, generic models, a top-level `Resilient`.
@usableFromInline
protocol Recoverable: Decodable {
  typealias Recovered = (value: Self, outcome: ResilientDecodingOutcome)

  /// What a property takes whose key is missing, or holds null.
  static var whenAbsent: Self { get }

  /// What a property takes that holds something else altogether.
  static var whenMalformed: Self { get }

  /// What an element becomes that cannot be decoded; nil for one that is left out.
  static var whenBadElement: Self? { get }

  /// What an error says was expected, when it does not say so itself.
  static var expectedType: Any.Type { get }

  /// Whether it is an array, which some decoders give to nothing but an `Array`.
  static var isArray: Bool { get }

  /// Decodes what a key holds by way of an `Array`, each element of which recovers by itself.
  ///
  /// - Throws: when there is something else altogether.
  static func recoveredAsArray<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Recovered

  /// Decodes what can be decoded, and reports the rest.
  ///
  /// - Throws: when there is something else altogether.
  static func recovered<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Recovered
}

extension Recoverable {
  @usableFromInline static var whenBadElement: Self? { nil }
  @usableFromInline static var expectedType: Any.Type { Self.self }
  @usableFromInline static var isArray: Bool { false }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    let part = try container.decode(Part<Self, Leaves>.self, forKey: key)
    return (part.value, part.outcome)
  }

  /// Recovers from any error: what a value does that is no element.
  static func recoveredOrReplaced<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) -> Recovered {
    if decoder.isAtNull { return (whenAbsent, .valueWasNil) }
    do {
      return try recovered(from: decoder, leaves)
    } catch {
      decoder.report(error, decoding: expectedType)
      return (whenMalformed, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Recovers from any error: what a property does.
  @inlinable
  static func recovered<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) -> Recovered {
    let (value, outcome) = recoveredIfPresent(from: container, forKey: key, leaves)
    return (value ?? whenAbsent, outcome)
  }

  /// Recovers from any error, and is nil when the key is missing, or holds null.
  @inlinable
  static func recoveredIfPresent<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) -> (value: Self?, outcome: ResilientDecodingOutcome) {
    do {
      guard let (value, outcome) = try decodedIfPresent(from: container, forKey: key, leaves) else {
        return (nil, .absence(of: key, in: container))
      }
      return (value, outcome)
    } catch {
      return malformed(by: error, in: container, forKey: key)
    }
  }

  /// Decodes what can be decoded; nil when the key is missing, or holds null.
  ///
  /// - Throws: when there is something else altogether.
  @inlinable
  static func decodedIfPresent<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Recovered? {
    guard let part = try container.decodeIfPresent(KeyedPart<Self, Leaves>.self, forKey: key)
    else { return nil }
    if let value = part.value { return (value, part.outcome) }
    return try recoveredAsArray(from: container, forKey: key, leaves)
  }

  @usableFromInline
  static func malformed<Key: CodingKey>(
    by error: any Error,
    in container: KeyedDecodingContainer<Key>,
    forKey key: Key
  ) -> (value: Self?, outcome: ResilientDecodingOutcome) {
    container.report(error, forKey: key, decoding: expectedType)
    return (whenMalformed, .recoveredFrom(error, wasReported: true))
  }
}

/// A value without what could not be decoded of it.
@usableFromInline
struct Part<Value: Recoverable, Leaves: LeafRecovery>: Decodable {
  @usableFromInline let value: Value
  @usableFromInline let outcome: ResilientDecodingOutcome

  @inlinable
  init(from decoder: any Decoder) throws {
    (value, outcome) = try Value.recovered(from: decoder, Leaves.self)
  }
}

/// A value without what could not be decoded of it, under a key.
@usableFromInline
struct KeyedPart<Value: Recoverable, Leaves: LeafRecovery>: Decodable {
  /// Nil, and not even tried, when the decoder may give the array to nothing but an `Array`.
  @usableFromInline let value: Value?
  @usableFromInline let outcome: ResilientDecodingOutcome

  @inlinable
  init(from decoder: any Decoder) throws {
    if Value.isArray, !decoder.givesArraysToAnyType {
      (value, outcome) = (nil, .decodedSuccessfully)
    } else {
      (value, outcome) = try Value.recovered(from: decoder, Leaves.self)
    }
  }
}

/// Finds out whether a type that is only known at run time is recoverable.
@inlinable
func recoverable(_ type: Any.Type) -> (any Recoverable.Type)? {
  // Asking the runtime for a conformance takes as long as decoding a number.
  isScalar(type) ? nil : type as? any Recoverable.Type
}

extension Decoder {
  /// Whether there is a null where a value is decoded.
  var isAtNull: Bool {
    // A decoder that has no such container says why when it is asked for the one that is wanted.
    (try? singleValueContainer())?.decodeNil() == true
  }
}
