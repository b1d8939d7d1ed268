/// The failures that were read last, of which digests say only the numbers.
///
/// Samples may be cleared and replaced while pages are read. What is remembered stays right for the
/// digests that were there at the first page: a sample stays as long as one of them leaves it out.
struct StoredFailures: Sendable {
  private var failures = GenerationCache<StoredFailure>(limit: 1 << 20) { $0.cost }

  /// Reads a failure.
  ///
  /// - Throws: ``UnreadableRow`` where there is none of this number.
  /// - Parameter find: ``StoredFailure/statement(_:_:)``.
  mutating func failure(
    _ id: Int64,
    _ find: borrowing Statement
  ) throws -> StoredFailure {
    try failures.value(id) { try StoredFailure.find(id, find) }
  }
}
