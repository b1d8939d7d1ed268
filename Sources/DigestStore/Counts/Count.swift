/// How often a failure occurred in one period and release, or how often a model had one.
struct Count: Hashable {
  /// The number of the failure; where models are counted, of the model.
  var failure: Int64

  /// How many errors.
  var occurrences: Int64

  /// How many digests had at least one of them.
  var digests: Int64

  /// Those of the digests in which an earlier failure has the same novel value.
  var sharedDigests: Int64

  /// The first and the last moment, in milliseconds since 1970.
  var first: Int64
  var last: Int64

  /// Adds what was counted of the same failure elsewhere.
  mutating func add(_ other: Count) {
    occurrences = occurrences.adding(count: other.occurrences)
    digests = digests.adding(count: other.digests)
    sharedDigests = sharedDigests.adding(count: other.sharedDigests)
    first = min(first, other.first)
    last = max(last, other.last)
  }
}

extension Count {
  /// A failure that did not occur.
  static func none(of failure: Int64) -> Count {
    Count(failure: failure, occurrences: 0, digests: 0, sharedDigests: 0, first: .max, last: .min)
  }

  /// Whether a store can have counted this.
  var isSound: Bool {
    1...Int64.maximumCount ~= failure && 0...Int64.maximumCount ~= occurrences
      && 1...Int64.maximumCount ~= digests && 0...digests ~= sharedDigests
      && Moment.earliest.milliseconds <= first && first <= last
      && last <= Moment.latest.milliseconds
  }

  /// The error for a count that no store writes.
  static let damage = UnreadableRow("packed tallies cannot be read")

  /// Whether nothing was counted.
  var isNone: Bool { digests == 0 }
}
