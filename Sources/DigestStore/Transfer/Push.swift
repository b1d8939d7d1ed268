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

/// Sends the counts and digests of a store to another database.
///
/// Counts are absolute, and replace those that the receiver has of the source. So repeating a push
/// changes nothing, and completes one that was interrupted. Of a source that has changed, all totals
/// are sent, and the hours and days whose sums differ from those of the receiver.
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
    var counts = PushCounts()
    let coversDays = try coversDays()
    let sent = try receiver.beginPush {
      try store.beginSnapshot()
      let sent = try chooseSources(coversDays)
      if !sent.isEmpty { try receiver.prepare(sent.map { ($0.known, $0.source.counted) }) }
      return sent
    }
    guard !sent.isEmpty else { return counts }
    try store.countUnfolded()
    let periods = try choosePeriods(sent)
    let changed = sent.filter { periods.sources.contains($0.source.id) }
    counts.periods = periods.changed.count
    if !changed.isEmpty {
      try store.choose(contexts: sendContexts(changed))
      try sendNames()
      try receiver.replaceTotals(counted(store.forEachTotal))
      for some in periods.parts { try send(some, changed) }
      try receiver.replaceUndated(counted(store.forEachDecodesOfAllTime))
    }
    for sent in sent {
      let digests =
        try periods.sources.contains(sent.source.id)
        ? sendDigests(of: sent)
        : (
          added: 0,
          areUnreadable: store.countDigests(of: sent.source, after: sent.known.counted) > 0
        )
      counts.added += digests.added
      counts.hasUnreadable = counts.hasUnreadable || digests.areUnreadable
    }
    try receiver.endPush(sent.map { ($0.known, $0.source.counted, $0.source.countedAt) })
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
  /// Chooses the sources to send, and adds new ones to the receiver.
  private func chooseSources(_ coversDays: Bool) throws -> [Sent] {
    let sources = try store.sources()
    let own = try receiver.text("SELECT identity FROM store") ?? ""
    let known = try known(sources.map(\.identity))
    try check(sources, known, own: own, coversDays)
    let sent = sources.filter { source in
      // Skips the receiver's own digests, and sources whose counts are newer there.
      source.identity != own && source.counted >= known[BinaryString(source.identity)]?.seen ?? 0
    }
    for source in sent where known[BinaryString(source.identity)] == nil {
      try receiver.add(source: source.identity)
    }
    let all = try self.known(sent.map(\.identity))
    return sent.compactMap { source in
      all[BinaryString(source.identity)].map { Sent(source: source, known: $0) }
    }
  }

  private func known(_ identities: [String]) throws -> [BinaryString: KnownSource] {
    let interrupted = try receiver.interruptedSources()
    let last = receiver.lastNumberOfSource
    let rows = try receiver.rows(
      """
      SELECT s.identity, s.id, s.counted, s.counted_at, s.evicted, coalesce(\(last.column), 0)
      FROM source AS s \(last.join)
      WHERE s.identity IN (SELECT value FROM json_each(:identities))
      """, [":identities": .texts(identities)]
    ) { row in
      let (identity, counted) = (row.text(at: 0) ?? "", row.integer(at: 2))
      let (id, evicted) = (row.integer(at: 1), row.integer(at: 4))
      return (
        BinaryString(identity),
        KnownSource(
          id: id, identity: identity, counted: counted,
          countedAt: row.integer(at: 3), evicted: evicted,
          seen: max(counted, evicted, row.integer(at: 5)),
          isInterrupted: interrupted.contains(id))
      )
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// How many of the last digests of the receiver are compared with those of the store.
  private static let comparedDigests = 1_000

  /// Checks that the store has all that the receiver has of it.
  private func check(
    _ sources: [PushedStore.SentSource], _ known: [BinaryString: KnownSource], own: String,
    _ coversDays: Bool
  ) throws {
    guard let source = sources.first(where: \.isOwn) else { return }
    if source.identity == own {
      guard try source.counted <= receiver.lastNumber else { throw otherCopy }
      try compareDigests("id", where: "id <= \(source.counted)")
    } else if let known = known[BinaryString(source.identity)], known.id != 1 {
      guard source.counted >= known.seen else {
        throw DigestStoreError(
          .invalidInput,
          "\(store.path): more of this store was pushed before than it has, so it is an older copy, "
            + "such as a restored backup; push the current file")
      }
      guard coversDays else { throw otherCopy }
      try compareDigests("number", where: "source = \(known.id)")
      if known.counted > 0, known.countedAt > 0 {
        try compare([known.counted: Moment(milliseconds: known.countedAt)])
      }
    }
  }

  /// Compares the times of the receiver's last digests with those of the store.
  ///
  /// - Parameters:
  ///   - number: the column of the receiver with the numbers that digests have in the store.
  ///   - condition: on `digest`, for those of the store.
  private func compareDigests(_ number: String, where condition: String) throws {
    let times = try receiver.rows(
      """
      SELECT \(number), recorded_at FROM digest WHERE \(condition)
      ORDER BY \(number) DESC LIMIT \(Self.comparedDigests)
      """
    ) { ($0.integer(at: 0), $0.moment(at: 1)) }
    try compare(Dictionary(times) { first, _ in first })
  }

  /// Compares times of digests with those that the store still has.
  private func compare(_ times: [Int64: Moment]) throws {
    guard try store.times(ofDigests: times.keys).allSatisfy({ times[$0.key] == $0.value }) else {
      throw otherCopy
    }
  }

  /// Whether the store has counted as many digests of each day as the receiver has of it. Days whose
  /// counts it has deleted are not compared.
  ///
  /// Outside the transactions of the receiver, because both may have many days. What the receiver
  /// has was in the store before, so it is read first.
  private func coversDays() throws -> Bool {
    let known = try receiver.rows(
      """
      SELECT d.start, sum(d.digests)
      FROM source AS s CROSS JOIN context AS c ON c.source = s.id
      CROSS JOIN decodes AS d ON d.span = 24 AND d.context = c.id
      WHERE s.identity = :identity AND s.id <> 1 GROUP BY 1
      """, [":identity": .text(store.identity())]
    ) { ($0.integer(at: 0), $0.count(at: 1)) }
    guard !known.isEmpty else { return true }
    try store.beginSnapshot()
    let days = try store.digestsByDay()
    let deleted = try Set([-1] + store.deletedDays())
    return known.allSatisfy { day, digests in
      deleted.contains(day) || days[day] ?? 0 >= digests
    }
  }

  private var otherCopy: DigestStoreError {
    DigestStoreError(
      .invalidInput,
      "\(store.path): this is a copy of a store that was pushed before, and both were written "
        + "since; import what this one has recorded since then, without ids, because the other one uses "
        + "the same ids: export --since TIME | sed 's/\"id\":\"[^\"]*\",//' | import -")
  }
}

extension Push {
  /// The hours and days to send.
  private struct ChosenPeriods {
    var changed: [PushedPeriod] = []

    /// The same in parts of some 100,000 digests, which bounds the temporary tables.
    var parts: [[PushedPeriod]] = []
    private var digests: Int64 = 0

    /// The ids of the sources with other counts than the receiver has.
    var sources: Set<Int64> = []

    mutating func append(_ period: PushedPeriod, _ sums: PushedStore.Sums) {
      changed.append(period)
      sources.insert(period.source)
      if parts.isEmpty || digests > 100_000 {
        parts.append([])
        digests = 0
      }
      parts[parts.count - 1].append(period)
      digests = digests.adding(count: sums.digests)
    }
  }

  /// Chooses the hours and days that differ from those of the receiver.
  ///
  /// If the store has fewer digests of one, it has deleted its counts and begun again. Then those
  /// of the receiver stay. The sums of all days tell whether there are counts of days that one side
  /// has deleted.
  private func choosePeriods(_ sent: [Sent]) throws -> ChosenPeriods {
    let ours = Dictionary(uniqueKeysWithValues: sent.map { ($0.ours, $0.source.id) })
    let list = ours.keys.map(String.init).joined(separator: ", ")
    let rows = try receiver.rows(
      """
      SELECT c.source, d.span, d.start, sum(d.decodes), sum(d.digests)
      FROM context AS c CROSS JOIN \(PushedStore.spans) AS s
      CROSS JOIN decodes AS d ON d.span = s.span AND d.context = c.id
      WHERE c.source IN (\(list)) GROUP BY 1, 2, 3
      """
    ) { row in
      (
        PushedPeriod(
          source: ours[row.integer(at: 0)] ?? 0, span: row.integer(at: 1),
          start: row.integer(at: 2)),
        PushedStore.Sums(decodes: row.count(at: 3), digests: row.count(at: 4))
      )
    }
    let known = Dictionary(rows) { first, _ in first }
    let partial = Set(sent.lazy.filter(\.known.isPartial).map(\.source.id))
    let sentIDs = Set(sent.map(\.source.id))
    var periods = ChosenPeriods()
    var differences: [Int64: PushedStore.Sums] = [:]
    for (period, sums) in known where period.span == 24 {
      differences[period.source, default: .init()].subtract(sums)
    }
    // In their order, so that the rows of a part lie close together.
    for (period, sums) in try store.periods().sorted(by: { $0.key < $1.key })
    where sentIDs.contains(period.source) {
      if period.span == 24 { differences[period.source, default: .init()].add(sums) }
      guard period.start >= 0 else { continue }
      let known = known[period]
      let isCovered = sums.digests >= known?.digests ?? 0 && sums.decodes >= known?.decodes ?? 0
      guard isCovered, sums != known || partial.contains(period.source) else { continue }
      periods.append(period, sums)
    }
    periods.sources.formUnion(differences.lazy.filter { $0.value != .init() }.map(\.key))
    periods.sources.formUnion(sent.lazy.filter(\.known.isInterrupted).map(\.source.id))
    return periods
  }
}

extension Push {
  /// The number of digests to send at once, which bounds the temporary tables.
  private static let maximumDigests = 20_000

  /// Adds the contexts of the sources.
  ///
  /// - Returns: their ids in the receiver, by their ids in the store.
  private func sendContexts(_ sent: [Sent]) throws -> [Int64: Int64] {
    let sources = Dictionary(uniqueKeysWithValues: sent.map { ($0.source.id, $0.ours) })
    return try receiver.add(contexts: { add in
      try store.forEachContext { row in
        guard case .integer(let source) = row[1], let ours = sources[source] else { return }
        try add([row[0], .integer(ours)] + row[2...])
      }
    })
  }

  /// Adds the models and failures.
  private func sendNames() throws {
    try store.setModels(receiver.add(models: store.forEachModel))
    try store.setFailures { set in
      try receiver.find(failures: counted(store.forEachFailureKey), set)
    }
    try store.setFailures { set in
      try receiver.add(failures: counted(store.forEachNewFailure), set)
    }
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
  /// - Returns: the number of digests added, and whether others cannot be read.
  private func sendDigests(of sent: Sent) throws -> (added: Int, areUnreadable: Bool) {
    let first = sent.known.isPartial ? sent.known.evicted : sent.known.counted
    var (after, count, added) = (first, 0, 0)
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
      count += length
    }
    return (added, try store.countDigests(of: sent.source, after: first) > count)
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
