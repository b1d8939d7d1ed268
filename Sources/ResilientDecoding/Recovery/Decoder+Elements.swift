extension Decoder {
  /// Decodes the elements of an array, each once, and leaves out those that cannot be decoded.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - conversion: The conversion of scalars of another type.
  ///   - replacement: Makes the replacement for a bad element; without it, bad elements are left
  ///     out.
  /// - Throws: What `unkeyedContainer()` throws if the payload has no array here.
  @inlinable
  func elements<Element: Decodable, Conversion: ScalarConversion>(
    _ type: Element.Type,
    _ conversion: Conversion.Type,
    replacement: (() -> Element)? = nil
  ) throws -> [Element].Recovered {
    if let recoverable = recoverable(Element.self) {
      return try partialElements(recoverable, conversion, replacement: replacement)
    }
    return try walk(expecting: Element.self, conversion, replacement) { container in
      (try container.decodeAny(Element.self), .decodedSuccessfully)
    }
  }

  /// Decodes elements that are recoverable themselves.
  @usableFromInline
  func partialElements<Element: Decodable, Part: Recoverable, Conversion: ScalarConversion>(
    _ type: Part.Type,
    _ conversion: Conversion.Type,
    replacement: (() -> Element)?
  ) throws -> [Element].Recovered {
    // `Part` is `Element`.
    let replacement = replacement ?? Part.whenBadElement.map { part in { part as! Element } }
    return try walk(expecting: Part.expectedType, conversion, replacement) { container in
      let part = try container.decode(PartialValue<Part, Conversion>.self)
      return (part.value as! Element, part.outcome)
    }
  }

  /// Walks an array once, and decodes each element with a closure.
  @inlinable
  func walk<Element: Decodable, Conversion: ScalarConversion>(
    expecting type: Any.Type,
    _ conversion: Conversion.Type,
    _ replacement: (() -> Element)?,
    _ decode: (inout any UnkeyedDecodingContainer) throws -> (Element, ResilientDecodingOutcome)
  ) throws -> [Element].Recovered {
    var container = try unkeyedContainer()
    var elements: [Element] = []
    var failures = ElementFailures<Int>()
    var index = 0
    // Created at the first bad element, so that it costs nothing if all are good.
    var skipper: ElementSkipper?
    while !container.isAtEnd {
      do {
        let (element, outcome) = try decode(&container)
        guard container.currentIndex > index else { throw container.stuck }
        elements.append(element)
        failures.add(outcome, at: index)
      } catch {
        let current = skipper ?? ElementSkipper(in: self, decoding: type, conversion)
        skipper = current
        let (isSkipped, element) = current.skip(
          &container, at: index, after: error, conversion, replacement, &failures)
        if let element { elements.append(element) }
        guard isSkipped else { break }
      }
      index += 1
    }
    return (elements, failures.outcome)
  }
}
