import Foundation
import Testing

@testable import DigestStore

struct MaintenanceTests {
  @Test func `what waits to be counted and the log stay short while digests are written`() throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(writing: .inBackground()))
    let rounds = Repetitions.count(12, long: 30)
    for _ in 0..<rounds {
      for _ in 0..<1_000 {
        _ = try JSONDecoder().decode(
          Listing.self, from: Listing.drifted, recordingTo: temporary.store)
      }
      temporary.store.flush()
      temporary.store.maintenance.performDue()
    }
    // Its thread may be in the middle of a batch, or have just been told of another one.
    let tail = try temporary.query("SELECT \(rounds * 1_000) - folded FROM store").compactMap(
      Int.init)
    #expect(try #require(tail.first) < 5_000)
    let log = try #require(FileIdentity(path: temporary.path + "-wal")).size
    #expect(log < 8 << 20)
    #expect(try temporary.store.novelValues().map(\.occurrences) == [rounds * 1_000])
    #expect(try temporary.store.verify().isSound)
  }
}
