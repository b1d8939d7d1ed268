extension DigestReader {
  /// The progress of an operation that may take long.
  public struct Progress: Sendable, Hashable {
    /// The unit of progress.
    public enum Unit: String, Sendable {
      /// Bytes read from a file or pipe.
      case bytes
      /// Digests processed.
      case digests
      /// Rows sent by a push: counts, names and digests.
      case rows
    }

    /// The unit of the numbers. An import counts bytes while it scans a file, and then digests. A
    /// push counts rows while it sends a store, and the digests of the stores that it has sent.
    public let unit: Unit

    /// The number of units done.
    public let done: Int

    /// The total number of units; nil if it is not known yet.
    public let total: Int?
  }
}
