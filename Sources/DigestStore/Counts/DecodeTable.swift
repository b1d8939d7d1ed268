import ResilientDecoding

/// Decodes of a model and release in one hour, counted by one store.
struct DecodeRecord: Equatable {
  /// Identifies the count in all stores: a random number.
  let origin: Int64
  let hour: Int64
  let model: String
  let release: String?

  /// The number of clean decodes, which had no error.
  let decodes: Int64
}

/// Writes to the table `decode`. Its methods run in a transaction of the caller.
///
/// A row of clean decodes belongs to the store that made it, and is copied to others with its
/// origin. A copy is only ever raised to the row's newer count, so nothing is counted twice.
final class DecodeTable {
  private static let newest =
    "(SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded_through) FROM store)"

  private let grow: Statement
  private let add: Statement
  private let raise: Statement
  private let addFolded: Statement

  init(_ connection: Connection) throws {
    grow = try Statement(
      connection,
      """
      UPDATE decode
      SET decodes = min(decodes + ?4, \(Int64.maximumCount)), written_after = \(Self.newest)
      WHERE hour = ?1 AND model_id = ?2 AND release_id = ?3 AND is_own
      RETURNING 1
      """
    )
    add = try Statement(
      connection,
      """
      INSERT INTO decode (hour, model_id, release_id, decodes, origin, is_own, written_after)
      VALUES (?, ?, ?, ?, ?, 1, \(Self.newest))
      """
    )
    // Decodes whose hours were summed may include those of this row.
    raise = try Statement(
      connection,
      """
      INSERT INTO decode (hour, model_id, release_id, decodes, origin, is_own, written_after)
      SELECT ?1, ?2, ?3, ?4, ?5, 0, \(Self.newest)
      WHERE ?1 >= (SELECT coarse_before FROM store)
      ON CONFLICT DO UPDATE SET decodes = excluded.decodes, written_after = excluded.written_after
      WHERE decodes < excluded.decodes
      """
    )
    addFolded = try Statement(
      connection,
      """
      INSERT INTO decode (hour, model_id, release_id, decodes, origin, is_own, written_after)
      VALUES (?, ?, ?, ?, \(DecodeOrigin.digests), 0, 0)
      ON CONFLICT DO UPDATE SET decodes = min(decodes + excluded.decodes, \(Int64.maximumCount))
      """
    )
  }

  /// Adds clean decodes that this store has counted.
  func add(_ decodes: Int64, inHour hour: Int64, model: Int64, release: Int64) throws {
    let row = [hour, model, release, decodes].map(SQLiteValue.integer)
    if try grow.firstRow(row, { _ in true }) == true { return }
    try add.run(row + [.integer(.random(in: 1 ... .max))])
  }

  /// Adds clean decodes that another store has counted, unless they are known.
  func add(_ record: DecodeRecord, model: Int64, release: Int64) throws {
    try raise.run(
      [record.hour, model, release, record.decodes, record.origin].map(SQLiteValue.integer))
  }

  /// Adds folded digests.
  func add(digests: Int64, inHour hour: Int64, model: Int64, release: Int64) throws {
    try addFolded.run([hour, model, release, digests].map(SQLiteValue.integer))
  }
}

/// The origins of rows that no other store has.
enum DecodeOrigin {
  /// The digests that were folded.
  static let digests: Int64 = -1

  /// Clean decodes of several rows, added up to save space.
  static let sums: Int64 = 0
}
