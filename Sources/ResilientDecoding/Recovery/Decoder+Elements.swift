import ResilientPlatform

extension Array where Element: Decodable {
  /// The number of elements for which memory is reserved before they are decoded.
  private static var maximumReserve: Int { 64 }

  /// Appends the elements of an array in the payload, each decoded once, and leaves out those that
  /// cannot be decoded.
  ///
  /// A method of `Array`, because another generic function would look up the array's type at each
  /// element, which takes as long as decoding a number.
  ///
  /// - Parameters:
  ///   - decoder: The decoder of the array.
  ///   - conversion: The conversion of scalars of another type.
  ///   - replacement: Makes the replacement for a bad element; without it, bad elements are left
  ///     out.
  /// - Throws: The error of `unkeyedContainer()`, if the payload has no array here.
  mutating func appendElements<Conversion: ScalarConversion>(
    of decoder: any Decoder,
    _ conversion: Conversion.Type,
    replacement: (() -> Element)?
  ) throws -> ResilientDecodingOutcome {
    let recoverable = recoverable(Element.self)
    let isScalar = isScalar(Element.self)
    var container = try decoder.unkeyedContainer()
    // Most arrays are short, and grow several times before they have a few elements.
    reserveCapacity(Swift.min(container.count ?? 0, Self.maximumReserve))
    var failures = ElementFailures<Int>()
    var index = 0
    // Created at the first bad element, so that it costs nothing if all are good.
    var skipper: ElementSkipper<Element, Conversion>?
    Nesting.enter()
    defer { Nesting.leave() }
    while !container.isAtEnd {
      do {
        if let recoverable {
          try appendParts(as: recoverable, of: &container, conversion, at: index, &failures)
        } else if isScalar {
          append(try container.decodeAny(Element.self))
        } else {
          append(try container.decode(Element.self))
        }
        guard container.currentIndex > index else {
          removeLast()
          throw container.notAdvancingError
        }
      } catch {
        try RecoveryBudget.spend(on: error)
        if skipper == nil { skipper = ElementSkipper(in: decoder, replacement: replacement) }
        guard skipper?.skip(&container, at: index, after: error, &self, &failures) == true
        else { break }
      }
      index += 1
    }
    return failures.outcome
  }

  /// Appends an element without the parts that cannot be decoded.
  // Not inlined, because each level of a recursive model takes a frame of the caller.
  @inline(never)
  private mutating func appendParts<Conversion: ScalarConversion>(
    as recoverable: any Recoverable.Type,
    of container: inout any UnkeyedDecodingContainer,
    _ conversion: Conversion.Type,
    at index: Int,
    _ failures: inout ElementFailures<Int>
  ) throws {
    let (element, outcome) = try recoverable.recoveredElement(
      Element.self, of: &container, conversion)
    append(element)
    failures.add(outcome, at: index)
  }
}
