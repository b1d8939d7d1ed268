import ResilientDecoding

/// Determines the shapes of values by trying one type after another, because decoders do not reveal
/// them.
///
/// A failed attempt is expensive: Foundation creates an error, at a cost that grows with the square
/// of the path's length. So the reader first tries the type that followed the same types before,
/// because payloads repeat themselves, and it counts the failures.
final class ValueReader {
  static var current: ValueReader? { DecodeState.current?.reader as? ValueReader }

  enum Shape {
    case scalar(DocumentValue)
    case object(KeyedDecodingContainer<PathKey>)
    case array(any UnkeyedDecodingContainer)
    /// A value that JSON does not have.
    case other
  }

  /// The types to try, the most common first.
  private enum ValueKind: Int, CaseIterable {
    case text
    case number
    case object
    case array
    case boolean
  }

  /// The kind that last followed each sequence of three kinds.
  private var successors = [ValueKind](repeating: .text, count: 125)

  /// The last three kinds, as digits to base five.
  private var recentKinds = 0

  private let isStrict: Bool
  private var readValues = 0

  /// The number of levels above the next value.
  var depth: Int

  /// The cost of the failed attempts, in units of about ten nanoseconds with Foundation's decoders.
  private(set) var work = 0

  init(_ decoder: any Decoder) {
    // If no value has two kinds, the order does not matter.
    isStrict = decoder.isFoundations
    depth = decoder.codingPath.count
  }

  func shape(of decoder: any Decoder) -> Shape {
    readValues += 1
    if let decoder = decoder as? DocumentDecoder { return decoder.shape }
    guard isStrict else { return lenientShape(of: decoder) }
    // A value for which a decoder has no container is treated as one that JSON does not have.
    guard let container = try? decoder.singleValueContainer() else { return .other }
    if container.decodeNil() { return .scalar(.null) }
    let likely = successors[recentKinds]
    if let shape = attempt(likely, decoder, container) { return shape }
    for kind in ValueKind.allCases where kind != likely {
      if let shape = attempt(kind, decoder, container) { return shape }
    }
    return .other
  }

  /// Checks that reading the payload takes linear time.
  ///
  /// - Throws: `DecodingError.dataCorrupted` beyond the depth that `JSONDecoder` parses or for
  ///   which there is stack, or if a deeply nested payload is too expensive to read.
  func checkLimits(_ decoder: any Decoder) throws {
    try decoder.checkStack()
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

  /// The greatest nesting that `JSONDecoder` parses.
  private static let maximumDepth = 512

  /// The work of a second or two.
  private static let freeWork = 100_000_000

  /// Enough for any payload with fewer than about thirty levels.
  private static let workPerValue = 2_000

  private func attempt(
    _ kind: ValueKind,
    _ decoder: any Decoder,
    _ container: any SingleValueDecodingContainer
  ) -> Shape? {
    // A failed attempt is an answer, and is not reported.
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

  /// The shape in a format such as YAML or XML, in which a value may have several kinds.
  private func lenientShape(of decoder: any Decoder) -> Shape {
    defer { work += 100 + depth * depth }
    // Here too, a failed attempt is an answer.
    if let scalar = DocumentValue(scalarOf: decoder) { return .scalar(scalar) }
    if let members = try? decoder.container(keyedBy: PathKey.self) { return .object(members) }
    if let elements = try? decoder.unkeyedContainer() { return .array(elements) }
    return .other
  }
}

extension DocumentDecoder {
  /// The shape of the stored value.
  fileprivate var shape: ValueReader.Shape {
    // These do not fail: the decoder has the value.
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
