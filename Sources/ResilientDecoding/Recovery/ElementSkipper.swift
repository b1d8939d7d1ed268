/// Skips, converts or replaces array elements that cannot be decoded, and reports each.
///
/// Created at the first bad element. A class, because copying its state takes as long as a report.
final class ElementSkipper<Element: Decodable, Conversion: ScalarConversion> {
  private let decoder: any Decoder
  private let recoverable = ResilientDecoding.recoverable(Element.self)
  private let replacement: (() -> Element)?
  private let sink: ErrorSink?
  private let place: ((Int) -> RecoveryPlace)?

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
    self.sink = ErrorSink(of: decoder)
    self.place = sink.map { _ in RecoveryPlace(decoder.codingPath).elements() }
    self.isDecoderNeeded = Conversion.converts || sink != nil
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
    _ failures: inout ElementFailures<Int>
  ) -> Bool {
    let (isSkipped, decoder) = (sink?.trace).pausing { move(&container, past: index) }
    let converted =
      Conversion.converts
      ? decoder.map { Conversion.convert(Element.self, from: $0, after: error) } : nil
    let error = converted?.error ?? error
    if let sink, let place {
      let expectedType = recoverable?.expectedType ?? Element.self
      sink.report(error, at: place(index), decoding: expectedType, as: converted?.kind) { decoder }
    }
    if let value = converted?.value {
      elements.append(value)
      return isSkipped
    }
    // `recoverable` is `Element`.
    let element = replacement?() ?? recoverable?.whenBadElement.map { $0 as! Element }
    if let element { elements.append(element) }
    failures.add(.recoveredFrom(error, wasReported: true), at: index, isKept: element != nil)
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
    // A failure is not reported: the container is then moved in another way.
    let element = try? container.superDecoder()
    guard container.currentIndex == index else { return (true, element) }
    return (container.skip(from: index), nil)
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
