/// Merges another store into this one, in one transaction.
// Sendable: only the thread that merges uses it.
final class SourceMerge: @unchecked Sendable {
  /// A source that is merged.
  private struct Target {
    /// The id in this store.
    let id: Int64

    /// Digests up to this number are here, or were deleted here.
    let known: Int64
    let source: MergedStore.Source
  }

  /// The error of `progress` that ended the merge.
  private(set) var interruption: (any Error)?

  private let other: MergedStore
  private let identity: String
  private let progress: (Int) throws -> Void

  /// The sources that are merged, by their id in the other store.
  private var targets: [Int64: Target] = [:]
  private var steps = 0
  private var done = 0
  private var added = 0
  private var unreadable = 0
  private var problems: [String] = []

  /// - Parameters:
  ///   - identity: the identity of this store.
  ///   - progress: called with the number of digests that are done. An error that it throws ends the
  ///     merge.
  init(
    _ other: MergedStore, into identity: String, _ progress: @escaping (Int) throws -> Void
  ) {
    self.other = other
    self.identity = identity
    self.progress = progress
  }

  var summary: DigestStore.MergeSummary {
    DigestStore.MergeSummary(
      path: other.path, added: added, known: max(0, other.digests - added - unreadable),
      unreadable: unreadable, problems: problems, losses: other.losses)
  }

  func run(_ writer: Writer) throws {
    let connection = writer.connection
    (targets, done, added, unreadable, problems) = ([:], 0, 0, 0, [])
    try writer.transaction {
      try writer.checkIdentity(identity)
      while try writer.fold.foldBatch() > 0 {}
      try acceptSources(connection)
      guard !targets.isEmpty else { return }
      let names = try MergedNames(other, connection) { target(of: $0)?.id }
      let firstDay = try firstDay(connection)
      let models = names.models.mapValues(\.id)
      for table in CountTable.all {
        let ids = table.hasFailures ? names.failures : models
        try table.merge(
          other, names.contextGroups, ids, from: firstDay, connection, beforeEachRow: step)
      }
      try addCountedDigests(from: firstDay, names, connection)
      // What the other store has not counted yet is counted here.
      try addDigests("id > \(other.folded)", names, connection)
      while try writer.fold.foldBatch() > 0 {}
      try addLosses(connection)
      try setCounted(connection)
    }
  }

  /// Where a source of the other store is counted; nil if it is not merged. What was imported there
  /// digest by digest is a part of its source only, and counted as the other store's own.
  private func target(of source: Int64) -> Target? {
    targets[other.wholeSources.contains(source) ? source : 1]
  }

  /// Reports the progress, after each thousand rows.
  private func step() throws {
    steps &+= 1
    guard steps.isMultiple(of: 1_000) else { return }
    do {
      try progress(done)
    } catch {
      interruption = error
      throw error
    }
  }
}

/// The sources.
extension SourceMerge {
  private static let remedy =
    "import an export of it instead, which adds the digests that are missing"

  private func acceptSources(_ connection: Connection) throws {
    let find = try Statement(
      connection,
      """
      SELECT s.id, s.counted, s.counted_at, max(s.counted, s.evicted, ifnull(d.number, 0)),
        ifnull(d.number, 0), ifnull(d.recorded_at, 0)
      FROM source AS s LEFT JOIN digest AS d ON d.source = s.id
        AND d.number = (SELECT max(number) FROM digest WHERE source = s.id)
      WHERE s.identity = ?
      """)
    let add = try Statement(
      connection,
      """
      INSERT INTO source (identity, counted, counted_at, evicted) VALUES (?, 0, 0, 0) RETURNING id
      """)
    for source in other.sources {
      guard source.identity != identity else {
        if source.isOwn { try checkCopy(source, connection) }
        continue
      }
      let known = try find.firstRow([.text(source.identity)]) { row in
        (
          id: row.integer(at: 0), counted: row.count(at: 1), seen: row.count(at: 3),
          times: [1, 4].map { (row.integer(at: $0), row.integer(at: $0 + 1)) }
        )
      }
      guard let known else {
        let id = try add.returnedInteger([.text(source.identity)])
        targets[source.id] = Target(id: id, known: 0, source: source)
        continue
      }
      guard source.counted >= known.seen else {
        guard source.isOwn else { continue }
        throw DigestStoreError(
          .invalidInput,
          "\(other.path) is older than what was merged before (a restored backup?); \(Self.remedy)")
      }
      if let number = try changedNumber(known.times, of: source) {
        guard !source.isOwn else { throw copy(number) }
        problems.append("source \(source.identity): it is a copy that has gone its own way")
        continue
      }
      let isPart = known.seen > known.counted
      if isPart { try clear(known.id, connection) }
      targets[source.id] = Target(id: known.id, known: isPart ? 0 : known.counted, source: source)
    }
  }

  /// Returns the number of a digest that the source recorded at another time than the one here.
  private func changedNumber(
    _ times: [(number: Int64, recordedAt: Int64)], of source: MergedStore.Source
  ) throws -> Int64? {
    try times.first { known in
      guard known.number > 0, known.recordedAt > 0 else { return false }
      let time = try other.time(of: known.number, source)
      return time != nil && time != known.recordedAt
    }?.number
  }

  private func copy(_ number: Int64) -> DigestStoreError {
    DigestStoreError(
      .invalidInput,
      "\(other.path) is a copy that has gone its own way: its digest \(number) is another one than "
        + "here; \(Self.remedy)")
  }

  /// Checks that a copy of this store has nothing else than this store.
  private func checkCopy(_ source: MergedStore.Source, _ connection: Connection) throws {
    let folded = try connection.integer("SELECT folded FROM store") ?? 0
    let time = try Statement(connection, "SELECT recorded_at FROM digest WHERE id = ?")
      .firstRow([.integer(source.counted)]) { $0.integer(at: 0) }
    let isOther = time != nil && source.countedAt > 0 && time != source.countedAt
    if source.counted > folded || isOther { throw copy(source.counted) }
  }

  /// Removes what was imported of a source. The other store has all of it, but it may count it under
  /// other names than this one does, because of limits and `redact`.
  private func clear(_ id: Int64, _ connection: Connection) throws {
    for table in CountTable.all { try table.clear(source: id, connection) }
    try connection.execute("DELETE FROM digest WHERE source = \(id)")
  }

  /// Losses of counts are also those of this store. Each is recorded once, also by a second merge.
  private func addLosses(_ connection: Connection) throws {
    let add = try Statement(
      connection,
      """
      INSERT INTO loss (hour, reason, digests, occurrences, note) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET digests = max(digests, excluded.digests),
        occurrences = max(occurrences, excluded.occurrences)
      """)
    for loss in other.losses where [.undated, .unattributed].contains(loss.reason) {
      try add.run([
        .integer(Moment(loss.hour).hour), .text(loss.reason.rawValue),
        .integer(Int64(loss.digests)), .integer(Int64(loss.occurrences)), SQLiteValue(loss.note),
      ])
    }
  }

  private func setCounted(_ connection: Connection) throws {
    let set = try Statement(
      connection,
      """
      UPDATE source SET counted = ?2, counted_at = iif(counted = ?2 AND ?3 = 0, counted_at, ?3)
      WHERE id = ?1 AND counted <= ?2
      """)
    for target in targets.values {
      let source = target.source
      try set.run([.integer(target.id), .integer(source.counted), .integer(source.countedAt)])
    }
  }
}

/// The digests.
extension SourceMerge {
  /// The first day with counts, if those of earlier days were deleted here. They are not added again.
  private func firstDay(_ connection: Connection) throws -> Int64 {
    let day = try connection.integer(
      """
      SELECT min(start) FROM decodes WHERE span = 24 AND context = 0 AND start >= 0
        AND EXISTS (SELECT 1 FROM decodes WHERE span = 24 AND context = 0 AND start < 0)
      """)
    return min(day ?? 0, Moment.latest.hour / 24)
  }

  private func addCountedDigests(
    from firstDay: Int64, _ names: MergedNames, _ connection: Connection
  ) throws {
    let first = try connection.integer("SELECT folded FROM store") ?? 0
    try addDigests(
      "id <= \(other.folded) AND recorded_at >= \(firstDay * 24 * Moment.hour)", names, connection)
    try connection.execute(
      """
      INSERT INTO hour
      SELECT recorded_at / \(Moment.hour), min(id), max(id) FROM digest WHERE id > \(first)
      GROUP BY 1
      ON CONFLICT DO UPDATE SET
        first = min(first, excluded.first), last = max(last, excluded.last);
      UPDATE store SET folded = max(folded, ifnull((SELECT max(id) FROM digest), 0));
      """)
  }

  /// Adds the digests that are not here.
  ///
  /// - Parameter condition: the condition on the rows of `digest` in the other store.
  private func addDigests(
    _ condition: String, _ names: MergedNames, _ connection: Connection
  ) throws {
    let find = try Statement(connection, "SELECT 1 FROM digest WHERE source = ? AND number = ?")
    let add = try Statement(connection, Self.addDigest)
    var last =
      try connection.integer(
        "SELECT max(folded, ifnull((SELECT max(id) FROM digest), 0)) FROM store") ?? 0
    try other.forEachRow(
      """
      SELECT id, recorded_at, model, context, ifnull(source, 1), number, errors FROM digest
      WHERE \(condition) ORDER BY id
      """
    ) { row in
      try step()
      done += 1
      guard let target = target(of: row.integer(at: 4)) else { return }
      let number = row.integer(at: target.source.isOwn ? 0 : 5)
      guard number > target.known,
        try find.firstRow([.integer(target.id), .integer(number)], { _ in true }) == nil
      else { return }
      let problem: String?
      if !(Moment.earliest...Moment.latest ~= row.moment(at: 1)) {
        problem = "recordedAt is not between the years 1970 and 9999"
      } else if number > target.source.counted {
        problem = "it has a number that no store writes"
      } else if let model = names.models[row.integer(at: 2)]?.id,
        let context = names.contexts[row.integer(at: 3)]
      {
        let isAdded = try add.firstRow([
          .integer(last + 1), row.value(at: 1), .integer(model), .integer(context),
          .integer(target.id), .integer(number), SQLiteValue(row.text(at: 6)),
        ]) { _ in true }
        problem = isAdded == nil ? "the errors cannot be read" : nil
      } else {
        problem = "it refers to no model or context"
      }
      if let problem {
        unreadable += 1
        if problems.count < 10 { problems.append("digest \(row.integer(at: 0)): \(problem)") }
      } else {
        last += 1
        added += 1
      }
    }
  }

  /// Adds a digest, unless one of its errors cannot be counted.
  private static let addDigest = """
    INSERT INTO digest (id, recorded_at, model, context, source, number, errors)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, errors
    FROM (
      SELECT json_group_array(json_replace(e.element, '$[0]', f.ours)) AS errors,
        count(*) AS elements
      FROM (
        SELECT e.value AS element, \(OccurrenceRows.failure()) AS failure,
          \(OccurrenceRows.times()) AS times
        FROM json_each(iif(json_valid(?7), ?7, '[]')) AS e
        LIMIT -1
      ) AS e
      CROSS JOIN merged_failure AS f ON f.theirs = e.failure
      WHERE \(OccurrenceRows.isCounted)
    )
    WHERE elements = iif(json_valid(?7), json_array_length(?7), -1)
    RETURNING id
    """
}
