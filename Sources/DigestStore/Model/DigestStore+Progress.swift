extension DigestStore {
  /// How far work has come that may take long.
  public struct Progress: Sendable, Hashable {
    /// What is counted.
    public enum Unit: String, Sendable {
      /// Bytes of a file or pipe that have been read.
      case bytes
      /// Digests that have been handled.
      case digests
      /// Hours, days and all time of a release, whose counts have been sent.
      case periods
    }

    /// What is counted. An import counts bytes while it looks through a file, and then digests.
    public let unit: Unit

    /// How many are done.
    public let done: Int

    /// How many there are in all; nil where nobody knows yet.
    public let total: Int?

    package init(unit: Unit, done: Int, total: Int?) {
      self.unit = unit
      self.done = done
      self.total = total
    }
  }
}
