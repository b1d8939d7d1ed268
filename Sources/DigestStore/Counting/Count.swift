/// The numbers of a file may be any, and their sums too: these stop at the largest count.
extension FixedWidthInteger {
  /// The sum of two counts, at most ``CellEncoder/maximumCount``.
  package func adding(count: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(count)
    let maximum = Self(clamping: CellEncoder.maximumCount)
    return isTooLarge ? maximum : Swift.min(sum, maximum)
  }
}

extension Sequence {
  /// The sum of the counts of all elements, at most ``CellEncoder/maximumCount``.
  package func sum<Count: FixedWidthInteger>(of count: (Element) -> Count) -> Count {
    reduce(0) { $0.adding(count: count($1)) }
  }
}
