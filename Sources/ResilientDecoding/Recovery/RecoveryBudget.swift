import ResilientPlatform

/// What errors deep in a payload may cost.
///
/// An error has its path, and takes a decoder the square of its depth: a thousand bad values below
/// 250 levels, 6 KB, would take seconds. So the errors of one outermost resilient value have a
/// budget. Beyond it, a value deep in others throws its error on, and one further out counts as
/// malformed: the rest of it is not decoded.
@usableFromInline
enum RecoveryBudget {
  /// The number of resilient values inside each other that recover whatever errors have cost.
  static let shallowest = 16

  /// The sum of the squares of the depths, each beyond ``shallowest``: 365 errors below 250 levels,
  /// or 17,300 below 50.
  static let maximum = 20_000_000

  /// Counts a resilient value that is decoded inside others, until ``leave()``.
  @usableFromInline static func enter() { Nesting.enter() }
  @usableFromInline static func leave() { Nesting.leave() }

  /// Counts an error that is about to be recovered from.
  ///
  /// - Throws: The error, where it should be recovered from further out.
  @usableFromInline
  static func spend(on error: any Error) throws {
    let depth = Nesting.depth
    guard depth > shallowest else { return }
    let levels = max(depth, (error as? DecodingError)?.depth ?? 0) - shallowest
    if Nesting.add(cost: levels * levels) > maximum { throw error }
  }
}

extension DecodingError {
  /// The number of levels above the error.
  fileprivate var depth: Int {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.count
    @unknown default: 0
    }
  }
}
