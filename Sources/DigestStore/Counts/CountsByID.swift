/// Adds up counts by failure or by model.
struct CountsByID {
  private var sums: DenseMap<Count>

  /// - Parameters:
  ///   - last: the largest expected id.
  ///   - isSparse: whether only few of many failures have counts.
  init(upTo last: Int64 = 0, isSparse: Bool = false) {
    sums = DenseMap(.none(of: 0), upTo: last, isSparse: isSparse)
  }

  mutating func add(_ cell: Count) {
    sums.update(cell.failure) { sum in
      sum.failure = cell.failure
      sum.add(cell)
    }
  }

  /// The count of a failure; nil if it did not occur.
  subscript(failure: Int64) -> Count? {
    let cell = sums[failure]
    return cell.isNone ? nil : cell
  }

  /// The counts of all failures that occurred, unsorted.
  var cells: [Count] { sums.values { !$0.isNone } }

  /// The number of errors of all failures together.
  var occurrences: Int64 { cells.sum(of: \.occurrences) }

  /// Returns the counts of the given failures only.
  ///
  /// - Parameter last: the largest expected id.
  func only(_ failures: [Int64], upTo last: Int64) -> CountsByID {
    var sums = CountsByID(upTo: last)
    for failure in failures {
      if let cell = self[failure] { sums.add(cell) }
    }
    return sums
  }

  /// Sets the number of a failure's digests that contain an earlier failure with the same novel
  /// value.
  mutating func setSharedDigests(_ count: Int64, of failure: Int64) {
    sums.update(failure) { $0.sharedDigests = count }
  }

  /// Returns counts of novel values instead of failures. Each is stored under the first failure
  /// with the value, and counts a digest once.
  ///
  /// - Parameter countsDigests: false if the digests of a value do not matter; then a digest counts
  ///   once for each failure.
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
