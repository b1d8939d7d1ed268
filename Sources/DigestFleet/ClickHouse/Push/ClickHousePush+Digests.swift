import DigestStore

extension ClickHousePush {
  /// How many bytes of lines one request inserts.
  private static let batchOfLines = 1 << 20

  /// Sends the digests themselves.
  ///
  /// - Parameter progress: called with the number of digests sent and the total.
  /// - Returns: how many were sent, were evicted before that, and cannot be read.
  func enterDigests(
    of fleet: ClickHouseFleet, _ progress: (Int, Int) throws -> Void
  ) throws -> (sent: Int, missed: Int, unreadable: Int) {
    // A push that was cut off may have sent more than it has noted.
    let sentThrough =
      try connection.rows(
        "SELECT max(last_number) FROM \(database).digest_page WHERE source = \(source.id)"
      ) { try $0.integer(Int64.self) }.first ?? 0
    let through = max(source.digestsThrough, sentThrough)
    let total = Int(counts.lastDigest &- through)
    guard total > 0 else { return (0, 0, 0) }
    var sent = 0
    var rows = RowBinaryWriter()
    func insertRows() throws {
      try insert(rows, into: ClickHouseSchema.digestPage)
      rows = RowBinaryWriter()
    }
    let unreadable = try store.forEachDigestPage(
      behind: through, through: counts.lastDigest
    ) { page in
      try progress(sent, total)
      try append(page, to: &rows)
      sent += page.digests
      if rows.bytes.count >= Self.batchOfLines { try insertRows() }
    }
    try insertRows()
    // Evicted digests are never sent.
    source.digestsThrough = counts.lastDigest
    try writeSource(of: fleet)
    return (sent, total - sent - unreadable, unreadable)
  }

  private func append(_ page: DigestPage, to rows: inout RowBinaryWriter) throws {
    rows.append(source.id)
    for number in [
      page.numbers.lowerBound, page.numbers.upperBound, page.moments.lowerBound,
      page.moments.upperBound, Int64(page.digests),
    ] {
      rows.append(number)
    }
    rows.append(try page.failures.compactMap { try ids.ids($0, .failures)?.id })
    rows.append(page.lines)
  }
}
