#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One error of one digest.
public struct Occurrence: Sendable, Hashable {
  /// The id of its digest, the same wherever the digest goes.
  public let digestID: String
  /// When its digest was recorded, to the millisecond.
  public let recordedAt: Date
  /// The version of the app that decoded, if it was given.
  public let release: String?
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The exact path; a pattern where a full digest has only counted.
  public let codingPath: String
  /// The raw value of an `ErrorDigest.Kind`.
  public let kind: String
  /// The type that was expected; nil where the error does not say.
  public let expectedType: String?
  /// The raw value that is unknown, if that is what went wrong.
  public let novelValue: String?
  /// The type of the raw value.
  public let valueType: String?
  /// What the decoder said of it.
  public let message: String?
  /// The raw value of an `ErrorDigest.FoundValue.ValueType`: what the payload had in this place; nil
  /// for a missing key, and where nobody could tell.
  public let foundType: String?
  /// The string, number or boolean that was found.
  public let foundValue: String?
}

extension DigestStore {
  /// How many digests are read at a time; between them the reader lets go of the file, so that its
  /// write-ahead log can be emptied.
  private static let page: Int64 = 200

  /// Hands over every digest as a line of NDJSON, without its line break, in the order of writing.
  ///
  /// A filter for models or coding paths chooses digests, which are always whole: so whoever
  /// imports them can recognise them. Digests that come in while this runs are left out.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read; what `write` throws.
  public func exportDigests(
    matching filter: DigestFilter = DigestFilter(),
    to write: (String) throws -> Void
  ) throws {
    let values = filter.values.merging(filter.windowValues) { $1 }
    try forEachPage(values) { connection, values in
      try connection.rows(ExportSQL.digests(filter), values) { $0.text(at: 0) ?? "" }
    } handle: { line in
      try write(line)
    }
  }

  /// Hands over every occurrence, in the order of writing.
  ///
  /// What a full digest has only counted comes as often as it was counted.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read; what `write` throws.
  public func exportOccurrences(
    matching filter: DigestFilter = DigestFilter(),
    to write: (Occurrence) throws -> Void
  ) throws {
    let values = filter.values.merging(filter.windowValues) { $1 }
    try forEachPage(values) { connection, values in
      try connection.rows(ExportSQL.occurrences(filter), values) { row in
        let occurrence = Occurrence(
          digestID: row.text(at: 0) ?? "",
          recordedAt: row.moment(at: 1).date,
          release: row.text(at: 2),
          model: row.text(at: 3) ?? "",
          codingPath: row.text(at: 4) ?? "",
          kind: row.text(at: 5) ?? "",
          expectedType: row.text(at: 6),
          novelValue: row.text(at: 7),
          valueType: row.text(at: 8),
          message: row.text(at: 9),
          foundType: row.text(at: 11),
          foundValue: row.text(at: 12)
        )
        return (occurrence, count: Int(row.integer(at: 10)))
      }
    } handle: { occurrence, count in
      for _ in 0..<max(0, count) { try write(occurrence) }
    }
  }

  /// Reads the rows of a page of digests, and handles them while the file is let go.
  private func forEachPage<Row: Sendable>(
    _ values: [String: SQLiteValue],
    rows: @Sendable (Connection, [String: SQLiteValue]) throws -> [Row],
    handle: (Row) throws -> Void
  ) throws {
    let (first, last) = try read { connection in
      let ends = try connection.rows("SELECT min(id), max(id) FROM digest") {
        ($0.integer(at: 0), $0.integer(at: 1))
      }
      return ends.first ?? (0, 0)
    }
    for start in stride(from: first, through: last, by: Int(Self.page)) {
      let page: [String: SQLiteValue] = [
        ":first": .integer(start),
        ":last": .integer(last - start < Self.page ? last : start + Self.page - 1),
      ]
      let values = values.merging(page) { $1 }
      for row in try read({ try rows($0, values) }) { try handle(row) }
    }
  }
}

extension DigestFilter {
  /// What is bound for a window on digests.
  fileprivate var windowValues: [String: SQLiteValue] {
    let window = window
    return [
      ":since": .integer(window.since?.milliseconds ?? .min),
      ":until": .integer(window.until?.milliseconds ?? .max),
    ]
  }
}
