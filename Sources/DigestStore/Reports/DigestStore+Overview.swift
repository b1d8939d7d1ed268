#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DigestStore {
  /// Answers the questions of a first look, with the first rows of each report.
  ///
  /// The counts are those that ``totals(matching:)``, ``models(matching:limit:)``,
  /// ``novelValues(matching:limit:)``, ``failures(matching:limit:)``,
  /// ``newFailures(matching:limit:)`` and ``trend(matching:by:groupedBy:limit:reaching:)`` give, all
  /// of one moment of the file.
  ///
  /// New is what was first met in the release that the filter names. Without one it is what was
  /// first met in the window's last seven days, in UTC; where nothing is older than those, what was
  /// first met in the newest release.
  ///
  /// - Parameters:
  ///   - filter: which errors count.
  ///   - limit: the most rows of each report.
  ///   - end: a moment up to which the window reaches at least, if it has no end.
  /// - Throws: ``DigestStoreError`` as ``novelValues(matching:limit:)`` does.
  public func overview(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int,
    reaching end: Date? = nil
  ) throws -> Overview {
    try snapshot { snapshot in
      try OverviewCount(snapshot, filter, limit: limit, reaching: end.map { Moment($0) }).overview()
    }
  }
}
