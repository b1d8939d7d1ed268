import DigestStore

extension StoreOptions {
  /// Finds the digest id that begins with a text.
  ///
  /// - Parameter failure: makes the failure if there is more than one such id.
  /// - Throws: that failure, or one with status 66 if there is none.
  func wholeID(
    _ text: String, in store: DigestStore, failure: (String) -> Failure = Failure.badInput
  ) throws -> String {
    let found = try store.digestIDs(abbreviatedAs: text, limit: 3)
    guard found.count < 2 else {
      let some = found.prefix(2).joined(separator: ", ")
      throw failure(
        "digest \(text) may be \(some)\(found.count > 2 ? " or others" : ""); write more of the id")
    }
    guard let id = found.first else { throw Failure.missing(noDigest(text)) }
    return id
  }

  func noDigest(_ id: String) -> String {
    "no digest \(id) in \(displayPath): it may have been evicted and is still counted then; "
      + "digest-query digests lists the digests that are left"
  }
}
