/// The ids of digests from elsewhere that are gone, in the table of those that are not.
final class EvictedIDs {
  private let find: Statement
  private let findRange: Statement
  private let remove: Statement
  private let add: Statement

  init(_ connection: Connection) throws {
    find = try Statement(connection, "SELECT 1 FROM foreign_digest WHERE external_id = ?")
    findRange = try Statement(
      connection,
      """
      SELECT digest_id, external_id, EXISTS (SELECT 1 FROM digest WHERE id = digest_id)
      FROM foreign_digest
      WHERE external_id < ? ORDER BY external_id DESC LIMIT 1
      """
    )
    remove = try Statement(connection, "DELETE FROM foreign_digest WHERE digest_id = ?")
    add = try Statement(connection, "INSERT OR REPLACE INTO foreign_digest VALUES (?, ?)")
  }

  /// Whether a digest of this id was there and is gone.
  func has(_ id: String) throws -> Bool {
    if let (identity, number) = ForeignID.parts(id) {
      return try range(identity, before: number)?.range.numbers.contains(number) == true
    }
    return try find.firstRow([.text(ForeignID.hash(id))]) { _ in true } == true
  }

  /// Keeps of the ids of digests that are deleted what is needed to know them again; part of the
  /// transaction that deletes them.
  func shorten(_ ids: [(digest: Int64, id: String)]) throws {
    var ranges: [String: [(number: Int64, digest: Int64)]] = [:]
    for (digest, id) in ids {
      if let (identity, number) = ForeignID.parts(id) {
        try remove.run([.integer(digest)])
        ranges[identity, default: []].append((number, digest))
      } else {
        try add.run([.integer(digest), .text(ForeignID.hash(id))])
      }
    }
    for (identity, numbers) in ranges {
      let numbers = numbers.sorted { $0.number < $1.number }
      var start = numbers.startIndex
      while start < numbers.endIndex {
        var end = start
        while end + 1 < numbers.endIndex, numbers[end + 1].number - numbers[end].number <= 1 {
          end += 1
        }
        let range = ForeignRange(
          identity: identity, numbers: numbers[start].number...numbers[end].number)
        try insert(range, digest: numbers[start...end].map(\.digest).max() ?? 0)
        start = end + 1
      }
    }
  }

  /// Adds a range, as one with those that it touches.
  private func insert(_ range: ForeignRange, digest: Int64) throws {
    var range = range
    var digest = digest
    while let (id, other) = try self.range(range.identity, before: range.numbers.upperBound + 1),
      other.numbers.upperBound >= range.numbers.lowerBound - 1
    {
      try remove.run([.integer(id)])
      digest = max(digest, id)
      range.numbers =
        min(
          range.numbers.lowerBound, other.numbers.lowerBound)...max(
          range.numbers.upperBound, other.numbers.upperBound)
    }
    try add.run([.integer(digest), .text(range.text)])
  }

  /// The last range that does not begin behind a number.
  private func range(
    _ identity: String, before number: Int64
  ) throws -> (digest: Int64, range: ForeignRange)? {
    let row = try findRange.firstRow([.text(ForeignRange.end(identity, number))]) { row in
      // An id of a digest that is there may be any text.
      let isID = row.integer(at: 2) != 0
      return (row.integer(at: 0), isID ? nil : row.text(at: 1).flatMap(ForeignRange.init))
    }
    guard let row, let range = row.1, range.identity == identity else { return nil }
    return (row.0, range)
  }
}
