#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that the backend sends and the app does not know, and how often it does.
public struct NovelValueCount: Sendable, Hashable {
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  public let novelValue: String
  /// The type of the raw value; nil only for what was imported without one.
  public let valueType: String?
  /// How many errors.
  public let occurrences: Int
  /// How many digests had at least one of them.
  public let digests: Int
  public let firstSeen: Date
  public let lastSeen: Date
}

extension DigestStore {
  /// Counts the novel values, the most frequent first.
  ///
  /// The counts are exact under every filter, to the millisecond; `firstSeen` and `lastSeen` are of
  /// the occurrences that the filter lets through. What is equally frequent is in the order of
  /// model, coding path and value.
  ///
  /// - Parameter limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func novelValues(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [NovelValueCount] {
    let query = CountQuery(filter)
    let sql = """
      SELECT m.name, f.coding_path, f.novel_value, f.value_type,
        sum(c.occurrences) AS occurrences, sum(c.digests - c.shared_digests) AS digests,
        min(c.first_seen), max(c.last_seen)
      FROM (\(query.counted)) AS c
      JOIN failure AS f ON f.id = c.failure_id
      JOIN model AS m ON m.id = f.model_id
      WHERE f.value_id IS NOT NULL AND \(filter.failureCondition)
      GROUP BY f.value_id
      ORDER BY occurrences DESC, m.name, f.coding_path, f.novel_value, f.value_type
      LIMIT :limit
      """
    return try read { connection in
      try connection.rows(sql, query.values.limited(to: limit)) { row in
        NovelValueCount(
          model: row.text(at: 0) ?? "",
          codingPath: row.text(at: 1) ?? "",
          novelValue: row.text(at: 2) ?? "",
          valueType: row.text(at: 3),
          occurrences: Int(row.integer(at: 4)),
          digests: Int(row.integer(at: 5)),
          firstSeen: row.moment(at: 6).date,
          lastSeen: row.moment(at: 7).date
        )
      }
    }
  }
}
