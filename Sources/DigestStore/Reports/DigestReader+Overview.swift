package import ResilientPlatform

extension DigestReader {
  /// Returns an overview: totals, a trend, and the first rows of each report.
  ///
  /// The counts are those of ``totals(matching:)``, ``models(matching:by:limit:)``,
  /// ``novelValues(matching:limit:)``, ``failures(matching:limit:)``,
  /// ``newFailures(matching:limit:)`` and ``trend(matching:by:groupedBy:limit:reaching:rates:)``,
  /// all from one snapshot of the file.
  ///
  /// A failure is new if it first occurred in the releases of the filter. Without releases, it is
  /// new if it first occurred in the last seven days of the window, in UTC. If nothing is older
  /// than those days, it is new if it first occurred in the newest release.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows of each report.
  ///   - end: a time that the window includes if the filter has no upper bound.
  ///   - latest: the latest end of the trend; errors after it are only in the other counts.
  /// - Throws: ``DigestStoreError`` as ``failures(matching:limit:)`` does.
  package func overview(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int,
    reaching end: Date? = nil,
    atMost latest: Date? = nil
  ) throws -> DigestStore.Overview {
    try snapshot { connection in
      try OverviewCount(
        connection, filter, limit: max(0, limit), reaching: end.map { Moment($0) },
        atMost: latest.map { Moment($0) }
      ).overview()
    }
  }
}
