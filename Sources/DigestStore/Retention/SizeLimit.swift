/// The largest size of a file, and the size to which an eviction then shrinks it, in bytes.
struct SizeLimit: Equatable {
  /// The smallest limit. Smaller ones are raised to it.
  static let minimum = 1 << 20

  /// The largest size of the write-ahead log, whatever the limit.
  static let log = 4 << 20

  /// The approximate largest number of bytes that one transaction adds to the log.
  private static let transaction = 128 << 10

  /// The largest size of the file and its log together.
  let maximum: Int

  /// The size above which digests are deleted.
  let high: Int

  /// The size at which deletion ends.
  let low: Int

  /// The limit of a store that records. Leaves room for the log, and for writes between two checks
  /// of the size.
  init(recording maximumBytes: Int) {
    maximum = max(Self.minimum, maximumBytes)
    high = maximum - min(2 * Self.log, maximum / 15 * 2)
    low = high - high / 128
  }

  /// The limit of one prune, which empties the log at the end.
  init(once maximumBytes: Int) {
    maximum = max(Self.minimum, maximumBytes)
    high = maximum
    low = maximum
  }

  /// The limit of a file whose names and total counts alone exceed its limit. Everything else gets
  /// the smallest limit.
  init(beyond smallest: Int) {
    let limit = Self(recording: Self.minimum)
    (maximum, high, low) = (smallest + limit.maximum, smallest + limit.high, smallest + limit.low)
  }

  /// The size at which the write-ahead log must be emptied, in bytes.
  var log: Int { Self.log(maximum) }

  /// The approximate number of bytes of digests that one step deletes. Small, so that it deletes
  /// few more than necessary.
  var step: Int { min(256 << 10, maximum / 256) }

  /// The number of rows to keep for recognizing imported digests once they are deleted. They take
  /// at most an eighth of the file, and are few enough to be counted quickly.
  var foreignIDs: Int64 { Int64(min(100_000, maximum / 8 / ForeignID.bytes)) }

  /// Returns the size at which a log is copied into the file, so that another transaction fits into
  /// the log.
  static func checkpointLength(ofLog log: Int) -> Int {
    max(16 << 10, min(log / 4 * 3, log - transaction))
  }

  private static func log(_ maximum: Int) -> Int { min(log, maximum / 16) }
}
