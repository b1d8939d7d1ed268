import DigestStore

extension Push {
  /// Checks, before anything is entered, that the file descends from the pushed one.
  ///
  /// - Returns: the packs of the days for which the store has dropped counts since then.
  func check() throws -> [PackedCounts] {
    guard source.revision > 0 else { return [] }
    try checkDescent()
    try readReleases(releaseNames[...])
    let merged = try mergedPacks()
    let losses = try newLosses()
    var dropped: [PackedCounts] = []
    var rest = counts.packs.filter { $0.key.span >= 0 }[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(100))
      rest = rest.dropFirst(100)
      let earlier = try earlierPacks(some)
      for pack in some {
        let sent = merged[pack.key] ?? earlier[pack.key] ?? []
        if try growth(of: pack, since: sent) != nil { continue }
        guard pack.key.span == 24,
          pack.key.subject == .decodes || losses.contains(pack.key.start)
        else {
          throw try unfit("it has counted less than was pushed")
        }
        dropped.append(pack)
      }
    }
    return dropped
  }

  private func checkDescent() throws {
    guard source.lastDigest > 0 else { return }
    if counts.lastDigest < source.lastDigest {
      throw try unfit("it ends before digest \(source.lastDigest), which was pushed")
    }
    if let known = counts.knownRecordedAt, known != source.lastRecordedAt {
      throw try unfit("its digest \(source.lastDigest) is another one than was pushed")
    }
  }

  /// The days for which the store has dropped counts since the last push.
  private func newLosses() throws -> Set<Int64> {
    let rows = try connection.run(
      "SELECT hour, occurrences FROM digests.loss WHERE source_id = $1 AND reason = $2",
      [.integer(source.id), .text(DigestStore.Loss.Reason.undated.rawValue)])
    let known = Dictionary(rows.map { ($0.integer(0), $0.integer(1)) }) { first, _ in first }
    return Set(
      undated.filter { Int64($0.occurrences) > known[$0.startingHour] ?? 0 }.map(\.startingHour))
  }

  /// The losses of the days for which the store has dropped counts.
  var undated: [DigestStore.Loss] { counts.losses.filter { $0.reason == .undated } }

  /// Returns how much a pack has grown; nil if a count has shrunk.
  func growth(of pack: PackedCounts, since earlier: [UInt8]?) throws -> [Count]? {
    try reading { try pack.growth(since: earlier ?? []) }
  }

  /// Runs `body`, which reads packs, and says what to do about damaged ones.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw FleetError(
        .damaged,
        "\(connection.name): the counts of the store, or those that were pushed before, are damaged; "
          + "run digest-query verify on the store, and digest-query prune on the fleet")
    }
  }
}
