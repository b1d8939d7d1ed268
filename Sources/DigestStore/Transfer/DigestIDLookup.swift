/// Finds digests by their ids, and by short forms of ids.
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
  /// the text is the first 4 to 32 digits of an identity, a hyphen, and the number.
  func ids(abbreviatedAs text: String, limit: Int) throws -> [String] {
    guard limit > 0 else { return [] }
    if try number(of: text) != nil { return [text] }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, 4...32 ~= parts[0].utf8.count, let number = Int64(parts[1]), number > 0,
      parts[1] == "\(number)"
    else { return [] }
    return try connection.rows(
      """
      SELECT name FROM (
        SELECT d.id AS id, \(DigestID.text) AS name FROM source AS s CROSS JOIN digest AS d
        WHERE s.id = 1 AND substr(s.identity, 1, length(:identity)) = :identity AND d.id = :number
          AND d.source IS NULL
        UNION ALL
        SELECT d.id AS id, \(DigestID.text) AS name
        FROM source AS s CROSS JOIN digest AS d ON d.source = s.id
        WHERE substr(s.identity, 1, length(:identity)) = :identity AND d.number = :number
      ) AS found
      ORDER BY id DESC LIMIT :limit
      """,
      [
        ":identity": .text(String(parts[0])), ":number": .integer(number),
        ":limit": .integer(Int64(limit)),
      ]
    ) { $0.text(at: 0) ?? "" }
  }
}
