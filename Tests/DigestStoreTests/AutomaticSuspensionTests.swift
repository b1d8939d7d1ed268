import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

struct AutomaticSuspensionTests {
  enum Event {
    case background, foreground, decode

    /// The system runs an activity that was asked for, or ends its time first.
    case activity, expiry
  }

  typealias Outcome = (isSuspended: Bool, committed: Int, activities: Int)

  /// Events, and whether the store is suspended then, with how many digests in the file, and how
  /// many activities that were asked for.
  static let cases: [([Event], Outcome)] = [
    ([.decode], (false, 1, 0)),
    ([.background, .activity], (true, 0, 1)),
    ([.background, .expiry], (true, 0, 1)),
    ([.background, .activity, .foreground], (false, 0, 1)),
    ([.background, .foreground, .activity], (false, 0, 1)),
    ([.background, .activity, .decode], (true, 0, 2)),
    ([.background, .activity, .decode, .activity], (true, 1, 2)),
    ([.background, .activity, .decode, .decode, .activity], (true, 2, 2)),
    ([.background, .activity, .decode, .expiry], (true, 0, 2)),
    ([.background, .activity, .decode, .expiry, .decode, .activity], (true, 2, 3)),
    ([.background, .activity, .decode, .foreground], (false, 1, 2)),
    ([.background, .activity, .foreground, .background, .activity], (true, 0, 2)),
  ]

  @Test(arguments: cases)
  func `a store is suspended while its app is in the background`(
    events: [Event], expected: Outcome
  ) throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let bodies = Locked<[@Sendable (Bool) -> Void]>([])
    let suspension = AutomaticSuspension { body in bodies.withLock { $0.append(body) } }
    suspension.begin(suspend: store.suspend, resume: store.resume)

    var next = 0
    func run(isExpired: Bool) {
      bodies.withLock { $0 }[next](isExpired)
      next += 1
    }
    for event in events {
      switch event {
      case .background: suspension.appDidEnterBackground()
      case .foreground: suspension.appWillEnterForeground()
      case .decode:
        try store.see("villa")
        suspension.digestWasRecorded()
      case .activity: run(isExpired: false)
      case .expiry: run(isExpired: true)
      }
    }
    suspension.queue.sync {}

    #expect(store.queue.isSuspended == expected.isSuspended)
    #expect(try DigestReader(path: temporary.path).totals().digests == expected.committed)
    #expect(bodies.withLock { $0.count } == expected.activities)
  }

  @Test func `only a store with automatic suspension follows its app`() throws {
    #expect(try TemporaryStore().store.suspension == nil)
    let temporary = try TemporaryStore(DigestStore.Configuration(suspension: .automatic))
    let suspension = try #require(temporary.store.suspension)

    suspension.appDidEnterBackground()
    #if os(Linux)
      #expect(temporary.store.queue.isSuspended)
      // A digest that is recorded in the background is written.
      try temporary.store.see("villa")
      #expect(temporary.store.queue.isSuspended)
      #expect(try DigestReader(path: temporary.path).count("villa") == 1)
    #endif
    suspension.appWillEnterForeground()
    suspension.queue.sync {}
    #expect(!temporary.store.queue.isSuspended)
  }
}
