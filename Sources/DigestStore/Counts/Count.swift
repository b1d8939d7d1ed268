/// The count of one failure in one period and release, or of one model.
struct Count: Hashable {
  /// The id of the failure, or of the model where models are counted.
  var id: Int64

  /// The number of errors.
  var occurrences: Int64

  /// The number of digests that contain at least one of the errors.
  var digests: Int64

  /// The number of digests that also contain an earlier failure with the same novel value.
  var sharedDigests: Int64

  /// The times of the first and the last error, in milliseconds since 1970.
  var first: Int64
  var last: Int64

  /// Adds another count of the same failure.
  mutating func add(_ other: Count) {
    occurrences = occurrences.adding(count: other.occurrences)
    digests = digests.adding(count: other.digests)
    sharedDigests = sharedDigests.adding(count: other.sharedDigests)
    first = min(first, other.first)
    last = max(last, other.last)
  }
}

extension Count {
  /// Returns an empty count: the failure did not occur.
  static func none(of id: Int64) -> Count {
    Count(id: id, occurrences: 0, digests: 0, sharedDigests: 0, first: .max, last: .min)
  }

  /// Whether all values are in the ranges that a store can write.
  var isSound: Bool {
    1...Int64.maximumCount ~= id && 0...Int64.maximumCount ~= occurrences
      && 1...Int64.maximumCount ~= digests && 0...digests ~= sharedDigests
      && Moment.earliest.milliseconds <= first && first <= last
      && last <= Moment.latest.milliseconds
  }

  /// The error for packed counts that no store can have written.
  static let damage = UnreadableRow("packed counts cannot be read")

  /// Whether nothing was counted.
  var isNone: Bool { digests == 0 }
}

/// A table of packed counts.
enum CountTable: String, CaseIterable {
  /// Counts failures.
  case failures = "period"

  /// Counts models: all their errors, and the digests that contain at least one.
  case models = "model_period"
}
