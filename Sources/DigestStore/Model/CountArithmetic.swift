extension Int64 {
  /// The largest count and row id that a store writes. A larger number means that the file is
  /// damaged.
  static let maximumCount: Int64 = 1 << 53
}

/// Addition that stops at the largest count, because a damaged file may contain any number.
extension FixedWidthInteger {
  /// The sum of two counts, at most `Int64.maximumCount`.
  package func adding(count: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(count)
    let maximum = Self(clamping: Int64.maximumCount)
    return isTooLarge ? maximum : Swift.min(sum, maximum)
  }
}

extension Sequence {
  /// The sum of the counts of all elements, at most `Int64.maximumCount`.
  package func sum<Count: FixedWidthInteger>(of count: (Element) -> Count) -> Count {
    reduce(0) { $0.adding(count: count($1)) }
  }
}
