extension DigestReader {
  /// Counts the novel values, most frequent first.
  ///
  /// They are the failures that have one, with the counts and in the order of
  /// ``failures(matching:limit:)``. For novel values alone in another report, set
  /// ``DigestFilter/novelValues`` to `*`.
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
