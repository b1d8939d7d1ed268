import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// How many decodes are by apps that do not have a failure.
  public struct Adoption: Sendable, Hashable, Codable {
    /// The decodes of a day in UTC.
    public struct Day: Sendable, Hashable, Codable {
      /// The start of the day.
      public let start: Date
      /// The decodes of the model.
      public let decodes: Int
      /// Those by releases in which the failure was never seen.
      public let unaffected: Int

      /// ``unaffected`` as a share of ``decodes``, from 0 to 1; nil without decodes.
      public var share: Double? { decodes > 0 ? Double(unaffected) / Double(decodes) : nil }
    }

    /// The failure, with its counts.
    public let failure: FailureCount
    /// The days with decodes, from the one on which the failure was first seen.
    public let days: [Day]
    /// The releases with decodes on the last of these days in which the failure was never seen, oldest
    /// first.
    public let releases: [String]
  }
}

extension DigestReader {
  /// Counts, for each failure, the decodes of its model by releases that never reported it: those of
  /// apps that know a value by now, or have not met it yet.
  ///
  /// The share of a release with few decodes says little. Decodes without a release count as one release.
  ///
  /// - Parameters:
  ///   - filter: the failures and the decodes. Its window and releases choose decodes alone. None of it
  ///     limits the times, environments and operations in which a release may have had the failure.
  ///   - limit: the most failures to return, most frequent first; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func adoption(
    matching filter: DigestFilter, limit: Int? = nil
  ) throws -> [DigestStore.Adoption] {
    try snapshot { connection in
      let rows = try FailureQuery(connection, filter.ofAdoption).read(limit: limit)
      return try connection.adoption(of: rows, filter)
    }
  }
}

extension DigestFilter {
  /// The filter for failures of all time and of all releases: its window and releases choose decodes.
  fileprivate var ofAdoption: Self {
    limited(to: TimeWindow(since: nil, until: nil)).ofAllReleases
  }
}

extension Engine {
  /// The adoption of failures, in their order.
  func adoption(of rows: [FailureRow], _ filter: DigestFilter) throws -> [DigestStore.Adoption] {
    guard let first = rows.map(\.failure.firstSeen).min(), let counted = try decodeWindow(filter)
    else {
      return rows.map { DigestStore.Adoption(failure: $0.failure, days: [], releases: []) }
    }
    let day = 24 * Moment.hour
    let begin = Moment(milliseconds: Moment(first).milliseconds / day * day)
    let window = TimeWindow(since: max(counted.since ?? .earliest, begin), until: counted.until)
    let releases = try releases(ofFailures: rows.map(\.id))
    let decodes = try GroupedCounts(
      self, of: .decodes, filter, in: window, by: [.model, .release], per: .day)
    let counts = try Dictionary(
      grouping: decodes.rows().filter { $0.decodes > 0 }, by: \.names[0].text)
    return rows.map { row in
      let start = Moment(row.failure.firstSeen).milliseconds / day * day
      let affected = releases[row.id] ?? []
      let ofModel = (counts[row.failure.model] ?? []).filter { $0.start >= start }
      let days = Dictionary(grouping: ofModel, by: \.start).sorted { $0.key < $1.key }.map {
        start, counts in
        DigestStore.Adoption.Day(
          start: Moment(milliseconds: start).date,
          decodes: Int(clamping: counts.sum(of: \.decodes)),
          unaffected: Int(
            clamping: counts.filter { !affected.contains($0.names[1]) }.sum(of: \.decodes)))
      }
      let last = ofModel.map(\.start).max()
      let others = Set(ofModel.filter { $0.start == last }.map(\.names[1])).subtracting(affected)
        .map(\.text)
      return DigestStore.Adoption(
        failure: row.failure, days: days,
        releases: others.filter { !$0.isEmpty }.sorted().sortedByAge)
    }
  }

  /// The releases in which failures were ever seen, in any environment and operation, by the id of
  /// the failure.
  private func releases(ofFailures failures: [Int64]) throws -> [Int64: Set<BinaryString>] {
    let all = DigestFilter()
    let totals = try TotalRows(self, all, splitsContexts: true)
    var values = all.values()
    values[":failures"] = .integers(failures)
    let rows = try rows(
      """
      SELECT DISTINCT t.failure, x.release
      FROM (\(totals.sql(where: "failure IN (SELECT value FROM json_each(:failures))", isOfFewFailures: true))) AS t
      CROSS JOIN context AS x ON x.id = t.context
      """, values
    ) { ($0.integer(at: 0), BinaryString($0.text(at: 1) ?? "")) }
    return Dictionary(grouping: rows, by: \.0).mapValues { Set($0.map(\.1)) }
  }
}
