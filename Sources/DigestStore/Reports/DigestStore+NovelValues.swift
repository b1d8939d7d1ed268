#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that the backend sends and the app does not know, and how often it does.
public struct NovelValueCount: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value, as text.
  public let novelValue: String
  /// The type of the raw value; nil only for what was imported without one.
  public let valueType: String?
  /// How many errors.
  public let occurrences: Int
  /// How many digests had at least one of them.
  public let digests: Int
  /// When the first of them was recorded.
  public let firstSeen: Date
  /// When the last of them was recorded.
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
    let sql = query.sql(
      digests: "sum(c.digests - c.shared_digests)",
      columns: "m.name, f.coding_path, f.novel_value, f.value_type",
      where: "f.value_id IS NOT NULL",
      groupBy: "f.value_id",
      thenBy: "m.name, f.coding_path, f.novel_value, f.value_type"
    )
    return try read { connection in
      try connection.rows(sql, query.values.limited(to: limit)) { row in
        NovelValueCount(
          model: row.text(at: 4) ?? "",
          codingPath: row.text(at: 5) ?? "",
          novelValue: row.text(at: 6) ?? "",
          valueType: row.text(at: 7),
          occurrences: Int(row.integer(at: 0)),
          digests: Int(row.integer(at: 1)),
          firstSeen: row.moment(at: 2).date,
          lastSeen: row.moment(at: 3).date
        )
      }
    }
  }
}
