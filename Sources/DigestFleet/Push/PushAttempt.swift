import DigestStore

/// Another push of the same store has entered something in the meantime.
struct ConcurrentPush: Error {}

/// One attempt to send what a fleet does not have of a store: what is the same for all engines.
protocol PushAttempt: AnyObject {
  /// The fleet, for messages.
  var fleet: String { get }
  var store: DigestReader { get }

  /// What the store has and the fleet does not.
  var counts: StoreCounts { get }

  /// The last push of the store.
  var lastPush: PushMark { get }

  /// Reads the packs as the last push sent them.
  func earlierPacks(_ packs: [PackedCounts]) throws -> [PackedCounts.Key: [UInt8]]

  /// The numbers of errors that the fleet knows to have no day any more, by the first hour of their day.
  func undatedOccurrences() throws -> [Int64: Int64]

  /// The marks of all pushes, in the order of the digests.
  func pushMarks() throws -> [PushMark]

  /// What to do about counts of the store in the fleet that cannot be read.
  var remedyForDamage: String { get }
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
