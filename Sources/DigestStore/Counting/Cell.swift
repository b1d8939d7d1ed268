/// How often a failure occurred in one period and release, or how often a model had one.
struct Cell: Hashable {
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
  mutating func add(_ other: Cell) {
    // A file that was tampered with may have numbers of any size: a wrong sum, but no crash.
    occurrences &+= other.occurrences
    digests &+= other.digests
    sharedDigests &+= other.sharedDigests
    first = min(first, other.first)
    last = max(last, other.last)
  }
}

extension Cell {
  /// A failure that did not occur.
  static func none(of failure: Int64) -> Cell {
    Cell(failure: failure, occurrences: 0, digests: 0, sharedDigests: 0, first: .max, last: .min)
  }

  /// Whether nothing was counted.
  var isNone: Bool { digests == 0 }
}
