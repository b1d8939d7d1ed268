/// Adds up cells by their failure, or by their model.
struct CountsByID {
  private var sums: DenseMap<Count>

  /// - Parameters:
  ///   - last: the last failure that is expected.
  ///   - isSparse: whether few of many failures are.
  init(upTo last: Int64 = 0, isSparse: Bool = false) {
    sums = DenseMap(.none(of: 0), upTo: last, isSparse: isSparse)
  }

  mutating func add(_ cell: Count) {
    sums.update(cell.failure) { sum in
      sum.failure = cell.failure
      sum.add(cell)
    }
  }

  /// What was counted of a failure; nil where it did not occur.
  subscript(failure: Int64) -> Count? {
    let cell = sums[failure]
    return cell.isNone ? nil : cell
  }

  /// What was counted of each failure that occurred, in no order.
  var cells: [Count] { sums.values { !$0.isNone } }

  /// How many errors there are of all failures.
  var occurrences: Int64 { cells.sum(of: \.occurrences) }

  /// What was counted of some failures.
  ///
  /// - Parameter last: the last failure that is expected.
  func only(_ failures: [Int64], upTo last: Int64) -> CountsByID {
    var sums = CountsByID(upTo: last)
    for failure in failures {
      if let cell = self[failure] { sums.add(cell) }
    }
    return sums
  }

  /// Says in how many digests of a failure an earlier one has the same novel value.
  mutating func setSharedDigests(_ count: Int64, of failure: Int64) {
    sums.update(failure) { $0.sharedDigests = count }
  }

  /// Counts novel values instead of failures: under the first failure of each, and a digest once.
  ///
  /// - Parameter countsDigests: false where the digests of a value do not matter; then they are those
  ///   of all its failures.
  consuming func ofNovelValues(_ values: FailureValues, countsDigests: Bool = true) -> CountsByID {
    var sums = consume self
    for (failure, value) in values.notFirst {
      guard var cell = sums[failure] else { continue }
      sums.sums.update(failure) { $0 = .none(of: failure) }
      guard let value else { continue }
      cell.failure = value
      sums.add(cell)
    }
    guard countsDigests else { return sums }
    sums.sums.updateAll { $0.countSharedDigestsOnce() }
    return sums
  }
}

extension Count {
  fileprivate mutating func countSharedDigestsOnce() {
    digests -= sharedDigests
    sharedDigests = 0
  }
}
