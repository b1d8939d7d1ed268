import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// A clock that goes where it wants to.
struct ClockFaultTests {
  @Test func `a clock that goes back by years changes no count`() throws {
    let day = 86_400.0
    // Forward, back to 1970, before it, and to where no calendar goes.
    let leaps = [0, 5_000, -4_000, 1, -30_000, 3_000_000, 0, -0.5]
    let now = Date(timeIntervalSince1970: 20_000 * day)
    let time = Locked(now)
    let temporary = try TemporaryStore(.init(clock: { time.withLock { $0 } }))
    let store = temporary.store

    for (number, leap) in leaps.enumerated() {
      for digest in 0..<400 {
        time.withLock {
          $0 = now.addingTimeInterval(leap * day + Double(number * 400 + digest))
        }
        try store.see("villa")
      }
    }

    #expect(try store.count("villa") == 400 * leaps.count)
    #expect(try store.verify().isSound)
    let today = DigestFilter(since: now, until: now.addingTimeInterval(day))
    #expect(try store.novelValues(matching: today).map(\.occurrences) == [800])
    let past = DigestFilter(until: now)
    #expect(try store.novelValues(matching: past).map(\.occurrences) == [1_200])
  }
}
