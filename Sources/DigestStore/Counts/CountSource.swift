/// Provides the counts of a store, and adds them up: the tables of a file, or a server.
package protocol CountSource {
  /// Whether the store has the counted digests, or had them before they were deleted.
  ///
  /// Without digests, windows are counted in whole hours, and nothing is counted by minute.
  var hasDigests: Bool { get }

  /// Whether a digest with several failures of one novel value counts as shared for all of them but
  /// the one with the lowest id.
  ///
  /// If false, it counts as shared for all but any one of them.
  var sharesInOrderOfIDs: Bool { get }

  /// The names of the stores that queries can separate, by their ids; nil if there are none.
  var storeNames: [Int64: String]? { get }

  /// Passes counts to `body` that add up to all that match a query. Ids are those of the store's
  /// names.
  func forEachCount(
    _ query: CountQuery,
    _ body: (_ count: Count, _ release: Int64) throws -> Void
  ) throws

  /// Returns the occurrences of all time of each failure, with the failure's id as the index.
  ///
  /// - Returns: nil if this would read all counts.
  func occurrencesOfAllTime() throws -> [Int64]?

  /// Returns the first hour with a clean decode, in hours since 1970; nil if none was counted. -1 if
  /// that hour is unknown.
  func firstDecodeHour() throws -> Int64?

  /// Passes counts to `body` that add up to the clean decodes that match a query.
  func forEachDecodeCount(_ query: DecodeQuery, _ body: (DecodeCount) throws -> Void) throws
}

/// The defaults describe a server, which has only counts, of stores that number their failures
/// independently.
extension CountSource {
  package var hasDigests: Bool { false }
  package var sharesInOrderOfIDs: Bool { false }
  package var storeNames: [Int64: String]? { nil }
  package func occurrencesOfAllTime() throws -> [Int64]? { nil }
  package func firstDecodeHour() throws -> Int64? { nil }
  package func forEachDecodeCount(
    _ query: DecodeQuery, _ body: (DecodeCount) throws -> Void
  ) throws {}
}

/// The counts to read, and whether their source may add them up.
package struct CountQuery: Sendable {
  package let table: CountTable

  /// The length of the periods in hours, 0 for all time, and the range of hours in which they
  /// begin.
  package let span: Int64
  package let hours: Range<Int64>

  /// The ids of the releases; nil for all.
  package let releases: [Int64]?

  /// The ids of the failures or models to return, in ascending order; nil for all. The source may
  /// return others as well.
  package let ids: [Int64]?

  /// Whether the source returns separate counts for each release, and for each period. In the
  /// counts of failures by period, only the occurrences and the period of the first moment matter.
  package let isByRelease: Bool
  package let isByPeriod: Bool

  /// Whether the source returns separate counts for each store, with the store's id in place of the
  /// release's. Only for a source with ``CountSource/storeNames``.
  package var isByStore = false

  package init(
    table: CountTable, span: Int64, hours: Range<Int64>, releases: [Int64]?, ids: [Int64]? = nil,
    isByRelease: Bool = false, isByPeriod: Bool = false, isByStore: Bool = false
  ) {
    self.table = table
    self.span = span
    self.hours = hours
    self.releases = releases
    self.ids = ids
    self.isByRelease = isByRelease
    self.isByPeriod = isByPeriod
    self.isByStore = isByStore
  }
}
