/// A table of the current schema, with the columns that a file must have.
struct StoredTable {
  struct Column {
    let name: String
    let type: String

    /// The position in the primary key, starting at 1; 0 if the column is not part of it.
    let key: Int

    /// The range of numbers that a store writes; nil if the column has no numbers.
    let numbers: ClosedRange<Int64>?
  }

  let name: String
  let columns: [Column]

  private init(_ name: String, _ columns: Column...) {
    self.name = name
    self.columns = columns
  }
}

extension StoredTable {
  private static let hours = 0...Moment.latest.hour + 24
  private static let moments = Moment.earliest.milliseconds...Moment.latest.milliseconds
  private static let uses = -1...Moment.latest.milliseconds
  private static let counts = 0...Int64.maximumCount
  private static let ids = StoredNumbers.ids
  private static let flags = Int64(0)...1

  static let all = [
    StoredTable(
      "store", .key("id", 1...1), .text("identity"), .integer("folded_through", counts),
      .integer("evicted_through", counts), .integer("coarse_before", hours),
      .integer("sample_generation", counts)),
    StoredTable("model", .key("id", ids), .text("name")),
    StoredTable("release", .key("id", counts), .text("name")),
    StoredTable(
      "failure", .key("id", ids), .integer("model_id", ids), .text("coding_path"),
      .text("path_format"), .text("kind"), .text("expected_type"), .text("novel_value"),
      .text("value_type"), .integer("value_id", ids), .text("message"), .text("found_type"),
      .other("found_value", "ANY"), .integer("found_default", flags),
      .integer("message_cleared", flags), .integer("found_cleared", flags),
      .integer("found_at", moments)),
    StoredTable(
      "digest", .key("id", ids), .integer("recorded_at", moments), .integer("model_id", ids),
      .integer("release_id", counts), .text("entries"), .text("omissions")),
    StoredTable("foreign_digest", .key("digest_id", ids), .text("external_id")),
    StoredTable(
      "hour", .key("hour", hours), .integer("first_digest_id", ids),
      .integer("last_digest_id", ids)),
    StoredTable(
      "decode", .key("hour", -1...hours.upperBound), .key("model_id", ids, at: 2),
      .key("release_id", counts, at: 3), .key("origin", -1...Int64.max, at: 4),
      .integer("is_own", 0...1), .integer("decodes", counts), .integer("written_after", counts)),
    StoredTable(
      "loss", .text("reason", key: 1), .key("hour", hours, at: 2), .integer("digests", counts),
      .integer("occurrences", counts), .text("note")),
    StoredTable(
      "background_process", .key("id", ids), .integer("process", 0...Int64(Int32.max)),
      .text("namespace"), .integer("since", moments)),
    StoredTable(
      "lifetime", .key("failure_id", ids), .integer("occurrences", counts),
      .integer("digests", counts), .integer("shared_digests", counts),
      .integer("first_seen", moments), .integer("last_seen", moments),
      .integer("message_used", uses), .integer("found_used", uses)),
    StoredTable(
      "period", .key("id", ids), .integer("span", Period.merged...24), .integer("start", hours),
      .integer("release_id", counts), .other("cells", "BLOB")),
    StoredTable(
      "model_period", .key("id", ids), .integer("span", 0...24), .integer("start", hours),
      .integer("release_id", counts), .other("cells", "BLOB")),
  ]
}

extension StoredTable.Column {
  fileprivate static func key(_ name: String, _ numbers: ClosedRange<Int64>, at key: Int = 1)
    -> Self
  {
    Self(name: name, type: "INTEGER", key: key, numbers: numbers)
  }

  fileprivate static func integer(_ name: String, _ numbers: ClosedRange<Int64>) -> Self {
    Self(name: name, type: "INTEGER", key: 0, numbers: numbers)
  }

  fileprivate static func text(_ name: String, key: Int = 0) -> Self {
    Self(name: name, type: "TEXT", key: key, numbers: nil)
  }

  fileprivate static func other(_ name: String, _ type: String) -> Self {
    Self(name: name, type: type, key: 0, numbers: nil)
  }
}

/// Checks the numbers in a file.
enum StoredNumbers {
  /// The ids of rows.
  static let ids = 1...Int64.maximumCount

  /// Counts the rows with numbers that no store writes.
  ///
  /// - Returns: a sentence for each table that has such rows.
  static func problems(_ connection: Connection) throws -> [String] {
    try StoredTable.all.compactMap { table in
      let conditions = table.columns.compactMap { column in
        column.numbers.map {
          """
          (\(column.name) IS NOT NULL AND NOT (typeof(\(column.name)) = 'integer'
            AND \(column.name) BETWEEN \($0.lowerBound) AND \($0.upperBound)))
          """
        }
      }
      let count =
        try connection.integer(
          "SELECT count(*) FROM \(table.name) WHERE \(conditions.joined(separator: " OR "))") ?? 0
      return count == 0 ? nil : "\(count) rows of \(table.name) have numbers that no store writes"
    }
  }
}
