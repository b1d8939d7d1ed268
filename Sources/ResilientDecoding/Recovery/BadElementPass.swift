/// Gets a walk over an array past the elements that cannot be decoded, and reports them.
///
/// Made at the first of them, so that it costs nothing when all are good. A class: a walk has one,
/// and a copy of what it holds takes as long as a report.
final class BadElementPass {
  private let decoder: any Decoder
  private let listener: Listener?
  private let place: ((Int) -> RecoveryPlace)?
  private let isDecoderNeeded: Bool

  /// The same array once more, for a decoder that has already left the element that has failed.
  private var secondContainer: (any UnkeyedDecodingContainer)?

  /// - Parameter isDecoderNeeded: whether a decoder of a bad element is needed in any case, and
  ///   not only to see what to report.
  init(in decoder: any Decoder, isDecoderNeeded: Bool) {
    self.decoder = decoder
    self.listener = Listener(of: decoder)
    self.place = listener.map { _ in RecoveryPlace(decoder.codingPath).elements() }
    self.isDecoderNeeded = isDecoderNeeded || listener != nil && !decoder.hasTypedScalars
  }

  /// Moves behind the element that could not be decoded, whether or not the attempt has moved on.
  ///
  /// - Returns: false when this decoder cannot be moved, for going on would never end; and a
  ///   decoder of the element, where one is needed and can be had.
  func pass(
    _ container: inout any UnkeyedDecodingContainer,
    at index: Int
  ) -> (isPassed: Bool, decoder: (any Decoder)?) {
    guard isDecoderNeeded || listener?.wantsEntries == true else {
      return (container.skip(from: index), nil)
    }
    guard container.currentIndex == index else { return (true, decoderByASecondWalk(to: index)) }
    // Nothing to tell when there is none: the other ways past the element are tried.
    let element = try? container.superDecoder()
    guard container.currentIndex == index else { return (true, element) }
    return (container.skip(from: index), nil)
  }

  func report(
    _ error: any Error,
    at index: Int,
    of element: (any Decoder)?,
    decoding type: Any.Type,
    as kind: ErrorDigest.Kind?
  ) {
    guard let listener, let place else { return }
    listener.report(error, at: place(index), decoding: type, as: kind) { element }
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
