import Foundation
import Testing

@testable import DigestStore

struct MaintenanceTests {
  @Test func `what waits to be counted and the log stay short while digests are written`() throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(writing: .inBackground()))
    let rounds = Repetitions.count(12, long: 30)
    for _ in 0..<rounds {
      for _ in 0..<1_000 {
        try temporary.store.decodeListing()
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

  @Test func `copying the log puts all that was written into the file`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.see("villa", times: 20)
    let size = try temporary.store.write { try $0.connection.integer("PRAGMA page_count") ?? 0 }
    #expect(try FileIdentity.size(of: temporary.path) < size * 4_096)

    try temporary.store.file.checkpoint()

    #expect(try FileIdentity.size(of: temporary.path) == size * 4_096)
  }

  @Test func `a digest written in the background is counted without another one`() throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(writing: .inBackground()))
    try temporary.store.see("villa")
    // Ends when the thread has counted it, which it does after a second.
    while try temporary.query("SELECT folded FROM store") != ["1"] { sched_yield() }
    #expect(try temporary.store.count("villa") == 1)
  }

  @Test func `an error of maintenance is in the file until it is old`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    func setCondition(_ condition: String) throws {
      try store.write {
        try $0.connection.execute(
          """
          DROP TABLE temp.new_decode;
          CREATE TEMP TABLE new_decode (
            context INTEGER, hour INTEGER, model INTEGER, digests INTEGER CHECK (\(condition)),
            failed INTEGER, occurrences INTEGER)
          """)
      }
    }
    try setCondition("digests < 0")
    try store.see("villa", times: 3)
    store.maintenance.performDue()
    try setCondition("true")
    try store.see("villa")
    store.maintenance.performDue()

    let diagnosis = try DigestReader(path: temporary.path).diagnose()
    #expect(diagnosis.losses.map(\.reason) == [.failedMaintenance])
    #expect(diagnosis.losses.map(\.digests) == [0])
    #expect(diagnosis.losses.first?.note?.contains("CHECK constraint failed") == true)
    #expect(diagnosis.findings.filter { $0.check == "loss" }.map(\.status) == [.warning])
    #expect(diagnosis.tailDigests == 0)
    #expect(try store.count("villa") == 4)
  }
}
