import DigestStore

/// One attempt to send what a fleet does not have of a store.
final class PostgreSQLPush: PushAttempt {
  /// About how many counts one transaction enters. It takes a fraction of a second, so other pushes never
  /// wait long.
  private static let batch = 20_000

  let connection: PostgreSQLConnection
  let store: DigestReader
  let source: FleetSource.Row
  let counts: StoreCounts
  let name: String

  /// The packs of the store that the fleet has.
  let marked: Set<PackedCounts.Key>

  /// The fleet's ids of releases.
  var releases: [BinaryString: Int64] = [:]

  /// The fleet's ids by the numbers of the store.
  var ids: [CountTable: IDMap] = [:]
  var revision: Int64

  /// Reads what the fleet has of a store, and from the store what the fleet does not have.
  init(_ connection: PostgreSQLConnection, _ store: DigestReader, _ name: SourceName) throws {
    self.connection = connection
    self.store = store
    source = try FleetSource.Row.find(of: store, name, on: connection)
    self.name = name.given ?? source.name
    revision = source.revision
    var known = StoreCounts.Known()
    known.marks = try Self.marks(of: source.id, on: connection)
    known.lastFailure = try IDMap.lastNumber(of: source.id, .failures, on: connection)
    known.lastModel = try IDMap.lastNumber(of: source.id, .models, on: connection)
    known.lastDigest = source.lastDigest
    known.firstHour =
      try connection.run("SELECT first_hour FROM digests.fleet").first?.integer(0) ?? 0
    counts = try store.counts(beyond: known)
    marked = Set(known.marks.keys)
  }

  /// Sends what the fleet does not have.
  func run(
    withDigests: Bool, _ progress: (DigestReader.Progress) throws -> Void
  ) throws -> PushSummary {
    var summary = PushSummary(source: name)
    summary.failures = counts.failures.count
    // Before anything is entered, so that a store that is refused leaves nothing.
    try readReleases(releaseNames[...])
    let dropped = try check()
    try enterNames()
    try enterLosses(dropped)
    try moveMergedReleases()
    try forEachBatch(of: Self.batch, without: dropped, progress) { summary.counts += try enter($0) }
    try finish()
    if withDigests {
      summary.sentDigests = try enterDigests {
        try progress(.init(unit: .digests, done: $0, total: $1))
      }
    }
    let row = try connection.run(
      "SELECT occurrences, digests FROM digests.source WHERE id = $1", [.integer(source.id)]
    ).first
    summary.occurrences = Int(row?.integer(0) ?? 0)
    summary.digests = Int(row?.integer(1) ?? 0)
    return summary
  }
}

extension PostgreSQLPush {
  private static func marks(
    of source: Int64, on connection: PostgreSQLConnection
  ) throws -> [PackedCounts.Key: Int64] {
    let rows = try connection.run(
      """
      SELECT p.counted, p.span, p.start, r.name, p.mark
      FROM digests.pack AS p JOIN digests.release AS r ON r.id = p.release_id
      WHERE p.source_id = $1
      """, [.integer(source)])
    var marks: [PackedCounts.Key: Int64] = [:]
    for row in rows {
      guard let subject = PackedCounts.Subject(rawValue: row.integer(0)) else { continue }
      let key = PackedCounts.Key(
        subject: subject, span: row.integer(1), start: row.integer(2),
        release: row.text(3).map { BinaryString(FleetText.decode($0)) })
      marks[key] = row.integer(4)
    }
    return marks
  }

  var fleet: String { connection.name }
  var remedyForDamage: String { "digest-query prune on the fleet" }

  var lastPush: PushMark {
    PushMark(
      lastDigest: source.lastDigest, lastRecordedAt: source.lastRecordedAt,
      hasArrived: source.revision > 0)
  }

  func undatedOccurrences() throws -> [Int64: Int64] {
    let rows = try connection.run(
      "SELECT hour, occurrences FROM digests.loss WHERE source_id = $1 AND reason = $2",
      [.integer(source.id), .text(DigestStore.Loss.Reason.undated.rawValue)])
    return Dictionary(rows.map { ($0.integer(0), $0.integer(1)) }) { first, _ in first }
  }

  func pushMarks() throws -> [PushMark] {
    try connection.run(
      "SELECT last_digest, last_recorded_at FROM digests.push WHERE source_id = $1 ORDER BY 1",
      [.integer(source.id)]
    ).map {
      PushMark(lastDigest: $0.integer(0), lastRecordedAt: $0.integer(1), hasArrived: true)
    }
  }
}
