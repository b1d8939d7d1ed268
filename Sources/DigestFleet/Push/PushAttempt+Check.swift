import DigestStore
import ResilientPlatform

extension PushAttempt {
  /// Checks, before anything is entered, that the file descends from the pushed one.
  ///
  /// - Returns: the packs of the days for which the store has dropped counts since then.
  func check() throws -> [PackedCounts] {
    guard lastPush.hasArrived else { return [] }
    try checkDescent()
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
    guard lastPush.lastDigest > 0 else { return }
    if counts.lastDigest < lastPush.lastDigest {
      throw try unfit("it ends before digest \(lastPush.lastDigest), which was pushed")
    }
    if let known = counts.knownRecordedAt, known != lastPush.lastRecordedAt {
      throw try unfit("its digest \(lastPush.lastDigest) is another one than was pushed")
    }
  }

  /// The days for which the store has dropped counts since the last push.
  private func newLosses() throws -> Set<Int64> {
    guard !undated.isEmpty else { return [] }
    let known = try undatedOccurrences()
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
        "\(fleet): the counts of the store, or those that were pushed before, are damaged; "
          + "run digest-query verify on the store, and \(remedyForDamage)")
    }
  }
}

extension PushAttempt {
  /// The error for a file that does not descend from the pushed one.
  func unfit(_ reason: String) throws -> FleetError {
    var error = FleetError(
      .unfit,
      "the store is a copy, or an older state, of the one that \(fleet) knows: \(reason); nothing of "
        + "it is counted")
    error.lastCountedDigest = try store.lastDigest(
      among: pushMarks().map { ($0.lastDigest, $0.lastRecordedAt) })
    return error
  }
}

extension DigestStore.Loss {
  /// Hours since 1970.
  var startingHour: Int64 { Int64(hour.timeIntervalSince1970) / 3_600 }
}
