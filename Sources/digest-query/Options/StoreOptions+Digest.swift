import DigestStore

extension StoreOptions {
  /// Finds the digest id that a text abbreviates; nil if there is none.
  ///
  /// - Throws: an ``ExitFailure`` of usage if there is more than one such id.
  func wholeID(_ text: String, in store: DigestReader) throws -> String? {
    let found = try store.digestIDs(abbreviatedAs: text, limit: 3)
    guard found.count < 2 else {
      let some = found.prefix(2).joined(separator: ", ")
      throw ExitFailure.usage(
        "digest \(text) may be \(some)\(found.count > 2 ? " or others" : ""); write more of the id")
    }
    return found.first
  }

  /// The failure for an id that the store does not have, with status 66.
  func noDigest(_ id: String) -> ExitFailure {
    ExitFailure.missing(
      "no digest \(id) in \(name): it may have been evicted and is still counted then; "
        + "digest-query digests lists the digests that are left")
  }
}
