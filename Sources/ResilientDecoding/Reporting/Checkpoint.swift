/// Holds the errors of an attempt until it succeeds or fails.
// Sendable because its superclass is, and it adds no mutable state.
final class Checkpoint: ResilientDecodingErrorReporter, @unchecked Sendable {
  /// The reporter in the decoder's `userInfo` that this one replaces, if there is one.
  let installed: ResilientDecodingErrorReporter?

  init(maximumEntries: Int, of decoder: any Decoder) {
    let enclosing = Self.current
    installed =
      enclosing == nil
      ? decoder.userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
      : (enclosing as? Checkpoint)?.installed
    super.init(maximumEntries: maximumEntries)
  }
}
