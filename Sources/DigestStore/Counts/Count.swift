/// The count of one failure in one period and release, or of one model.
package struct Count: Hashable, Sendable {
  /// The id of the failure, or of the model where models are counted.
  package var id: Int64

  /// The number of errors.
  package var occurrences: Int64

  /// The number of digests that contain at least one of the errors.
  package var digests: Int64

  /// The number of digests that also contain an earlier failure with the same novel value.
  package var sharedDigests: Int64

  /// The times of the first and the last error, in milliseconds since 1970.
  package var first: Int64
  package var last: Int64

  package init(
    id: Int64, occurrences: Int64, digests: Int64, sharedDigests: Int64, first: Int64, last: Int64
  ) {
    self.id = id
    self.occurrences = occurrences
    self.digests = digests
    self.sharedDigests = sharedDigests
    self.first = first
    self.last = last
  }

  /// Adds another count of the same failure or the same group of failures.
  package mutating func add(_ other: Count) {
    occurrences = occurrences.adding(count: other.occurrences)
    digests = digests.adding(count: other.digests)
    sharedDigests = sharedDigests.adding(count: other.sharedDigests)
    first = min(first, other.first)
    last = max(last, other.last)
  }
}

extension Count {
  /// Returns an empty count: the failure did not occur.
  package static func none(of id: Int64) -> Count {
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

extension Count {
  /// Returns the same count with another id.
  package func with(id: Int64) -> Count {
    var count = self
    count.id = id
    return count
  }
}

/// A table of packed counts.
package enum CountTable: Int64, CaseIterable, Sendable {
  /// Counts failures.
  case failures = 0

  /// Counts models: all their errors, and the digests that contain at least one.
  case models = 1

  /// The name of the table in a file.
  var name: String {
    switch self {
    case .failures: "period"
    case .models: "model_period"
    }
  }
}
