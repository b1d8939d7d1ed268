import DigestStore

extension PostgreSQLPush {
  /// Sends the digests themselves, each page in one transaction with the number of its last digest.
  ///
  /// - Parameter progress: called with the number of digests sent and the total.
  /// - Returns: how many were sent, were evicted before that, and cannot be read.
  func enterDigests(
    _ progress: (Int, Int) throws -> Void
  ) throws -> (sent: Int, missed: Int, unreadable: Int) {
    let total = Int(counts.lastDigest &- source.digestsThrough)
    guard total > 0 else { return (0, 0, 0) }
    var sent = 0
    let unreadable = try store.forEachDigestPage(
      behind: source.digestsThrough, through: counts.lastDigest
    ) { page in
      try progress(sent, total)
      try withRevision { try enter(page) }
      sent += page.digests
    }
    // Evicted digests are never sent.
    try withRevision { try setDigestsThrough(counts.lastDigest) }
    return (sent, total - sent - unreadable, unreadable)
  }

  private func enter(_ page: DigestPage) throws {
    try connection.run(
      """
      INSERT INTO digests.digest_page (source_id, first_number, last_number, first_recorded_at,
        last_recorded_at, digests, failures, lines)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      [
        .integer(source.id), .integer(page.numbers.lowerBound),
        .integer(page.numbers.upperBound), .integer(page.moments.lowerBound),
        .integer(page.moments.upperBound), .integer(Int64(page.digests)),
        .integers(try ids(ofFailures: page.failures)),
        .text(String(decoding: page.lines, as: UTF8.self)),
      ])
    try setDigestsThrough(page.numbers.upperBound)
  }

  private func ids(ofFailures numbers: [Int64]) throws -> [Int64] {
    let ids = try ids(of: .failures)
    return numbers.map { ids[$0] }.filter { $0 > 0 }.sorted()
  }

  private func setDigestsThrough(_ number: Int64) throws {
    try connection.run(
      "UPDATE digests.source SET digests_through = $2 WHERE id = $1",
      [.integer(source.id), .integer(number)])
  }
}
