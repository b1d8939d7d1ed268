public import ResilientDecoding

// A row has its coding path as text, which sorts and filters use and which is no path if it stands
// for those over a limit.

extension DigestStore.FailureCount {
  /// The coding path as a path; nil if the row counts failures over a limit.
  public var path: ErrorDigest.Path? { ErrorDigest.Path(stored: codingPath) }
}

extension DigestStore.FailureChange {
  /// The coding path as a path; nil if the row counts failures over a limit.
  public var path: ErrorDigest.Path? { ErrorDigest.Path(stored: codingPath) }
}

extension ErrorDigest.Path {
  /// Nil for the text that stands for all paths over a limit.
  init?(stored text: String) {
    guard text != Overflow.codingPath else { return nil }
    self.init(text)
  }
}
