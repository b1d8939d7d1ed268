/// The result of a push.
package struct PushCounts: Sendable {
  /// The number of digests added.
  package var added = 0

  /// The number of digests skipped because they cannot be read.
  package var unreadable = 0

  /// The number of hours and days whose counts were replaced.
  package var periods = 0
}

/// Sends the counts and digests of a store to another database.
///
/// Between two pushes, this holds for each source in the receiver:
///
/// - Its totals, and its decodes of all days together, are those of the store at the last push.
/// - So are the counts of its hours and days. If the store has deleted some, those of an earlier
///   push stay. The row with the start -1 has the decodes of the days that have no counts here.
/// - Its digests up to `source.counted` are there, unless they were deleted here.
/// - Context 0 has the sums over all contexts, also while a push is running.
/// - If its last push has not ended, it is marked as interrupted, and the next one sends all of it.
///
/// Counts are absolute: rows of the source that differ from the store's are deleted, and those of
/// the store inserted. So repeating a push, or a part of one, changes nothing. `source.counted` is
/// set last.
struct Push {
  /// A source that is sent.
  struct Sent {
    let source: PushedStore.SentSource
    let known: KnownSource

    /// Its id in the receiver.
    var ours: Int64 { known.id }
  }

  let store: PushedStore
  let receiver: any PushReceiver

  /// Called between rows.
  let progress: () throws -> Void

  init(
    of store: PushedStore, to receiver: any PushReceiver, progress: @escaping () throws -> Void
  ) {
    self.store = store
    self.receiver = receiver
    self.progress = progress
  }

  func run() throws -> PushCounts {
    let coversDays = try coversDays()
    let sent = try receiver.beginPush {
      try store.beginSnapshot()
      let sent = try chooseSources(coversDays)
      if !sent.isEmpty { try receiver.prepare(sent.map { ($0.known, $0.source.counted) }) }
      return sent
    }
    var counts = PushCounts()
    guard !sent.isEmpty else { return counts }
    try store.countUnfolded()
    let (changed, periods) = try choosePeriods(sent)
    if !changed.isEmpty { try sendCounts(of: changed, periods) }
    counts.periods = periods.count
    let ids = Set(changed.map(\.ours))
    for sent in sent {
      let first = sent.known.counted
      let digests =
        ids.contains(sent.ours) ? try sendDigests(of: sent, after: first) : (added: 0, read: 0)
      counts.added += digests.added
      counts.unreadable += try store.countDigests(of: sent.source, after: first) - digests.read
    }
    try receiver.endPush(sent.map { PushedSource($0.source, known: $0.known) })
    return counts
  }

  /// Rows with a call of ``progress`` before each.
  private func counted(_ rows: @escaping SQLRows) -> SQLRows {
    { add in
      try rows {
        try progress()
        try add($0)
      }
    }
  }
}

extension Push {
  /// The periods of sources, in the store or in the receiver, by the source's id in the store.
  typealias PeriodSums = [PushedPeriod: PushedStore.Sums]

  /// Chooses the sources that have changed, and their hours and days that differ from those of the
  /// receiver.
  ///
  /// If the store has fewer digests of one, it has deleted its counts and begun again. Then those
  /// of the receiver stay.
  private func choosePeriods(_ sent: [Sent]) throws -> (sources: [Sent], periods: PeriodSums) {
    let ids = Dictionary(uniqueKeysWithValues: sent.map { ($0.ours, $0.source.id) })
    let (theirs, known) = try (store.periods(), knownPeriods(of: ids))
    let (sums, knownSums) = (Self.sums(theirs), Self.sums(known))
    // Decodes only grow, also those of deleted days.
    let changed = sent.filter { sent in
      let id = sent.source.id
      return !sent.known.isWhole || sums[id] != knownSums[id]
    }
    let isWhole = Dictionary(uniqueKeysWithValues: changed.map { ($0.source.id, $0.known.isWhole) })
    let periods = theirs.filter { period, sums in
      guard let isWhole = isWhole[period.source], period.start >= 0 else { return false }
      let known = known[period]
      let isCovered = sums.digests >= known?.digests ?? 0 && sums.decodes >= known?.decodes ?? 0
      return isCovered && (sums != known || !isWhole)
    }
    return (changed, periods)
  }

  /// The periods that the receiver has.
  ///
  /// - Parameter theirs: the ids of sources in the store, by those in the receiver.
  func knownPeriods(of theirs: [Int64: Int64]) throws -> PeriodSums {
    let list = theirs.keys.map(String.init).joined(separator: ", ")
    let rows = try receiver.engine.rows(
      """
      SELECT c.source, d.span, d.start, sum(d.decodes), sum(d.digests)
      FROM context AS c CROSS JOIN decodes AS d ON d.context = c.id
      WHERE c.source IN (\(list)) AND d.span IN (1, 24) GROUP BY 1, 2, 3
      """
    ) { row in
      (
        PushedPeriod(
          source: theirs[row.integer(at: 0)] ?? 0, span: row.integer(at: 1),
          start: row.integer(at: 2)),
        PushedStore.Sums(decodes: row.count(at: 3), digests: row.count(at: 4))
      )
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// The sums of all days, by source.
  private static func sums(_ periods: PeriodSums) -> [Int64: PushedStore.Sums] {
    var sums: [Int64: PushedStore.Sums] = [:]
    for (period, day) in periods where period.span == 24 {
      let sum = sums[period.source] ?? PushedStore.Sums()
      sums[period.source] = PushedStore.Sums(
        decodes: sum.decodes.adding(count: day.decodes),
        digests: sum.digests.adding(count: day.digests))
    }
    return sums
  }
}

extension Push {
  /// The most digests in the periods that are sent at once, and the most digests that are, which
  /// bounds the temporary tables.
  private static let maximumCounted: Int64 = 100_000
  private static let maximumDigests = 20_000

  /// Replaces the counts of sources that have changed.
  private func sendCounts(of sent: [Sent], _ periods: PeriodSums) throws {
    try store.choose(contexts: sendContexts(sent))
    try sendNames()
    try receiver.replaceTotals(counted(store.forEachTotal))
    var part: [PushedPeriod] = []
    var digests: Int64 = 0
    // In their order, so that the rows of a part lie close together.
    for (period, sums) in periods.sorted(by: { $0.key < $1.key }) {
      if digests > Self.maximumCounted {
        try send(part, sent)
        (part, digests) = ([], 0)
      }
      part.append(period)
      digests = digests.adding(count: sums.digests)
    }
    try send(part, sent)
    try receiver.replaceUndated(counted(store.forEachDecodesOfAllTime))
  }

  /// Adds the contexts of the sources.
  ///
  /// - Returns: their ids in the receiver, by their ids in the store.
  private func sendContexts(_ sent: [Sent]) throws -> [Int64: Int64] {
    let sources = Dictionary(uniqueKeysWithValues: sent.map { ($0.source.id, $0.ours) })
    return try receiver.add(
      { add in
        try store.forEachContext { row in
          guard case .integer(let source) = row[1], let ours = sources[source] else { return }
          try add([row[0], .integer(ours)] + row[2...])
        }
      }, to: .context)
  }

  /// Adds the models and failures.
  private func sendNames() throws {
    try store.set(receiver.add(store.forEachModel, to: .model), in: "sent_model")
    try store.set(
      receiver.add(counted(store.forEachFailure), to: .failure), in: "sent_failure")
  }

  /// Replaces the counts of some periods.
  private func send(_ periods: [PushedPeriod], _ sent: [Sent]) throws {
    try store.choose(periods: periods)
    let sources = Dictionary(uniqueKeysWithValues: sent.map { ($0.source.id, $0.ours) })
    let periods = periods.compactMap { period in
      sources[period.source].map {
        PushedPeriod(source: $0, span: period.span, start: period.start)
      }
    }
    for table in CountTable.periods {
      try receiver.replace(
        table, of: periods, counted { try store.forEachRow(of: table, $0) })
    }
  }

  /// Adds the digests that are not there yet, as counted ones.
  ///
  /// - Returns: the number of digests added, and that of those that can be read.
  private func sendDigests(of sent: Sent, after first: Int64) throws -> (added: Int, read: Int) {
    var (after, added, read) = (first, 0, 0)
    var length = Self.maximumDigests
    while length == Self.maximumDigests {
      length = 0
      added += try receiver.add(
        digests: { add in
          try store.forEachDigest(of: sent.source, after: after, limit: Self.maximumDigests) {
            row in
            try progress()
            length += 1
            if case .integer(let number) = row[0] { after = number }
            try add(row)
          }
        }, of: sent.known)
      read += length
    }
    return (added, read)
  }
}
