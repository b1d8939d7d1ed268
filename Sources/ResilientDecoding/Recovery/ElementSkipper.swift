/// Gets a walk over an array past the elements that cannot be decoded, and reports them.
///
/// Made at the first of them, so that it costs nothing when all are good. A class: a walk has one,
/// and a copy of what it holds takes as long as a report.
@usableFromInline
final class BadElementPass {
  private let decoder: any Decoder
  private let expectedType: Any.Type
  private let listener: Listener?
  private let place: ((Int) -> RecoveryPlace)?

  /// Whether a decoder of a bad element is needed: to convert it, or to see what to report.
  private let isDecoderNeeded: Bool

  /// The same array once more, for a decoder that has already left the element that has failed.
  private var secondContainer: (any UnkeyedDecodingContainer)?

  @usableFromInline
  init<Leaves: LeafRecovery>(
    in decoder: any Decoder,
    decoding type: Any.Type,
    _ leaves: Leaves.Type
  ) {
    self.decoder = decoder
    self.expectedType = type
    self.listener = Listener(of: decoder)
    self.place = listener.map { _ in RecoveryPlace(decoder.codingPath).elements() }
    self.isDecoderNeeded = Leaves.converts || listener != nil
  }

  /// Converts, replaces or leaves out the element that could not be decoded, and reports it.
  ///
  /// - Parameter replacement: what stands in for a bad element, which is left out without one.
  /// - Returns: false when there is no way past the element; and what takes its place, if anything.
  @usableFromInline
  func pass<Element: Decodable, Leaves: LeafRecovery>(
    _ container: inout any UnkeyedDecodingContainer,
    at index: Int,
    after error: any Error,
    _ leaves: Leaves.Type,
    _ replacement: (() -> Element)?,
    _ failures: inout ElementFailures<Int>
  ) -> (isPassed: Bool, element: Element?) {
    let (isPassed, decoder) = move(&container, behind: index)
    let converted = decoder.flatMap { Leaves.convert(Element.self, from: $0) }
    if let listener, let place {
      let kind: ErrorDigest.Kind? = converted == nil ? nil : .converted
      listener.report(error, at: place(index), decoding: expectedType, as: kind) { decoder }
    }
    if let converted { return (isPassed, converted) }
    failures.add(error, at: index, isReplaced: replacement != nil)
    return (isPassed, replacement?())
  }

  /// Moves behind the element that could not be decoded, whether or not the attempt has moved on.
  ///
  /// - Returns: false when this decoder cannot be moved, for going on would never end; and a
  ///   decoder of the element, where one is needed and can be had.
  private func move(
    _ container: inout any UnkeyedDecodingContainer,
    behind index: Int
  ) -> (isPassed: Bool, decoder: (any Decoder)?) {
    guard isDecoderNeeded else { return (container.skip(from: index), nil) }
    guard container.currentIndex == index else { return (true, decoderByASecondWalk(to: index)) }
    // Nothing to tell when there is none: the other ways past the element are tried.
    let element = try? container.superDecoder()
    guard container.currentIndex == index else { return (true, element) }
    return (container.skip(from: index), nil)
  }

  private func decoderByASecondWalk(to index: Int) -> (any Decoder)? {
    // A decoder that has no second container for the same array has no value to show either.
    guard var container = secondContainer ?? (try? decoder.unkeyedContainer()) else { return nil }
    while container.currentIndex < index {
      guard container.skip(from: container.currentIndex) else { return nil }
    }
    let element = try? container.superDecoder()
    secondContainer = container
    return element
  }
}
