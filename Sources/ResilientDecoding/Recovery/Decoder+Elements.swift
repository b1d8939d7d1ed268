extension Decoder {
  /// Decodes the elements of an array, each once, and leaves out those that cannot be decoded.
  ///
  /// - Parameter replacement: what stands in for a bad element, which is left out without one.
  /// - Throws: what `unkeyedContainer()` throws when the payload has no array here.
  @inlinable
  func elements<Element: Decodable, Leaves: LeafRecovery>(
    _ type: Element.Type,
    _ leaves: Leaves.Type,
    replacement: (() -> Element)? = nil
  ) throws -> [Element].Recovered {
    if recoverable(Element.self) != nil {
      return try elementsOfParts(Element.self, leaves, replacement: replacement)
    }
    var container = try unkeyedContainer()
    var elements: [Element] = []
    var failures = ElementFailures<Int>()
    var index = 0
    // Made at the first bad element, so that it costs nothing when all are good.
    var badElements: BadElementPass?
    while !container.isAtEnd {
      do {
        let element = try container.decodeAny(Element.self)
        guard container.currentIndex > index else { throw container.stuck }
        elements.append(element)
      } catch {
        let pass = badElements ?? BadElementPass(in: self, decoding: Element.self, leaves)
        badElements = pass
        let (isPassed, element) = pass.pass(
          &container, at: index, after: error, leaves, replacement, &failures)
        if let element { elements.append(element) }
        guard isPassed else { break }
      }
      index += 1
    }
    return (elements, .array(without: failures))
  }

  /// Decodes elements each of which may have parts that cannot be decoded.
  @usableFromInline
  func elementsOfParts<Element: Decodable, Leaves: LeafRecovery>(
    _ type: Element.Type,
    _ leaves: Leaves.Type,
    replacement: (() -> Element)?
  ) throws -> [Element].Recovered {
    func walk<R: Recoverable>(_ type: R.Type) throws -> [Element].Recovered {
      let replacement = replacement ?? R.whenBadElement.map { element in { element as! Element } }
      var container = try unkeyedContainer()
      var elements: [Element] = []
      var failures = ElementFailures<Int>()
      var index = 0
      var badElements: BadElementPass?
      while !container.isAtEnd {
        do {
          let part = try container.decode(Part<R, Leaves>.self)
          guard container.currentIndex > index else { throw container.stuck }
          elements.append(part.value as! Element)  // `R` is `Element`.
          failures.add(part.outcome, at: index)
        } catch {
          let pass = badElements ?? BadElementPass(in: self, decoding: R.expectedType, leaves)
          badElements = pass
          let (isPassed, element) = pass.pass(
            &container, at: index, after: error, leaves, replacement, &failures)
          if let element { elements.append(element) }
          guard isPassed else { break }
        }
        index += 1
      }
      return (elements, .array(without: failures))
    }
    // Asked for before this was called.
    guard let type = recoverable(Element.self) else { return ([], .decodedSuccessfully) }
    return try walk(type)
  }
}

extension UnkeyedDecodingContainer {
  /// The error of a decoder that stays where it is, for which a walk would never end.
  @usableFromInline var stuck: DecodingError {
    .dataCorruptedError(in: self, debugDescription: "The decoder does not move to the next element")
  }

  /// Moves behind an element without looking at it.
  ///
  /// - Returns: false when this decoder cannot be moved.
  mutating func skip(from index: Int) -> Bool {
    // None of these steps has an error worth telling: the next one is tried, and `false` is told.
    if currentIndex == index { _ = try? decodeNil() }
    if currentIndex == index { _ = try? decode(Anything.self) }
    if currentIndex == index { _ = try? superDecoder() }
    return currentIndex > index
  }
}

/// Takes the place of an element without looking at it.
struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}
