import DigestStore

/// Another push of the same store has entered something in the meantime.
struct ConcurrentPush: Error {}

/// One attempt to send what a fleet does not have of a store: what is the same for all engines.
protocol PushAttempt: AnyObject {
  /// The fleet, for messages.
  var fleet: String { get }
  var store: DigestReader { get }

  /// The counts and names that the fleet does not have yet.
  var counts: StoreCounts { get }

  /// The last push of the store.
  var lastPush: PushMark { get }

  /// Reads the packs as the last push sent them.
  func earlierPacks(_ packs: [PackedCounts]) throws -> [PackedCounts.Key: [UInt8]]

  /// The numbers of errors that the fleet knows to have no day any more, by the first hour of their day.
  func undatedOccurrences() throws -> [Int64: Int64]

  /// The marks of all pushes, in the order of the digests.
  func pushMarks() throws -> [PushMark]

  /// The remedy for damaged counts of the store in the fleet.
  var remedyForDamage: String { get }
}

extension PushAttempt {
  /// Calls `body` with some packs at a time.
  ///
  /// - Parameters:
  ///   - size: about how many counts a batch has.
  ///   - dropped: packs to leave out, because they have been entered.
  ///   - progress: called with the number of packs that are done, and of all.
  func forEachBatch(
    of size: Int, without dropped: [PackedCounts],
    _ progress: (DigestReader.Progress) throws -> Void, _ body: ([PackedCounts]) throws -> Void
  ) throws {
    let done = Set(dropped.map(\.key))
    var rest = counts.packs.filter { $0.key.span >= 0 && !done.contains($0.key) }[...]
    let total = rest.count
    while !rest.isEmpty {
      try progress(.init(unit: .periods, done: total - rest.count, total: total))
      var batch: [PackedCounts] = []
      var length = 0
      // A count takes some eight bytes.
      while let pack = rest.first, batch.isEmpty || length < size * 8 {
        batch.append(pack)
        length += pack.bytes.count
        rest.removeFirst()
      }
      try body(batch)
    }
  }
}

/// How a push recognizes the store: its last digest, and when that was recorded, in milliseconds since
/// 1970.
struct PushMark {
  /// 0 if nothing was pushed.
  let lastDigest: Int64
  let lastRecordedAt: Int64

  /// Whether anything of the store has arrived.
  let hasArrived: Bool
}

/// Runs a push, and again while another push of the same store gets in its way: the next attempt sends what
/// the other one has left.
///
/// A store that seems to be a copy may only be older than what another push has sent meanwhile. So it is
/// refused if a second attempt, which reads the store again, finds the same.
func repeatingConcurrentPushes<Value>(to fleet: String, _ push: () throws -> Value) throws -> Value
{
  var refusal: String?
  for _ in 1...10 {
    do {
      return try push()
    } catch is ConcurrentPush {
    } catch let error as FleetError where error.code == .unfit && error.description != refusal {
      refusal = error.description
    }
  }
  throw FleetError(
    .failed, "\(fleet): other pushes of this store are running; run it again later")
}
