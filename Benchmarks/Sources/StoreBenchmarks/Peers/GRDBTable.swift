import Foundation
import GRDB
import ResilientDecoding

/// A row for each error, as an app would write it with GRDB: with records, a pool, and a
/// transaction for each digest.
struct GRDBTable: Sendable {
  private let pool: DatabasePool

  init(path: String, isFull: Bool = false) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    pool = try DatabasePool(path: path, configuration: configuration)
    if isFull {
      // The pool has set it to NORMAL. Its only writer keeps the new value.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
    try pool.write { database in
      try database.create(table: Occurrence.databaseTableName) { table in
        table.column("digestID", .integer).notNull()
        table.column("recordedAt", .integer).notNull()
        table.column("release", .text)
        table.column("model", .text).notNull()
        table.column("codingPath", .text).notNull()
        table.column("kind", .text).notNull()
        table.column("expectedType", .text)
        table.column("novelValue", .text)
        table.column("valueType", .text)
        table.column("message", .text)
      }
    }
  }

  func write(_ occurrences: [Occurrence]) throws {
    try pool.write { database in
      for occurrence in occurrences { try occurrence.insert(database) }
    }
  }

  struct Occurrence: Codable, PersistableRecord, Sendable {
    static let databaseTableName = "occurrence"

    let digestID: Int64
    let recordedAt: Int64
    let release: String?
    let model: String
    let codingPath: String
    let kind: String
    let expectedType: String?
    let novelValue: String?
    let valueType: String?
    let message: String?
  }
}

extension GRDBTable.Occurrence {
  /// The records of a decode.
  static func all(of decode: FailedDecode, digest: Int64) -> [Self] {
    decode.digest.entries.map { entry in
      Self(
        digestID: digest,
        recordedAt: Int64(Date().timeIntervalSince1970 * 1_000),
        release: "4.0.0",
        model: Shape.modelNames[decode.model],
        codingPath: entry.codingPath.description,
        kind: entry.kind.rawValue,
        expectedType: entry.expectedType,
        novelValue: entry.novelValue?.text,
        valueType: entry.novelValue?.type,
        message: entry.message
      )
    }
  }
}
