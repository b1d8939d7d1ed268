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
