/// Finds digests by their ids, and by prefixes and short forms of ids.
struct DigestIDLookup {
  let identity: String
  private let connection: any Engine

  init(_ connection: any Engine) throws {
    self.connection = connection
    identity = try connection.text("SELECT identity FROM store") ?? ""
  }

  /// The number of the digest with an id; nil if there is none.
  func number(of text: String) throws -> Int64? {
    let id = DigestID(text)
    let time = id.recordedAt.map { "d.recorded_at = \($0.milliseconds)" } ?? "true"
    return try connection.integer(
      """
      SELECT d.id FROM digest AS d
      WHERE d.id = :number AND d.source IS NULL
        AND :identity = (SELECT identity FROM source WHERE id = 1) AND \(time)
      UNION ALL
      SELECT d.id FROM digest AS d
      WHERE d.source = (SELECT id FROM source WHERE identity = :identity) AND d.number = :number
        AND \(time)
      """, [":identity": .text(id.source), ":number": .integer(id.number)])
  }

  /// The ids that a text abbreviates, latest digest first: a whole id stands for itself; otherwise
  /// the text is 4 to 32 digits of an identity with a whole number, or the beginning of an id.
  func ids(abbreviatedAs text: String, limit: Int) throws -> [String] {
    guard limit > 0, !text.isEmpty else { return [] }
    if try number(of: text) != nil { return [text] }
    let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
    let source = String(parts[0])
    guard parts.count > 1 else { return try ids(of: source, [1...Int64.max], limit) }
    guard !parts[1].isEmpty else { return try ids(of: "\(source)-", [1...Int64.max], limit) }
    guard let number = Int64(parts[1]), number > 0, parts[1] == "\(number)" else { return [] }
    guard parts.count == 2 else {
      return try ids(of: "\(source)-", [number...number], limit).filter {
        $0.utf8.starts(with: text.utf8)
      }
    }
    if 4...32 ~= source.utf8.count {
      let found = try ids(of: source, [number...number], limit)
      guard found.isEmpty else { return found }
    }
    return try ids(of: "\(source)-", Self.numbers(beginningWith: number), limit)
  }

  /// The ids of digests with some numbers.
  ///
  /// - Parameter identity: the beginning of the identity of their store; a whole one ends with a
  ///   hyphen.
  private func ids(
    of identity: String, _ numbers: [ClosedRange<Int64>], _ limit: Int
  ) throws -> [String] {
    var found: [(number: Int64, id: String)] = []
    for range in numbers where found.count < limit {
      found += try connection.rows(
        """
        SELECT * FROM (
          SELECT d.id, \(DigestID.text) FROM source AS s CROSS JOIN digest AS d
          WHERE s.id = 1 AND substr(s.identity || '-', 1, length(:identity)) = :identity
            AND d.id BETWEEN :first AND :last AND d.source IS NULL
          ORDER BY d.id DESC LIMIT :limit) AS own
        UNION ALL
        SELECT * FROM (
          SELECT d.id, \(DigestID.text) FROM source AS s CROSS JOIN digest AS d ON d.source = s.id
          WHERE substr(s.identity || '-', 1, length(:identity)) = :identity
            AND d.number BETWEEN :first AND :last
          LIMIT :limit) AS others
        """,
        [
          ":identity": .text(identity), ":first": .integer(range.lowerBound),
          ":last": .integer(range.upperBound), ":limit": .integer(Int64(limit)),
        ]
      ) { ($0.integer(at: 0), $0.text(at: 1) ?? "") }
    }
    return found.sorted { $0.number > $1.number }.prefix(limit).map(\.id)
  }

  /// The numbers that begin with the digits of another: 7, 70 to 79, 700 to 799 and so on, largest
  /// first.
  private static func numbers(beginningWith number: Int64) -> [ClosedRange<Int64>] {
    var ranges = [number...number]
    var (first, count) = (number, Int64(1))
    while first <= Int64.max / 10 - count {
      (first, count) = (10 * first, 10 * count)
      ranges.append(first...first + (count - 1))
    }
    return ranges.reversed()
  }
}
