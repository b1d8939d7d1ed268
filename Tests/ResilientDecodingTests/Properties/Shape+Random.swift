extension Shape {
  private static let leaves: [Shape] =
    [.integer, .byte, .double, .boolean, .string]
    + RawShape.allCases.map { .raw($0) } + OpenShape.allCases.map { .open($0) }

  /// A document: a model, or a resilient collection.
  static func document(depth: Int, using random: inout some RandomNumberGenerator) -> Shape {
    if Int.random(in: 0..<5, using: &random) == 0 {
      return .resilient(collection(depth: depth, using: &random))
    }
    return record(depth: depth, using: &random)
  }

  /// The type of a resilient property, or of a part of one.
  private static func lenient(
    depth: Int,
    isOptional: Bool = true,
    using random: inout some RandomNumberGenerator
  ) -> Shape {
    guard depth > 0 else { return leaf(using: &random) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1: return leaf(using: &random)
    case 2...3 where isOptional:
      // An optional of an optional has two ways to be nil.
      return .optional(lenient(depth: depth - 1, isOptional: false, using: &random))
    case 4...5: return record(depth: depth - 1, using: &random)
    case 6: return Bool.random(using: &random) ? .node : .union
    case 7: return .resilient(lenient(depth: depth - 1, using: &random))
    default: return collection(depth: depth, using: &random)
    }
  }

  private static func collection(
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> Shape {
    let element = lenient(depth: depth - 1, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0...1: return .array(element)
    case 2...3: return .dictionary(element)
    case 4: return .numbered(element)
    case 5: return .opened(element)
    default: return .set(element)
    }
  }

  /// The type of a property without a wrapper; no dictionary, whose error would be random.
  private static func strict(
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> Shape {
    guard depth > 0 else { return leaf(using: &random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .array(strict(depth: depth - 1, using: &random))
    case 1: return .resilient(lenient(depth: depth - 1, using: &random))
    case 2: return record(depth: depth - 1, using: &random)
    case 3: return Bool.random(using: &random) ? .node : .union
    default: return leaf(using: &random)
    }
  }

  private static func record(
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> Shape {
    let members = (0..<3).map { _ in member(depth: depth, using: &random) }
    return .record(
      RecordShape(hasOddNames: Int.random(in: 0..<4, using: &random) == 0, members: members))
  }

  private static func member(
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> Member {
    // As many of this wrapper as of all others together.
    let wrapper: Member.Wrapper =
      Bool.random(using: &random)
      ? .resilient : Member.Wrapper.allCases.randomElement(using: &random)!
    let isStrict = wrapper == .plain || wrapper == .ifPresent
    return Member(
      wrapper,
      isStrict
        ? strict(depth: depth - 1, using: &random) : lenient(depth: depth - 1, using: &random),
      isStatic: Bool.random(using: &random)
    )
  }

  private static func leaf(using random: inout some RandomNumberGenerator) -> Shape {
    leaves.randomElement(using: &random)!
  }
}
