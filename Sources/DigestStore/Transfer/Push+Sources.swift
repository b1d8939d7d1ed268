/// The sources of a push, and whether the store has all that the receiver has of it.
extension Push {
  /// Chooses the sources to send, and adds new ones to the receiver.
  func chooseSources(_ coversDays: Bool) throws -> [Sent] {
    let sources = try store.sources()
    let own = try receiver.engine.text("SELECT identity FROM store") ?? ""
    let known = try known(sources.map(\.identity))
    try check(sources, known, own: own, coversDays)
    let sent = sources.filter { source in
      // Skips the receiver's own digests, and sources whose counts are newer there.
      source.identity != own && source.counted >= known[BinaryString(source.identity)]?.seen ?? 0
    }
    if let imported = try receiver.imported(among: sent.map(\.identity)) {
      throw DigestStoreError(
        .invalidInput,
        "\(store.path): digests of the store \(imported) were imported here, so a push would count them "
          + "twice; go on importing its exports, or push to another file")
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
    let interrupted = try receiver.engine.interruptedSources()
    let last = receiver.lastNumberOfSource
    let rows = try receiver.engine.rows(
      """
      SELECT s.identity, s.id, s.counted, s.counted_at, coalesce(\(last.column), 0), s.name,
        s.pushed_at
      FROM source AS s \(last.join)
      WHERE s.identity IN (SELECT value FROM json_each(:identities))
      """, [":identities": .texts(identities)]
    ) { row in
      let (identity, counted) = (row.text(at: 0) ?? "", row.integer(at: 2))
      let id = row.integer(at: 1)
      return (
        BinaryString(identity),
        KnownSource(
          id: id, identity: identity, counted: counted,
          countedAt: row.integer(at: 3), name: row.text(at: 5) ?? "",
          pushedAt: row.moment(at: 6).milliseconds, seen: max(counted, row.integer(at: 4)),
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
      guard try source.counted <= receiver.engine.lastNumber else { throw otherCopy }
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
    let times = try receiver.engine.rows(
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
  func coversDays() throws -> Bool {
    let target = try receiver.engine.integer(
      "SELECT id FROM source WHERE identity = :identity AND id <> 1",
      [":identity": .text(store.identity())])
    guard let target else { return true }
    let known = try knownPeriods(of: [target: 1]).filter { $0.key.span == 24 }
    guard !known.isEmpty else { return true }
    try store.beginSnapshot()
    try store.countUnfolded()
    let (theirs, deleted) = try (store.periods(), Set([-1] + store.deletedDays()))
    return known.allSatisfy { day, sums in
      deleted.contains(day.start) || theirs[day]?.digests ?? 0 >= sums.digests
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
