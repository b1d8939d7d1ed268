extension KeyedDecodingContainer {
  /// Decodes an array and leaves out, and reports, the elements that cannot be decoded.
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]> {
    recover(
      DecodableElements<Element>.self, as: [Element].self, forKey: key,
      whenAbsent: [], whenMalformed: []
    ) {
      Resilient($0.elements, outcome: $0.outcome)
    }
  }

  /// Decodes an optional array: `nil` only where the payload has none.
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]?> {
    recover(
      DecodableElements<Element>.self, as: [Element].self, forKey: key,
      whenAbsent: nil, whenMalformed: []
    ) {
      Resilient($0.elements, outcome: $0.outcome)
    }
  }
}

extension Array: Recoverable where Element: Decodable {
  static func recovered(from decoder: any Decoder) throws -> Recovered {
    if decoder.isAtNull { return ([], .valueWasNil) }
    do {
      let decoded = try DecodableElements<Element>(from: decoder)
      return (decoded.elements, decoded.outcome)
    } catch {
      decoder.report(error, at: decoder.codingPath, decoding: Self.self)
      return ([], .recoveredFrom(error, wasReported: true))
    }
  }

  static func recovered<Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key
  ) throws -> Recovered {
    let resilient = try container.decode(Resilient<Self>.self, forKey: key)
    return (resilient.wrappedValue, resilient.outcome)
  }
}

/// The elements of an array that could be decoded, in one walk and each tried once.
private struct DecodableElements<Element: Decodable>: Decodable {
  private(set) var elements: [Element] = []
  private(set) var outcome = ResilientDecodingOutcome.decodedSuccessfully

  /// Walks the array to its end.
  ///
  /// - Throws: what `unkeyedContainer()` throws when the payload has no array here.
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var failures = ElementFailures<Int>()
    var index = 0
    while !container.isAtEnd {
      do {
        let element = try container.decode(Element.self)
        guard container.currentIndex > index else { throw container.stuck }
        elements.append(element)
      } catch {
        decoder.report(error, at: decoder.codingPath + [IndexKey(index)], decoding: Element.self)
        failures.add(ElementFailure(error), at: index)
        guard container.skip(from: index) else { break }
      }
      index += 1
    }
    outcome = .array(without: failures)
  }
}

extension UnkeyedDecodingContainer {
  /// The error of a decoder that stays where it is, for which a walk would never end.
  fileprivate var stuck: DecodingError {
    .dataCorruptedError(in: self, debugDescription: "The decoder does not move to the next element")
  }

  /// Moves behind the element that could not be decoded, whether or not the attempt has moved on.
  ///
  /// - Returns: false when this decoder cannot be moved: going on would never end.
  fileprivate mutating func skip(from index: Int) -> Bool {
    // None of these steps has an error worth telling: the next one is tried, and `false` is told.
    if currentIndex == index { _ = try? decodeNil() }
    if currentIndex == index { _ = try? decode(Anything.self) }
    if currentIndex == index { _ = try? superDecoder() }
    return currentIndex > index
  }
}

/// Takes the place of an element without looking at it.
private struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}
