/// The ids of imported digests that have been deleted. Stored in the same table as the ids of
/// existing ones.
///
/// Ranges of one store never share a number: if an id has a number of a range but is not part of
/// it, the table keeps its hash instead. So only the last range that begins at or before a number
/// can contain it.
final class EvictedIDs {
  /// A range and the id of its row.
  private typealias Evicted = (digest: Int64, range: ForeignRange)

  private let find: Statement
  private let findLast: Statement
  private let findNext: Statement
  private let findMoment: Statement
  private let remove: Statement
  private let add: Statement

  init(_ connection: Connection) throws {
    find = try Statement(connection, "SELECT 1 FROM foreign_digest WHERE external_id = ?")
    findLast = try Statement(
      connection,
      """
      SELECT digest_id, external_id FROM foreign_digest
      WHERE external_id < ? ORDER BY external_id DESC LIMIT 1
      """
    )
    findNext = try Statement(
      connection,
      """
      SELECT digest_id, external_id FROM foreign_digest
      WHERE external_id > ? ORDER BY external_id LIMIT 1
      """
    )
    findMoment = try Statement(
      connection, "SELECT 1 FROM digest WHERE id = ? AND recorded_at = ?")
    remove = try Statement(connection, "DELETE FROM foreign_digest WHERE digest_id = ?")
    add = try Statement(
      connection,
      "INSERT OR REPLACE INTO foreign_digest (digest_id, external_id) VALUES (?, ?)")
  }

  /// Whether a digest with this id existed and has been deleted.
  func has(_ id: String) throws -> Bool {
    if let range = ForeignRange(id: id), try last(before: range)?.range.contains(range) == true {
      return true
    }
    return try find.firstRow([.text(ForeignID.hash(id))]) { _ in true } == true
  }

  /// Replaces the ids of digests by what is needed to recognize them. Call this in the transaction
  /// that deletes the digests, before deleting them.
  func shorten(_ ids: [(digest: Int64, id: String)]) throws {
    var numbered: [(id: String, row: Evicted)] = []
    for (digest, id) in ids {
      if let range = ForeignRange(id: id), try isPlausible(range, of: digest) {
        numbered.append((id, (digest, range)))
      } else {
        try keepHash(of: id, digest)
      }
    }
    numbered.sort { $0.row.range.order < $1.row.range.order }
    // The range that is being extended, and the number at which the next range in the file begins.
    var current: Evicted?
    var end = Int64.max
    for (id, row) in numbered {
      let number = row.range.numbers.lowerBound
      if current?.range.identity != row.range.identity || number >= end {
        if let current { try write(current) }
        current = try last(before: row.range)
        if let current { try remove.run([.integer(current.digest)]) }
        end = try next(behind: row.range)?.range.numbers.lowerBound ?? .max
      }
      if let range = current?.range, number <= range.numbers.upperBound,
        !range.contains(row.range)
      {
        try keepHash(of: id, row.digest)
        continue
      }
      try remove.run([.integer(row.digest)])
      switch current {
      case nil:
        current = row
      case let last? where last.range.contains(row.range):
        break
      case let last? where last.range.isContinued(by: row.range):
        current = joined(last, row)
      case let last?:
        try write(last)
        current = row
      }
    }
    if let current { try write(current) }
  }

  /// Whether an id contains the time at which its digest was recorded, as the ids of stores do.
  private func isPlausible(_ range: ForeignRange, of digest: Int64) throws -> Bool {
    try findMoment.firstRow([.integer(digest), .integer(range.moments.lowerBound)]) { _ in true }
      == true
  }

  private func keepHash(of id: String, _ digest: Int64) throws {
    try add.run([.integer(digest), .text(ForeignID.hash(id))])
  }

  /// Writes a range, joined with the next range if that continues it.
  private func write(_ row: Evicted) throws {
    var row = row
    if let next = try next(behind: row.range), row.range.isContinued(by: next.range) {
      try remove.run([.integer(next.digest)])
      row = joined(row, next)
    }
    try add.run([.integer(row.digest), .text(row.range.text)])
  }

  private func joined(_ row: Evicted, _ next: Evicted) -> Evicted {
    var row = row
    row.range.append(next.range)
    row.digest = max(row.digest, next.digest)
    return row
  }

  /// Returns the last range that begins at or before the first number of `range`.
  private func last(before range: ForeignRange) throws -> Evicted? {
    try row(findLast, ForeignRange.end(range.identity, range.numbers.lowerBound), range.identity)
  }

  /// Returns the first range that begins after the first number of `range`.
  private func next(behind range: ForeignRange) throws -> Evicted? {
    try row(findNext, ForeignRange.end(range.identity, range.numbers.lowerBound), range.identity)
  }

  private func row(
    _ statement: borrowing Statement, _ text: String, _ identity: String
  ) throws -> Evicted? {
    let row: Evicted?? = try statement.firstRow([.text(text)]) { row in
      row.text(at: 1).flatMap { ForeignRange($0) }.map { (row.integer(at: 0), $0) }
    }
    guard let row = row ?? nil, row.range.identity == identity else { return nil }
    return row
  }
}

extension ForeignRange {
  fileprivate var order: (String, Int64, Int64) {
    (identity, numbers.lowerBound, moments.lowerBound)
  }
}
