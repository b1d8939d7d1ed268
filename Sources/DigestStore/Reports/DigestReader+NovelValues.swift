extension DigestReader {
  /// Counts the novel values, most frequent first: the failures that have one.
  ///
  /// The counts and their order are those of ``failures(matching:limit:)``. So are those of a filter
  /// whose ``DigestFilter/novelValues`` are `*`, for a report that has no such method.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func novelValues(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.FailureCount] {
    try failures(matching: filter.ofNovelValues, limit: limit)
  }
}

extension DigestFilter {
  /// The filter for those of its errors that have a novel value.
  package var ofNovelValues: Self {
    var filter = self
    if novelValues.isEmpty { filter.novelValues = ["*"] }
    return filter
  }
}
