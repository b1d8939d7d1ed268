import DigestStore
import ResilientPlatform

/// The row of a store in the table `source`.
struct ClickHouseSource {
  let identity: String
  var name: String
  var role: String

  /// 0 before the first push.
  var revision: UInt64 = 0
  var lastDigest: Int64 = 0
  var lastRecordedAt: Int64 = 0
  var lastMoment: Int64 = 0

  /// The errors and digests of the store that the fleet counts, up to the last digest.
  var occurrences: Int64 = 0
  var digests: Int64 = 0
  var digestsThrough: Int64 = 0
  var coarseBefore: Int64 = 0
  var lastFailure: Int64 = 0
  var lastModel: Int64 = 0
  var firstPushedAt = Date().milliseconds

  /// Identifies the store in other tables.
  var id: UInt64 { FleetID(of: [identity]).low }

  /// A row as it is inserted.
  ///
  /// - Parameter moment: the time of the push, in milliseconds since 1970.
  func row(pushedAt moment: Int64) -> RowBinaryWriter {
    var row = RowBinaryWriter()
    row.append(id)
    for text in [identity, name, role] { row.append(text) }
    row.append(revision)
    for number in [
      lastDigest, lastRecordedAt, lastMoment, occurrences, digests, digestsThrough, coarseBefore,
      lastFailure, lastModel, firstPushedAt, moment,
    ] {
      row.append(number)
    }
    return row
  }
}

extension ClickHouseSource {
  /// Takes over what another push of the same store has written since this row was read.
  mutating func merge(_ other: Self) {
    revision = max(revision, other.revision)
    if other.lastDigest > lastDigest {
      (lastDigest, lastRecordedAt) = (other.lastDigest, other.lastRecordedAt)
      (occurrences, digests) = (other.occurrences, other.digests)
    }
    lastMoment = max(lastMoment, other.lastMoment)
    digestsThrough = max(digestsThrough, other.digestsThrough)
    coarseBefore = max(coarseBefore, other.coarseBefore)
    lastFailure = max(lastFailure, other.lastFailure)
    lastModel = max(lastModel, other.lastModel)
    firstPushedAt = min(firstPushedAt, other.firstPushedAt)
  }
}

extension ClickHouseFleet {
  /// How many errors and digests stores have counted, by the ids of the stores.
  typealias Totals = [UInt64: (occurrences: Int64, digests: Int64)]

  /// - Parameter isChosen: a condition on the column `source`.
  func totals(where isChosen: String) throws -> Totals {
    let rows = try connection.rows(
      """
      SELECT source, sum(occurrences), sum(digests)
      FROM \(ClickHouseSchema.counts.latest(in: database))
        AND counted = 1 AND span = 0 AND \(isChosen)
      GROUP BY source
      """
    ) { (try $0.integer(UInt64.self), (occurrences: try $0.count(), digests: try $0.count())) }
    return Dictionary(rows) { first, _ in first }
  }

  /// Reads the row of a store, or makes one for a new store without writing it.
  ///
  /// - Throws: ``FleetError`` if another role has pushed the store, or if the push would rename the store
  ///   or take the name of another one, and may not.
  func source(of store: DigestReader, _ name: SourceName) throws -> ClickHouseSource {
    let identity = try store.identity()
    guard var known = try knownSource(identity) else {
      let newName = name.given ?? name.fallback
      // A store that replaces a damaged one takes its name without being asked to.
      let isSuccessor = try store.losses().contains { $0.reason == .quarantined }
      if !name.isTaken, !isSuccessor { try checkIsFree(newName, for: identity) }
      return ClickHouseSource(identity: identity, name: newName, role: connection.user)
    }
    guard known.role == connection.user else {
      throw FleetError(
        .notPermitted,
        "\(self.name): another role than \(connection.user) has pushed this store (\(known.role)): push it "
          + "as that one")
    }
    try name.check(against: known.name, in: self.name)
    known.name = name.given ?? known.name
    return known
  }

  /// Reads the row of a store; nil if there is none.
  func knownSource(_ identity: String) throws -> ClickHouseSource? {
    try connection.rows(
      """
      SELECT name, role, revision, last_digest, last_recorded_at, last_moment, occurrences, digests,
        digests_through, coarse_before, last_failure, last_model, first_pushed_at
      FROM \(ClickHouseSchema.source.latest(in: database)) AND identity = \(identity.sqlLiteral)
      """
    ) { row in
      var source = ClickHouseSource(
        identity: identity, name: try row.text(), role: try row.text())
      source.revision = UInt64(try row.count())
      source.lastDigest = try row.integer()
      source.lastRecordedAt = try row.integer()
      source.lastMoment = try row.integer()
      (source.occurrences, source.digests) = (try row.count(), try row.count())
      source.digestsThrough = try row.integer()
      source.coarseBefore = try row.integer()
      source.lastFailure = try row.integer()
      source.lastModel = try row.integer()
      source.firstPushedAt = try row.integer()
      return source
    }.first
  }

  /// Checks that no other store of the same role has a name.
  private func checkIsFree(_ newName: String, for identity: String) throws {
    let other = try connection.rows(
      """
      SELECT identity, concat(toString(toDateTime(intDiv(pushed_at, 1000), 'UTC')), 'Z')
      FROM \(ClickHouseSchema.source.latest(in: database))
      AND name = \(newName.sqlLiteral) AND identity != \(identity.sqlLiteral)
        AND role = \(connection.user.sqlLiteral)
      ORDER BY pushed_at DESC LIMIT 1
      """
    ) { (identity: try $0.text(), pushedAt: try $0.text()) }.first
    guard let other else { return }
    throw SourceName.conflict(
      over: newName, with: other.identity, pushedAt: other.pushedAt, in: name)
  }
}
