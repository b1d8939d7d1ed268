extension KeyedDecodingContainer {
  /// Decodes a dictionary and leaves out, and reports, the entries that cannot be decoded.
  ///
  /// The keys are data: a decoder's key strategy does not touch them.
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]> {
    recover(
      DecodableEntries<Value>.self, as: [String: Value].self, forKey: key,
      whenAbsent: [:], whenMalformed: [:]
    ) {
      Resilient($0.entries, outcome: $0.outcome)
    }
  }

  /// Decodes an optional dictionary: `nil` only where the payload has none.
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]?> {
    recover(
      DecodableEntries<Value>.self, as: [String: Value].self, forKey: key,
      whenAbsent: nil, whenMalformed: [:]
    ) {
      Resilient($0.entries, outcome: $0.outcome)
    }
  }
}

extension Dictionary: Recoverable where Key: Decodable, Value: Decodable {
  static func recovered(from decoder: any Decoder) throws -> Recovered {
    guard Key.self == String.self else {
      return (try decoder.singleValueContainer().decode(Self.self), .decodedSuccessfully)
    }
    if decoder.isAtNull { return ([:], .valueWasNil) }
    do {
      let decoded = try DecodableEntries<Value>(from: decoder)
      return (decoded.entries as! Self, decoded.outcome)  // `Key` is `String`
    } catch {
      decoder.report(error, at: decoder.codingPath, decoding: Self.self)
      return ([:], .recoveredFrom(error, wasReported: true))
    }
  }

  static func recovered<CodingKeys: CodingKey>(
    from container: KeyedDecodingContainer<CodingKeys>,
    forKey key: CodingKeys
  ) throws -> Recovered {
    guard Key.self == String.self else {
      return (try container.decode(Self.self, forKey: key), .decodedSuccessfully)
    }
    let resilient = try container.decode(Resilient<[String: Value]>.self, forKey: key)
    return (resilient.wrappedValue as! Self, resilient.outcome)  // `Key` is `String`
  }
}

/// The entries of a dictionary that could be decoded, in one walk and each tried once.
private struct DecodableEntries<Value: Decodable>: Decodable {
  let entries: [String: Value]
  let outcome: ResilientDecodingOutcome

  /// Decodes every entry.
  ///
  /// - Throws: what decoding a dictionary throws when the payload has none here.
  init(from decoder: any Decoder) throws {
    // As a dictionary, not through a keyed container: only so are the keys left as they are.
    let attempts = try decoder.singleValueContainer().decode([String: Attempt].self)
    var failures = ElementFailures<String>()
    entries = attempts.reduce(into: Dictionary(minimumCapacity: attempts.count)) {
      entries, attempt in
      switch attempt.value.result {
      case .success(let value): entries[attempt.key] = value
      case .failure(let failure): failures.add(failure, at: attempt.key)
      }
    }
    outcome = .dictionary(without: failures)
  }

  /// One entry, decoded or not.
  private struct Attempt: Decodable {
    let result: Result<Value, ElementFailure>

    init(from decoder: any Decoder) throws {
      do {
        // Through a container, so that a decoder can treat `Date`, `URL` and others its own way.
        result = .success(try decoder.singleValueContainer().decode(Value.self))
      } catch {
        decoder.report(error, at: decoder.codingPath, decoding: Value.self)
        result = .failure(ElementFailure(error))
      }
    }
  }
}
