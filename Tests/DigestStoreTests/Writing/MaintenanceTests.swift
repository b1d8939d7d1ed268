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
    let log = try FileIdentity.size(of: temporary.path + "-wal")
    #expect(log < 8 << 20)
    #expect(try temporary.store.novelValues().map(\.occurrences) == [rounds * 1_000])
    #expect(try temporary.store.verify().isSound)
  }

  @Test func `an error of maintenance is in the file until it is old`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let refusal = "CREATE INDEX refuse ON tally (abs(-9223372036854775807 - (occurrences > 0)))"
    try store.write { try $0.connection.execute(refusal) }
    try store.see("villa", times: 3)
    store.maintenance.performDue()
    try store.write { try $0.connection.execute("DROP INDEX refuse") }
    try store.see("villa")
    store.maintenance.performDue()

    let diagnosis = try DigestReader(path: temporary.path).diagnose()
    let losses = diagnosis.losses
    #expect(losses.map(\.reason) == [.failedMaintenance])
    #expect(losses.map(\.digests) == [0])
    #expect(losses.first?.note?.contains("integer overflow") == true)
    #expect(diagnosis.findings.filter { $0.check == "loss" }.map(\.status) == [.warning])
    #expect(diagnosis.tailDigests == 0)
    #expect(try store.count("villa") == 4)
  }
}
