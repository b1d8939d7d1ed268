/// How large a file may become, and how small an eviction makes it then, in bytes.
struct SizeLimit: Equatable {
  /// The smallest limit; smaller ones count as this one.
  static let minimum = 1 << 20

  /// The longest write-ahead log, whatever the limit.
  static let log = 4 << 20

  /// What one transaction adds to the log at most, about.
  private static let transaction = 128 << 10

  /// The most that the file may take, with its log.
  let maximum: Int

  /// The size above which digests are deleted.
  let high: Int

  /// The size at which deleting ends.
  let low: Int

  /// A limit of a store that records, whose log and writes between two checks of the size need room.
  init(recording maximumBytes: Int) {
    maximum = max(Self.minimum, maximumBytes)
    high = maximum - min(2 * Self.log, maximum / 15 * 2)
    low = high - high / 128
  }

  /// A limit of one prune, which empties the log in the end.
  init(once maximumBytes: Int) {
    maximum = max(Self.minimum, maximumBytes)
    high = maximum
    low = maximum
  }

  /// A limit of a file whose names and sums alone take more than it may: the smallest limit holds for
  /// everything else.
  init(beyond smallest: Int) {
    let limit = Self(recording: Self.minimum)
    (maximum, high, low) = (smallest + limit.maximum, smallest + limit.high, smallest + limit.low)
  }

  /// The length at which the write-ahead log has to be emptied.
  var log: Int { Self.log(maximum) }

  /// How many bytes of digests one step deletes, about: few, so that not many more go than have to.
  var step: Int { min(256 << 10, maximum / 256) }

  /// How many rows to keep that recognize imported digests once they are deleted: an eighth of the
  /// file, and at most as many as can be counted in no time.
  var foreignIDs: Int64 { Int64(min(100_000, maximum / 8 / ForeignID.bytes)) }

  /// The length at which a log is copied into the file, so that another transaction fits into it.
  static func checkpointLength(ofLog log: Int) -> Int {
    max(16 << 10, min(log / 4 * 3, log - transaction))
  }

  private static func log(_ maximum: Int) -> Int { min(log, maximum / 16) }
}
