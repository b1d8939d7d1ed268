/// Finds digests by their ids, and by prefixes and short forms of ids.
struct DigestIDLookup {
  let identity: String
  private let connection: Connection

  init(_ connection: Connection) throws {
    self.connection = connection
    identity = try connection.text("SELECT identity FROM store") ?? ""
  }

  /// The number of the digest with an id; nil if there is none.
  func number(of id: String) throws -> Int64? {
    if let (identity, number) = ForeignID.parts(id), identity == self.identity,
      try own(number...number, limit: 1).first?.id == id
    {
      return number
    }
    return try foreign(from: id, limit: 1) { BinaryString($0) == BinaryString(id) }.first?.number
  }

  /// The number of an evicted digest that was imported; nil if the file has no hash of its id.
  func number(ofEvicted id: String) throws -> Int64? {
    try Statement(connection, "SELECT digest_id FROM foreign_digest WHERE external_id = ?")
      .firstRow([.text(ForeignID.hash(id))]) { $0.integer(at: 0) }
  }

  /// The id of the digest with a number; nil if there is none.
  func id(of number: Int64) throws -> String? {
    if let own = try own(number...number, limit: 1).first { return own.id }
    return try Statement(
      connection,
      """
      SELECT x.external_id FROM foreign_digest AS x JOIN digest AS d ON d.id = x.digest_id
      WHERE d.id = ?
      """
    ).firstRow([.integer(number)]) { $0.text(at: 0) } ?? nil
  }

  /// The ids that a text abbreviates, latest digest first.
  func ids(abbreviatedAs text: String, limit: Int) throws -> [String] {
    guard limit > 0, !text.isEmpty else { return [] }
    if try number(of: text) != nil { return [text] }
    var found = try digests(shortly: text, limit: limit)
    if found.isEmpty { found = try digests(beginningWith: text, limit: limit) }
    return found.sorted { $0.number > $1.number }.prefix(limit).map(\.id)
  }

  private typealias Found = (number: Int64, id: String)

  /// The digests whose number is given, from stores whose identity begins as given.
  private func digests(shortly text: String, limit: Int) throws -> [Found] {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    // With fewer digits, there might be too many stores to search each.
    guard parts.count == 2, 4...32 ~= parts[0].utf8.count, let number = Int64(parts[1]),
      number > 0, parts[1].utf8.elementsEqual("\(number)".utf8)
    else { return [] }
    let beginning = String(parts[0])
    var found =
      identity.utf8.starts(with: beginning.utf8) ? try own(number...number, limit: 1) : []
    // Jumps from store to store, because each may have many digests.
    var next = beginning
    while found.count < limit,
      let id = try externalID(from: next), id.utf8.starts(with: beginning.utf8),
      // Stops at a blob, which SQLite sorts after every text.
      id.byteOrder(to: next) >= 0
    {
      guard let (identity, _) = ForeignID.parts(id) else {
        next = id + "\0"
        continue
      }
      let prefix = "\(identity)-\(number)-"
      found += try foreign(from: prefix, limit: limit) { $0.utf8.starts(with: prefix.utf8) }
      // Skips the other ids of this store: in byte order, `.` follows the hyphen after the
      // identity.
      next = "\(identity)."
    }
    return found
  }

  private func digests(beginningWith text: String, limit: Int) throws -> [Found] {
    var found = try foreign(from: text, limit: limit) { $0.utf8.starts(with: text.utf8) }
    if identity.utf8.starts(with: text.utf8) || text == "\(identity)-" {
      found += try own(1...Int64.max, limit: limit)
    } else if text.utf8.starts(with: "\(identity)-".utf8) {
      let rest = text.utf8.dropFirst(identity.utf8.count + 1)
      let digits = String(Substring(rest.prefix { $0 != UInt8(ascii: "-") }))
      guard let number = Int64(digits), number > 0, "\(number)" == digits else { return found }
      let isWhole = rest.count > digits.utf8.count
      for numbers in isWhole ? [number...number] : Self.numbers(beginningWith: number)
      where found.count < limit {
        found += try own(numbers, limit: limit).filter { $0.id.utf8.starts(with: text.utf8) }
      }
    }
    return found
  }

  /// The numbers that begin with the digits of another: 7, 70 to 79, 700 to 799 and so on, largest
  /// first.
  private static func numbers(beginningWith number: Int64) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    var (first, count) = (number, Int64(1))
    while true {
      ranges.append(first...first + (count - 1))
      let (next, isTooLarge) = first.multipliedReportingOverflow(by: 10)
      guard !isTooLarge, next <= Int64.max - 10 * count else { return ranges.reversed() }
      (first, count) = (next, 10 * count)
    }
  }

  /// The latest digests, in a range of numbers, that were recorded in this store.
  private func own(_ numbers: ClosedRange<Int64>, limit: Int) throws -> [Found] {
    try connection.rows(
      """
      SELECT d.id, d.recorded_at FROM digest AS d
      LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
      WHERE d.id BETWEEN :first AND :last AND x.digest_id IS NULL
      ORDER BY d.id DESC LIMIT :limit
      """,
      [
        ":first": .integer(numbers.lowerBound), ":last": .integer(numbers.upperBound),
        ":limit": .integer(Int64(limit)),
      ]
    ) { row in
      (row.integer(at: 0), "\(identity)-\(row.integer(at: 0))-\(row.integer(at: 1))")
    }
  }

  /// The imported digests with ids from a text on, in byte order, while a condition holds.
  private func foreign(
    from text: String,
    limit: Int,
    while condition: (String) -> Bool
  ) throws -> [Found] {
    let statement = try Statement(
      connection,
      """
      SELECT x.digest_id, x.external_id, d.id IS NOT NULL FROM foreign_digest AS x
      LEFT JOIN digest AS d ON d.id = x.digest_id
      WHERE x.external_id >= ? ORDER BY x.external_id
      """
    )
    try statement.bind([.text(text)])
    var found: [Found] = []
    while found.count < limit, try statement.step() {
      let id = statement.text(at: 1) ?? ""
      guard condition(id) else { break }
      // Skips evicted digests, of which only a short form of the id is left.
      if statement.integer(at: 2) != 0 { found.append((statement.integer(at: 0), id)) }
    }
    return found
  }

  /// The first imported id, in byte order, that does not precede a text.
  private func externalID(from text: String) throws -> String? {
    try Statement(
      connection,
      "SELECT external_id FROM foreign_digest WHERE external_id >= ? ORDER BY external_id LIMIT 1"
    ).firstRow([.text(text)]) { $0.text(at: 0) } ?? nil
  }
}
