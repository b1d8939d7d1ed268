import ResilientPlatform

/// The result of a push.
package struct PushCounts: Sendable {
  /// The number of digests added.
  package var added = 0

  /// Whether some digests were skipped because they cannot be read.
  package var hasUnreadable = false

  /// The number of hours and days whose counts were replaced.
  package var periods = 0
}

/// Sends the counts and digests of a store to another database, inside one transaction there.
///
/// Counts are absolute, and replace those that the receiver has of the source. So repeating a push
/// changes nothing. Only hours and days are sent whose sums differ from those of the receiver.
struct Push {
  /// What the receiver knows of a source.
  struct KnownSource {
    let id: Int64

    /// The number up to which the receiver has counted all digests, and when that one was recorded.
    let counted: Int64
    let countedAt: Int64

    /// The largest number of a digest that was imported and deleted.
    let evicted: Int64

    /// The largest number of a digest that the receiver has seen.
    let seen: Int64

    /// Whether digests were imported one by one, perhaps under limits.
    var hasImported: Bool { counted < seen }

    /// Whether everything of the source is replaced.
    var isPartial: Bool { counted == 0 || hasImported }
  }

  /// A source that is sent.
  struct Sent {
    let source: PushedStore.Source
    let known: KnownSource

    /// Its id in the receiver.
    var ours: Int64 { known.id }
  }

  let store: PushedStore
  let receiver: any WritableEngine

  /// Called between rows.
  let progress: () throws -> Void

  init(
    of store: PushedStore, to receiver: any WritableEngine, progress: @escaping () throws -> Void
  ) {
    self.store = store
    self.receiver = receiver
    self.progress = progress
  }

  func run() throws -> PushCounts {
    var counts = PushCounts()
    try store.beginSnapshot()
    let sent = try chooseSources()
    guard !sent.isEmpty else { return counts }
    let periods = try choosePeriods(sent)
    let hasAllTotals = sent.contains(where: \.known.isPartial) || periods.hasOtherSums
    let isChanged = !periods.changed.isEmpty || periods.hasOtherSums
    counts.periods = periods.changed.count
    if isChanged {
      let contexts = try sendContexts(sent)
      try store.choose(contexts: contexts, periods: periods.changed, hasAllTotals: hasAllTotals)
      try sendNames()
      try sendCounts(.total) { try store.forEachTotal(hasAll: hasAllTotals, $0) }
      try replaceTotals(hasAll: hasAllTotals)
      for some in periods.parts { try send(some, sent) }
      for table in [PushedTable.decodes, .failed] { try replaceUndated(table) }
    }
    for sent in sent {
      let digests =
        try isChanged
        ? sendDigests(of: sent)
        : (
          added: 0,
          areUnreadable: store.countDigests(of: sent.source, after: sent.known.counted) > 0
        )
      counts.added += digests.added
      counts.hasUnreadable = counts.hasUnreadable || digests.areUnreadable
    }
    for sent in sent {
      try receiver.execute(
        "UPDATE source SET counted = :counted, counted_at = :at WHERE id = :id",
        [
          ":counted": .integer(sent.source.counted), ":at": .integer(sent.source.countedAt),
          ":id": .integer(sent.ours),
        ])
    }
    return counts
  }
}

extension Push {
  /// Chooses the sources to send, and adds new ones to the receiver.
  private func chooseSources() throws -> [Sent] {
    let sources = try store.sources()
    let own = try receiver.text("SELECT identity FROM store") ?? ""
    let known = try known(sources.map(\.identity))
    try check(sources, known, own: own)
    let sent = sources.filter { source in
      // Leaves out digests of the receiver that come back, and sources of which it has seen more.
      source.identity != own && source.counted >= known[BinaryString(source.identity)]?.seen ?? 0
    }
    for source in sent where known[BinaryString(source.identity)] == nil {
      try receiver.execute(
        "INSERT INTO source (identity, counted, counted_at, evicted) VALUES (:identity, 0, 0, 0)",
        [":identity": .text(source.identity)])
    }
    let all = try self.known(sent.map(\.identity))
    return sent.compactMap { source in
      all[BinaryString(source.identity)].map { Sent(source: source, known: $0) }
    }
  }

  private func known(_ identities: [String]) throws -> [BinaryString: KnownSource] {
    let rows = try receiver.rows(
      """
      SELECT identity, id, counted, counted_at, evicted,
        coalesce((SELECT max(number) FROM digest WHERE digest.source = s.id), 0)
      FROM source AS s WHERE identity IN (SELECT value FROM json_each(:identities))
      """, [":identities": .texts(identities)]
    ) { row in
      let (counted, evicted) = (row.integer(at: 2), row.integer(at: 4))
      return (
        BinaryString(row.text(at: 0) ?? ""),
        KnownSource(
          id: row.integer(at: 1), counted: counted, countedAt: row.integer(at: 3),
          evicted: evicted, seen: max(counted, evicted, row.integer(at: 5)))
      )
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Checks that the store has all that the receiver has of it.
  private func check(
    _ sources: [PushedStore.Source], _ known: [BinaryString: KnownSource], own: String
  ) throws {
    guard let source = sources.first(where: \.isOwn) else { return }
    if source.identity == own {
      let ours = try receiver.integer(
        "SELECT recorded_at FROM digest WHERE id = \(source.counted) AND source IS NULL")
      let theirs = try store.time(ofDigest: source.counted)
      guard try source.counted <= receiver.lastNumber,
        ours == nil || theirs == nil || ours == theirs
      else {
        throw otherCopy
      }
    } else if let known = known[BinaryString(source.identity)], known.id != 1 {
      guard source.counted >= known.seen else {
        throw DigestStoreError(
          .invalidInput,
          "\(store.path): more of this store was merged before than it has, so it is an older copy, "
            + "such as a restored backup; merge the current file")
      }
      guard known.counted > 0, known.countedAt > 0,
        let time = try store.time(ofDigest: known.counted), time != known.countedAt
      else { return }
      throw otherCopy
    }
  }

  private var otherCopy: DigestStoreError {
    DigestStoreError(
      .invalidInput,
      "\(store.path): this is a copy of a store that was merged before, and both were written "
        + "since; import its export instead")
  }
}

extension Push {
  /// The hours and days to send.
  private struct Periods {
    var changed: [PushedStore.Period] = []

    /// The same in parts of some 100,000 digests, which bounds the temporary tables.
    var parts: [[PushedStore.Period]] = []
    private var digests: Int64 = 0

    mutating func append(_ period: PushedStore.Period, _ sums: PushedStore.Sums) {
      changed.append(period)
      if parts.isEmpty || digests > 100_000 {
        parts.append([])
        digests = 0
      }
      parts[parts.count - 1].append(period)
      digests = digests.adding(count: sums.digests)
    }

    /// Whether there are counts of all time that no day has.
    var hasOtherSums = false
  }

  /// Chooses the hours and days that differ from those of the receiver.
  ///
  /// If the store has fewer digests of one, it has deleted its counts and begun again. Then those of
  /// the receiver stay.
  private func choosePeriods(_ sent: [Sent]) throws -> Periods {
    let ours = Dictionary(uniqueKeysWithValues: sent.map { ($0.ours, $0.source.id) })
    let list = ours.keys.map(String.init).joined(separator: ", ")
    let rows = try receiver.rows(
      """
      SELECT c.source, d.span, d.start, sum(d.decodes), sum(d.digests)
      FROM decodes AS d JOIN context AS c ON c.id = d.context
      WHERE c.source IN (\(list)) GROUP BY 1, 2, 3
      """
    ) { row in
      (
        PushedStore.Period(
          source: ours[row.integer(at: 0)] ?? 0, span: row.integer(at: 1),
          start: row.integer(at: 2)),
        PushedStore.Sums(decodes: row.count(at: 3), digests: row.count(at: 4))
      )
    }
    let known = Dictionary(rows) { first, _ in first }
    let partial = Set(sent.lazy.filter(\.known.isPartial).map(\.source.id))
    let sentIDs = Set(sent.map(\.source.id))
    var periods = Periods()
    var differences: [Int64: PushedStore.Sums] = [:]
    for (period, sums) in known where period.span == 24 {
      differences[period.source, default: .init()].subtract(sums)
    }
    for (period, sums) in try store.periods() where sentIDs.contains(period.source) {
      if period.span == 24 { differences[period.source, default: .init()].add(sums) }
      guard period.start >= 0 else { continue }
      let known = known[period]
      let isCovered = sums.digests >= known?.digests ?? 0 && sums.decodes >= known?.decodes ?? 0
      guard isCovered, sums != known || partial.contains(period.source) else { continue }
      periods.append(period, sums)
      if period.span == 24 {
        differences[period.source, default: .init()].subtract(sums)
        differences[period.source, default: .init()].add(known ?? .init())
      }
    }
    periods.hasOtherSums = differences.values.contains { $0 != .init() }
    return periods
  }
}

extension Push {
  /// Adds the contexts of the sources.
  ///
  /// - Returns: their ids in the receiver, by their ids in the store.
  private func sendContexts(_ sent: [Sent]) throws -> [Int64: Int64] {
    let sources = Dictionary(uniqueKeysWithValues: sent.map { ($0.source.id, $0.ours) })
    try receiver.makeTable(
      "in_context",
      columns: """
        theirs bigint, source bigint, release text, environment text, operation text, ours bigint
        """)
    try receiver.insert(into: "in_context", columns: 6) { add in
      try store.forEachContext { row in
        guard case .integer(let source) = row[1], let ours = sources[source] else { return }
        try add([row[0], .integer(ours)] + row[2...] + [.null])
      }
    }
    try receiver.execute(
      """
      INSERT INTO context (source, release, environment, operation)
      SELECT DISTINCT source, release, environment, operation FROM in_context
      WHERE true ON CONFLICT DO NOTHING
      """)
    try receiver.execute(
      """
      UPDATE in_context SET ours = (
        SELECT id FROM context AS c
        WHERE c.source = in_context.source AND c.release = in_context.release
          AND c.environment = in_context.environment AND c.operation = in_context.operation)
      """)
    let pairs = try receiver.rows("SELECT theirs, ours FROM in_context") {
      ($0.integer(at: 0), $0.integer(at: 1))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Adds the models, and the failures that were chosen.
  private func sendNames() throws {
    try receiver.makeTable("in_model", columns: "theirs bigint, name text, ours bigint")
    try receiver.insert(into: "in_model", columns: 3) { add in
      try store.forEachModel { try add($0 + [.null]) }
    }
    try receiver.execute(
      "INSERT INTO model (name) SELECT name FROM in_model WHERE true ON CONFLICT DO NOTHING")
    try receiver.execute(
      "UPDATE in_model SET ours = (SELECT id FROM model AS m WHERE m.name = in_model.name)")

    try receiver.makeTable(
      "in_failure",
      columns: """
        theirs bigint PRIMARY KEY, key bytea, model bigint, coding_path text, kind text,
        expected_type text, novel_value text, value_type text, message text, found_type text,
        found_value text, sampled_at bigint, ours bigint
        """)
    try receiver.insert(into: "in_failure", columns: 13) { add in
      try store.forEachFailure {
        try progress()
        try add($0 + [.null])
      }
    }
    try receiver.execute(
      """
      INSERT INTO failure (key, model, coding_path, kind, expected_type, novel_value, value_type,
        message, found_type, found_value, sampled_at)
      SELECT f.key, m.ours, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type,
        f.message, f.found_type, f.found_value, f.sampled_at
      FROM in_failure AS f JOIN in_model AS m ON m.theirs = f.model
      WHERE true ON CONFLICT DO NOTHING
      """)
    try receiver.execute(
      "UPDATE in_failure SET ours = (SELECT id FROM failure AS f WHERE f.key = in_failure.key)")
    try store.setFailures { set in
      try receiver.forEachRow("SELECT theirs, ours FROM in_failure WHERE ours IS NOT NULL", [:]) {
        try set($0.integer(at: 0), $0.integer(at: 1))
        return true
      }
    }
  }

  /// Replaces the counts of some periods.
  private func send(_ periods: [PushedStore.Period], _ sent: [Sent]) throws {
    try store.choose(periods: periods)
    let sources = Dictionary(uniqueKeysWithValues: sent.map { ($0.source.id, $0.ours) })
    try receiver.makeTable("in_period", columns: "source bigint, span bigint, start bigint")
    try receiver.insert(into: "in_period", columns: 3) { add in
      for period in periods {
        try add([
          SQLValue(sources[period.source]), .integer(period.span), .integer(period.start),
        ])
      }
    }
    for table in PushedTable.periods {
      try sendCounts(table) { try store.forEachRow(of: table, $0) }
      let contexts = "in_period AS p CROSS JOIN context AS c ON c.source = p.source"
      try receiver.replace(
        table,
        from: """
          \(contexts) CROSS JOIN \(table.name) AS t
            ON t.span = p.span AND t.context = c.id AND t.start = p.start
          """, deleting: "(span, context, start) IN (SELECT p.span, c.id, p.start FROM \(contexts))"
      )
    }
    try receiver.execute("DROP TABLE in_period")
  }
}

// A damaged file may contain any count. Only equal sums matter, so they may wrap.
extension PushedStore.Sums {
  mutating func add(_ other: Self) {
    decodes &+= other.decodes
    digests &+= other.digests
  }

  mutating func subtract(_ other: Self) {
    decodes &-= other.decodes
    digests &-= other.digests
  }
}
