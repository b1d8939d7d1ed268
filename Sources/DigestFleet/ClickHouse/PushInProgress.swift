import ResilientPlatform

/// The values that all rows of a push share.
struct PushInProgress {
  /// When it began, before it read the store, in microseconds. Distinguishes its rows from those of
  /// other pushes.
  let time = Int64(Date().timeIntervalSince1970 * 1_000_000)

  /// The number up to which digests are counted, by source.
  var counted: [Int64: Int64] = [:]

  /// The sources of contexts.
  var sources: [Int64: Int64] = [:]

  func counted(ofContext context: Int64) -> Int64 { sources[context].flatMap { counted[$0] } ?? 0 }
}
