/// When a file is too large, and how small it becomes then, in bytes.
///
/// What is written between two looks at the file, and its write-ahead log, need room of their own
/// below the limit.
struct SizeLimit {
  /// Less than this no file can be held to.
  static let minimum = 1 << 20

  /// How long a write-ahead log may become, whatever the file's size.
  static let log = 4 << 20

  /// What `maximumBytes` is.
  let maximum: Int

  init(_ maximumBytes: Int) {
    maximum = max(Self.minimum, maximumBytes)
  }

  /// How long the write-ahead log may become before it has to be emptied.
  var log: Int { min(Self.log, maximum / 8) }

  /// The size at which digests begin to go.
  var high: Int { maximum - 2 * log }

  /// The size at which they go no more.
  var low: Int { high / 10 * 9 }

  /// How many rows to keep to know digests from elsewhere again when they are gone: as many as take
  /// an eighth of the file, and not more than can be counted in no time.
  var foreignIDs: Int64 { Int64(min(100_000, maximum / 8 / ForeignID.bytes)) }
}
