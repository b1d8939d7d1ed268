import DigestStore
import ResilientPlatform

/// One attempt to send what a fleet does not have of a store.
///
/// Counts are sent as they are, not as additions: a row replaces the one with the same key. The pack that
/// they come from is written after them, so if a push is cut off, the next one sends them again.
final class ClickHousePush: PushAttempt {
  /// About how many counts are marked as sent together.
  private static let batch = 40_000

  /// About how many bytes of counts a request has at most.
  static let longestRequest = 8 << 20

  let connection: ClickHouseConnection
  let database: String
  let store: DigestReader
  let counts: StoreCounts
  var source: ClickHouseSource

  /// The packs of the store that the fleet has, with their marks.
  var marks: [PackedCounts.Key: Int64]

  /// The ids of what was counted, by the numbers of the store.
  lazy var ids = NumberedIDs(store)

  /// The store's totals of failures, without those already sent; nil until needed.
  var unsentTotals: [Int64: Count]?

  private let settings: ClickHouseFleet.Settings
  private let start = ContinuousClock.now

  var fleet: String { connection.name }
  var remedyForDamage: String { "digest-query forget on the fleet, and push it again" }

  var lastPush: PushMark {
    PushMark(
      lastDigest: source.lastDigest, lastRecordedAt: source.lastRecordedAt,
      hasArrived: source.revision > 0)
  }

  /// Reads what the fleet has of a store, and from the store what the fleet does not have.
  init(_ fleet: ClickHouseFleet, _ store: DigestReader, _ name: SourceName) throws {
    connection = fleet.connection
    database = fleet.database
    self.store = store
    settings = try fleet.checkedSettings()
    source = try fleet.source(of: store, name)
    var known = StoreCounts.Known()
    known.marks =
      source.revision > 0 ? try Self.marks(of: source.id, database, connection) : [:]
    known.lastFailure = source.lastFailure
    known.lastModel = source.lastModel
    known.lastDigest = source.lastDigest
    known.firstHour = settings.firstHour
    counts = try store.counts(beyond: known)
    marks = known.marks
  }

  /// Sends what the fleet does not have.
  func run(
    _ fleet: ClickHouseFleet, withDigests: Bool,
    _ progress: (DigestReader.Progress) throws -> Void
  ) throws -> PushSummary {
    var summary = PushSummary(source: source.name)
    summary.failures = counts.failures.count
    // Before anything is entered, so that a store that is refused leaves nothing.
    let dropped = try check()
    if source.revision == 0 { try writeSource(of: fleet) }
    try enterNames()
    // Before the counts of these days are marked as sent.
    try enterCoarseDays(fleet)
    try enterLosses(dropped)
    try moveMergedReleases()
    try forEachBatch(of: Self.batch, without: dropped, progress) { summary.counts += try enter($0) }
    try finish(fleet)
    (summary.occurrences, summary.digests) = (Int(source.occurrences), Int(source.digests))
    if withDigests {
      summary.sentDigests = try enterDigests(of: fleet) {
        try progress(.init(unit: .digests, done: $0, total: $1))
      }
    }
    return summary
  }

  /// The time by the server's clock, in milliseconds since 1970.
  private var now: Int64 {
    settings.now &+ Int64((ContinuousClock.now - start) / .milliseconds(1))
  }

  /// A number by which an earlier name precedes a later one, as the largest version remains.
  var nameVersion: UInt64 { .max - UInt64(max(0, now)) }

  func insert(_ rows: RowBinaryWriter, into table: ClickHouseSchema.Table) throws {
    try connection.insert(rows, into: table.name, table.columnList)
  }

  /// Writes the row of the store as the next revision.
  func writeSource(of fleet: ClickHouseFleet) throws {
    // Another push may have written one since this one began.
    if let known = try fleet.knownSource(source.identity) { source.merge(known) }
    source.revision += 1
    try insert(source.row(pushedAt: now), into: ClickHouseSchema.source)
  }

  /// Notes, before the counts are sent, that some days come without their hours, because the store has
  /// dropped these.
  private func enterCoarseDays(_ fleet: ClickHouseFleet) throws {
    let days = counts.packs.lazy.map(\.key).filter {
      $0.span == 24 && $0.start < self.counts.firstHour
    }
    guard let last = days.map(\.start).max(), last + 24 > source.coarseBefore else { return }
    source.coarseBefore = last + 24
    try writeSource(of: fleet)
  }

  /// Stores how the next push recognizes the file, once all counts have arrived.
  private func finish(_ fleet: ClickHouseFleet) throws {
    if counts.lastDigest > source.lastDigest, counts.lastRecordedAt > 0 {
      var row = RowBinaryWriter()
      row.append(source.id)
      row.append(counts.lastDigest)
      row.append(counts.lastRecordedAt)
      try insert(row, into: ClickHouseSchema.push)
    }
    // Otherwise nothing was counted since the last push.
    if counts.lastDigest != source.lastDigest || !counts.packs.isEmpty {
      let totals = try fleet.totals(where: "source = \(source.id)")[source.id]
      (source.occurrences, source.digests) = (totals?.occurrences ?? 0, totals?.digests ?? 0)
    }
    source.lastDigest = counts.lastDigest
    source.lastRecordedAt = counts.lastRecordedAt
    source.lastMoment = max(source.lastMoment, counts.lastMoment)
    try writeSource(of: fleet)
  }
}

extension ClickHousePush {
  private static func marks(
    of source: UInt64, _ database: String, _ connection: ClickHouseConnection
  ) throws -> [PackedCounts.Key: Int64] {
    var marks: [PackedCounts.Key: Int64] = [:]
    try connection.forEachRow(
      """
      SELECT counted, span, start, has_release, release, mark FROM \(ClickHouseSchema.pack.latest(in: database))
      AND source = \(source) AND has_cells = 1
      """
    ) { row in
      let key = try row.packKey()
      let mark = try row.integer(Int64.self)
      if let key { marks[key] = mark }
    }
    return marks
  }

  func undatedOccurrences() throws -> [Int64: Int64] {
    let rows = try connection.rows(
      """
      SELECT hour, occurrences FROM \(ClickHouseSchema.loss.latest(in: database))
      AND source = \(source.id) AND reason = \(DigestStore.Loss.Reason.undated.rawValue.sqlLiteral)
      """
    ) { (try $0.integer(Int64.self), try $0.count()) }
    return Dictionary(rows) { first, _ in first }
  }

  func pushMarks() throws -> [PushMark] {
    let marks = try connection.rows(
      """
      SELECT last_digest, last_recorded_at FROM \(ClickHouseSchema.push.latest(in: database)) AND source = \(source.id)
      ORDER BY last_digest
      """
    ) {
      PushMark(
        lastDigest: try $0.integer(), lastRecordedAt: try $0.integer(), hasArrived: true)
    }
    // A prune may have deleted the mark of the last push.
    return marks.last.map { $0.lastDigest < lastPush.lastDigest } == false
      ? marks : marks + [lastPush]
  }
}

extension RowBinaryReader {
  /// Reads the key of a pack; nil for one that this version does not know.
  mutating func packKey() throws -> PackedCounts.Key? {
    let subject = PackedCounts.Subject(rawValue: Int64(try integer(UInt8.self)))
    let span = Int64(try integer(Int8.self))
    let start = Int64(try integer(UInt32.self))
    let hasRelease = try integer(UInt8.self) != 0
    let release = try text()
    return subject.map {
      PackedCounts.Key(
        subject: $0, span: span, start: start, release: hasRelease ? BinaryString(release) : nil)
    }
  }
}
