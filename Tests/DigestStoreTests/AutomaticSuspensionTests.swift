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

  struct Case: Sendable {
    let events: [Event]
    let isSuspended: Bool

    /// The digests in the file.
    var committed = 0

    /// The activities that were asked for.
    var activities = 1
  }

  static let cases = [
    Case(events: [.decode], isSuspended: false, committed: 1, activities: 0),
    Case(events: [.background, .activity], isSuspended: true),
    Case(events: [.background, .expiry], isSuspended: true),
    Case(events: [.background, .activity, .foreground], isSuspended: false),
    Case(events: [.background, .foreground, .activity], isSuspended: false),
    Case(
      events: [.background, .activity, .decode], isSuspended: true, committed: 0, activities: 2),
    Case(
      events: [.background, .activity, .decode, .activity], isSuspended: true, committed: 1,
      activities: 2),
    Case(
      events: [.background, .activity, .decode, .decode, .activity], isSuspended: true,
      committed: 2, activities: 2),
    Case(
      events: [.background, .activity, .decode, .expiry], isSuspended: true, committed: 0,
      activities: 2),
    Case(
      events: [.background, .activity, .decode, .expiry, .decode, .activity], isSuspended: true,
      committed: 2, activities: 3),
    Case(
      events: [.background, .activity, .decode, .foreground], isSuspended: false, committed: 1,
      activities: 2),
    Case(
      events: [.background, .activity, .foreground, .background, .activity], isSuspended: true,
      activities: 2),
  ]

  @Test(arguments: cases)
  func `a store is suspended while its app is in the background`(_ expected: Case) throws {
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
    for event in expected.events {
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
