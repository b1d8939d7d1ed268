extension Decoder {
  /// Decodes the elements of an array, each once, and leaves out those that cannot be decoded.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - conversion: The conversion of scalars of another type.
  ///   - replacement: Makes the replacement for a bad element; without it, bad elements are left
  ///     out.
  /// - Throws: The error of `unkeyedContainer()`, if the payload has no array here.
  func elements<Element: Decodable, Conversion: ScalarConversion>(
    _ type: Element.Type,
    _ conversion: Conversion.Type,
    replacement: (() -> Element)?
  ) throws -> Recovered<[Element]> {
    let recoverable = recoverable(Element.self)
    var container = try unkeyedContainer()
    var elements: [Element] = []
    var failures = ElementFailures<Int>()
    var index = 0
    // Created at the first bad element, so that it costs nothing if all are good.
    var skipper: ElementSkipper<Element, Conversion>?
    while !container.isAtEnd {
      do {
        let element: Element
        var outcome = ResilientDecodingOutcome.decodedSuccessfully
        if let recoverable {
          (element, outcome) = try recoverable.recoveredElement(
            Element.self, of: &container, conversion)
        } else {
          element = try container.decodeAny(Element.self)
        }
        guard container.currentIndex > index else { throw container.notAdvancingError }
        elements.append(element)
        failures.add(outcome, at: index)
      } catch {
        let current = skipper ?? ElementSkipper(in: self, replacement: replacement)
        skipper = current
        let (isSkipped, element) = current.skip(&container, at: index, after: error, &failures)
        if let element { elements.append(element) }
        guard isSkipped else { break }
      }
      index += 1
    }
    return (elements, failures.outcome)
  }
}
