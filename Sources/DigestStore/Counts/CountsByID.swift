/// Adds up counts by failure or by model.
struct CountsByID {
  private var sums: DenseMap<Count>

  /// - Parameters:
  ///   - last: the largest expected id.
  ///   - isSparse: whether only few of many failures have counts.
  init(upTo last: Int64 = 0, isSparse: Bool = false) {
    sums = DenseMap(.none(of: 0), upTo: last, isSparse: isSparse)
  }

  mutating func add(_ count: Count) {
    sums.update(count.id) { sum in
      sum.id = count.id
      sum.add(count)
    }
  }

  /// The count of a failure; nil if it did not occur.
  subscript(failure: Int64) -> Count? {
    let count = sums[failure]
    return count.isNone ? nil : count
  }

  /// The counts of all failures that occurred, unsorted.
  var counts: [Count] { sums.values { !$0.isNone } }

  /// The number of errors of all failures together.
  var occurrences: Int64 { counts.sum(of: \.occurrences) }

  /// Returns the counts of the given failures only.
  ///
  /// - Parameter last: the largest expected id.
  func only(_ failures: [Int64], upTo last: Int64) -> CountsByID {
    var sums = CountsByID(upTo: last)
    for failure in failures {
      if let count = self[failure] { sums.add(count) }
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
    for (failure, value) in values.valueIDs {
      guard var count = sums[failure] else { continue }
      sums.sums.update(failure) { $0 = .none(of: failure) }
      guard let value else { continue }
      count.id = value
      sums.add(count)
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
