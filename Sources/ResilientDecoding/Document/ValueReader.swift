/// Finds out what decoders have by asking for one type after another, for a decoder does not tell.
///
/// A failed attempt is dear: Foundation makes an error of it, at a cost that grows with the square
/// of the path's length. So that is tried first which came after the same values before, for
/// payloads repeat themselves, and how much has failed is counted.
// Sendable: it is used by the one call that has made it, from beginning to end on one thread. It
// is bound to the task because a decoder takes no argument down to the values that it decodes.
final class ValueReader: @unchecked Sendable {
  @TaskLocal static var current: ValueReader?

  enum Shape {
    case scalar(DocumentValue)
    case object(KeyedDecodingContainer<PathKey>)
    case array(any UnkeyedDecodingContainer)
    /// What JSON does not have.
    case other
  }

  /// What is tried, in the order of how much there is of it.
  private enum Kind: Int, CaseIterable {
    case text
    case number
    case object
    case array
    case boolean
  }

  /// The kind that came last after each three kinds.
  private var successors = [Kind](repeating: .text, count: 125)

  /// The last three kinds, each a digit to the base of five.
  private var recentKinds = 0

  private let isStrict: Bool
  private var readValues = 0

  /// How many levels there are above what is read next.
  var depth: Int

  /// What the failed attempts have cost: a unit is some ten nanoseconds with Foundation's decoders.
  private(set) var work = 0

  /// - Parameter depth: the length of the decoder's path.
  init(_ decoder: any Decoder, depth: Int) {
    // Where no value is of two kinds, the order does not matter.
    isStrict = decoder.hasTypedScalars
    self.depth = depth
  }

  func shape(of decoder: any Decoder) -> Shape {
    readValues += 1
    if let decoder = decoder as? DocumentDecoder { return decoder.shape }
    guard isStrict else { return lenientShape(of: decoder) }
    // What a decoder does not even give a container for is an oddity, and is told as one.
    guard let container = try? decoder.singleValueContainer() else { return .other }
    if container.decodeNil() { return .scalar(.null) }
    let likely = successors[recentKinds]
    if let shape = attempt(likely, decoder, container) { return shape }
    for kind in Kind.allCases where kind != likely {
      if let shape = attempt(kind, decoder, container) { return shape }
    }
    return .other
  }

  /// Checks that the payload can be read in a time that grows with its size alone.
  ///
  /// - Throws: `DecodingError.dataCorrupted` beyond the depth that `JSONDecoder` parses, and, in
  ///   what is nested deeply at all, when reading it costs too much.
  func checkLimits(_ decoder: any Decoder) throws {
    guard depth >= Self.maximumDepth || work > Self.freeWork + readValues * Self.workPerValue
    else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: depth >= Self.maximumDepth
          ? "The payload is nested more than \(Self.maximumDepth) levels."
          : "The payload has too much at a depth of \(depth) levels."
      )
    )
  }

  /// The nesting that `JSONDecoder` refuses to parse anything beyond.
  private static let maximumDepth = 512

  /// That of a second or two.
  private static let freeWork = 100_000_000

  /// Enough for any payload that is nested less than some thirty levels.
  private static let workPerValue = 2_000

  private func attempt(
    _ kind: Kind,
    _ decoder: any Decoder,
    _ container: any SingleValueDecodingContainer
  ) -> Shape? {
    // That an attempt fails is the answer that is sought, and nothing to tell anybody about.
    let shape: Shape? =
      switch kind {
      case .text: (try? container.decode(String.self)).map { .scalar(.string($0)) }
      case .number: DocumentValue(numberOf: container).map(Shape.scalar)
      case .object: (try? decoder.container(keyedBy: PathKey.self)).map(Shape.object)
      case .array: (try? decoder.unkeyedContainer()).map(Shape.array)
      case .boolean: (try? container.decode(Bool.self)).map { .scalar(.boolean($0)) }
      }
    if shape == nil {
      work += 100 + depth * depth
    } else {
      successors[recentKinds] = kind
      recentKinds = (recentKinds * 5 + kind.rawValue) % successors.count
    }
    return shape
  }

  /// The shape in a format that takes one value for several kinds, as YAML and XML.
  private func lenientShape(of decoder: any Decoder) -> Shape {
    defer { work += 100 + depth * depth }
    // As above, a failed attempt is an answer.
    if let scalar = DocumentValue(scalarOf: decoder) { return .scalar(scalar) }
    if let members = try? decoder.container(keyedBy: PathKey.self) { return .object(members) }
    if let elements = try? decoder.unkeyedContainer() { return .array(elements) }
    return .other
  }
}

extension DocumentDecoder {
  /// What is known already.
  fileprivate var shape: ValueReader.Shape {
    // These do not fail, for the decoder gives containers of what it has.
    switch value {
    case .object:
      if let members = try? container(keyedBy: PathKey.self) { return .object(members) }
    case .array:
      if let elements = try? unkeyedContainer() { return .array(elements) }
    default: break
    }
    return .scalar(value)
  }
}
