import ResilientPlatform

/// A recoverable type whose value is an array in the payload.
protocol RecoverableArray: Recoverable {
  associatedtype Element: Decodable

  /// Makes the replacement for a bad element; nil if bad elements are left out.
  static var replacement: (() -> Element)? { get }

  init(elements: [Element])
}

extension RecoverableArray {
  static var replacement: (() -> Element)? { nil }
  static var whenAbsent: Self { Self(elements: []) }
  static var whenMalformed: Self { Self(elements: []) }

  static func decodeParts<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    var elements: [Element] = []
    let outcome = try elements.decodeParts(from: decoder, conversion, replacement: replacement)
    return (Self(elements: elements), outcome)
  }
}

extension Array: Recoverable, RecoverableArray where Element: Decodable {
  init(elements: [Element]) { self = elements }
}

extension Set: Recoverable, RecoverableArray where Element: Decodable {
  init(elements: [Element]) { self.init(elements) }
}

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
  mutating func decodeParts<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type,
    replacement: (() -> Element)?
  ) throws -> ResilientDecodingOutcome {
    let recoverable = recoverable(Element.self)
    let isScalar = isScalar(Element.self)
    var container = try decoder.unkeyedContainer()
    // Most arrays are short, and grow several times before they have a few elements.
    reserveCapacity(Swift.min(container.count ?? 0, Self.maximumReserve))
    var bad = BadElements<Int>()
    var index = 0
    // Created at the first bad element, so that it costs nothing if all are good.
    var skipper: ElementSkipper<Element, Conversion>?
    Nesting.enter()
    defer { Nesting.leave() }
    while !container.isAtEnd {
      do {
        if let recoverable {
          try decodeElementParts(as: recoverable, from: &container, conversion, at: index, &bad)
        } else if isScalar {
          append(try container.decodeWhole(Element.self))
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
        guard skipper?.skip(&container, at: index, after: error, &self, &bad) == true
        else { break }
      }
      index += 1
    }
    return bad.outcome
  }

  /// Appends the good parts of an element.
  // Not inlined, because each level of a recursive model takes a frame of the caller.
  @inline(never)
  private mutating func decodeElementParts<Conversion: ScalarConversion>(
    as recoverable: any Recoverable.Type,
    from container: inout any UnkeyedDecodingContainer,
    _ conversion: Conversion.Type,
    at index: Int,
    _ bad: inout BadElements<Int>
  ) throws {
    func part<Part: Recoverable>(_ type: Part.Type) throws {
      let part = try container.decode(Parts<Part, Conversion>.self)
      append(part.value as! Element)  // `Part` is `Element`.
      bad.add(part.outcome, at: index)
    }
    try part(recoverable)
  }
}

/// Skips, converts or replaces array elements that cannot be decoded, and reports each.
///
/// Created at the first bad element. A class, because copying its state takes as long as a report.
final class ElementSkipper<Element: Decodable, Conversion: ScalarConversion> {
  private let decoder: any Decoder
  private let recoverable = ResilientDecoding.recoverable(Element.self)
  private let replacement: (() -> Element)?

  /// Reports an error at an index; nil if nothing collects it.
  // A closure, because copying an `ErrorSink` takes longer.
  private let report: ((any Error, Int, ErrorDigest.Kind?, (any Decoder)?) -> Void)?

  /// Whether a decoder of each bad element is needed, to convert or to report it.
  private let isDecoderNeeded: Bool

  /// A second container for the same array, used if the first one has moved past a failed element.
  private var secondContainer: (any UnkeyedDecodingContainer)?

  /// - Parameters:
  ///   - decoder: The decoder of the array.
  ///   - replacement: Makes the replacement for a bad element; without it, bad elements are left
  ///     out, unless their type has a value for them.
  init(in decoder: any Decoder, replacement: (() -> Element)?) {
    self.decoder = decoder
    self.replacement = replacement
    let sink = ErrorSink(of: decoder)
    let expectedType = recoverable?.expectedType ?? Element.self
    report = sink.map { sink in
      let place = RecoveryPlace(decoder.codingPath).elements()
      return { error, index, kind, decoder in
        sink.report(error, at: place(index), decoding: expectedType, as: kind) { decoder }
      }
    }
    isDecoderNeeded = Conversion.converts || sink != nil
  }

  /// Converts, replaces or leaves out an element that could not be decoded, and reports it.
  ///
  /// - Parameter elements: The array to which to append the new element, if any.
  /// - Returns: Whether the container has moved past the element.
  func skip(
    _ container: inout any UnkeyedDecodingContainer,
    at index: Int,
    after error: any Error,
    _ elements: inout [Element],
    _ bad: inout BadElements<Int>
  ) -> Bool {
    let (isSkipped, decoder) = move(&container, past: index)
    let converted =
      Conversion.converts
      ? decoder.map { Conversion.convert(Element.self, from: $0, after: error) } : nil
    let error = converted?.error ?? error
    report?(error, index, converted?.kind, decoder)
    if let value = converted?.value {
      elements.append(value)
      return isSkipped
    }
    // `recoverable` is `Element`.
    let element = replacement?() ?? recoverable?.whenBadElement.map { $0 as! Element }
    if let element { elements.append(element) }
    bad.add(.recoveredFrom(error, wasReported: true), at: index, isKept: element != nil)
    return isSkipped
  }

  /// Moves past an element that could not be decoded, whether or not the attempt has moved.
  ///
  /// - Returns: False if this decoder cannot be moved; and a decoder of the element, if one is
  ///   needed and available.
  private func move(
    _ container: inout any UnkeyedDecodingContainer,
    past index: Int
  ) -> (isSkipped: Bool, decoder: (any Decoder)?) {
    guard isDecoderNeeded else { return (container.skip(from: index), nil) }
    guard container.currentIndex == index else { return (true, secondDecoder(at: index)) }
    // The error is not reported: the container is then moved in another way.
    let element = try? container.superDecoder()
    return (container.skip(from: index), element)
  }

  private func secondDecoder(at index: Int) -> (any Decoder)? {
    // A decoder without a second container for the same array cannot show the value either.
    guard var container = secondContainer ?? (try? decoder.unkeyedContainer()) else { return nil }
    while container.currentIndex < index {
      guard container.skip(from: container.currentIndex) else { return nil }
    }
    let element = try? container.superDecoder()
    secondContainer = container
    return element
  }
}
