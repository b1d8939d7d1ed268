/// A walk over an array: what it has found, and how it gets past the elements that are bad.
@usableFromInline
struct ElementWalk<Element: Decodable, Leaves: LeafRecovery> {
  private let expectedType: Any.Type
  private let replacement: (() -> Element)?

  @usableFromInline var elements: [Element] = []

  /// The index of the next element in the payload.
  @usableFromInline var index = 0

  @usableFromInline var failures = ElementFailures<Int>()

  /// Made at the first bad element, so that it costs nothing when all are good.
  private var pass: BadElementPass?

  /// - Parameter replacement: what stands in for a bad element, which is left out without one.
  @usableFromInline
  init(_ expectedType: Any.Type, replacement: (() -> Element)?) {
    self.expectedType = expectedType
    self.replacement = replacement
  }

  @usableFromInline var recovered: [Element].Recovered {
    (elements, .array(without: failures))
  }

  @inlinable
  mutating func append(_ element: Element) {
    elements.append(element)
    index += 1
  }

  /// Adds an element of which parts may be missing.
  mutating func append(_ element: Element, _ outcome: ResilientDecodingOutcome) {
    failures.add(outcome, at: index)
    append(element)
  }

  /// Converts, replaces or leaves out the element that could not be decoded, and reports it.
  ///
  /// - Returns: false when there is no way past it.
  @usableFromInline
  mutating func skip(
    in container: inout any UnkeyedDecodingContainer,
    of decoder: any Decoder,
    after error: any Error
  ) -> Bool {
    let pass = pass ?? BadElementPass(in: decoder, isDecoderNeeded: Leaves.converts)
    self.pass = pass
    let (isPassed, elementDecoder) = pass.pass(&container, at: index)
    let converted = elementDecoder.flatMap { Leaves.convert(Element.self, from: $0) }
    pass.report(
      error,
      at: index,
      of: elementDecoder,
      decoding: expectedType,
      as: converted == nil ? nil : .converted
    )
    if converted == nil { failures.add(error, at: index, isReplaced: replacement != nil) }
    if let element = converted ?? replacement?() { elements.append(element) }
    index += 1
    return isPassed
  }
}
