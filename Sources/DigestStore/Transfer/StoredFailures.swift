/// A cache of recently read failures, which digests refer to by id.
///
/// Samples may be cleared and replaced while pages are read. A cached sample stays right for the
/// digests that existed at the first page, because a sample is kept while a digest relies on it.
struct StoredFailures: Sendable {
  private var failures = GenerationCache<StoredFailure>(limit: 1 << 20) { $0.cost }

  /// Reads a failure.
  ///
  /// - Parameter find: ``StoredFailure/statement(_:_:)``.
  /// - Throws: ``UnreadableRow`` if there is no failure with this id.
  mutating func failure(
    _ id: Int64,
    _ find: borrowing Statement
  ) throws -> StoredFailure {
    try failures.value(id) { try StoredFailure.find(id, find) }
  }
}
