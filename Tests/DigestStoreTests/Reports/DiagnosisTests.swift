import Foundation
import Testing

@testable import DigestStore

struct DiagnosisTests {
  /// A store of ten digests of three errors, with a clock that stands.
  private func store(
    _ configuration: DigestStore.Configuration = DigestStore.Configuration()
  ) throws -> TemporaryStore {
    let temporary = try TemporaryStore(configuration)
    for number in 0..<10 {
      try temporary.store.append(
        .make(.novel("v\(number)"), .novel("villa"), .mismatch(at: "price")))
    }
    return temporary
  }

  @Test func `a store of its own making is as it should be`() throws {
    let temporary = try store()

    let diagnosis = try temporary.store.diagnose()

    #expect(diagnosis.path == temporary.path)
    #expect(diagnosis.permissions == 0o600)
    #expect(diagnosis.schemaVersion == 1)
    #expect(diagnosis.pageSize == 4_096)
    #expect(diagnosis.journalMode == "wal")
    #expect(diagnosis.autoVacuum == "incremental")
    #expect(try diagnosis.fileBytes + diagnosis.logBytes == DigestStore.size(of: temporary.path))
    #expect(diagnosis.freeBytes == diagnosis.freePages * 4_096)
    #expect(diagnosis.digests == 10)
    #expect(diagnosis.occurrences == 30)
    #expect(diagnosis.tailDigests == 10)
    #expect(diagnosis.growingPaths == [])
    #expect(diagnosis.reachedLimits == [])
    #expect(diagnosis.losses == [])
    #expect(diagnosis.setAside == [])
    #expect(try temporary.query("SELECT sqlite_version()") == [diagnosis.sqliteVersion])
    // What is wrong with the library is not wrong with the file.
    #expect(
      diagnosis.findings.filter { $0.status == .warning && $0.check != "sqlite" } == [])
  }

  @Test func `a model with 500 paths is named, whatever the values and indexes at them`() throws {
    let temporary = try TemporaryStore()
    func record(_ model: String, paths: Range<Int>) throws {
      for path in paths {
        try temporary.store.append(
          .make(
            model: model, .novel("a", at: "byID.k\(path)"), .novel("b", at: "byID.k\(path)")))
      }
    }
    try record("App.Growing", paths: 0..<499)
    try record("App.Sound", paths: 0..<499)
    for index in 0..<600 {
      try temporary.store.append(.make(model: "App.Arrays", .novel("a", at: "items[\(index)]")))
    }
    #expect(try temporary.store.diagnose().growingPaths == [])

    try record("App.Growing", paths: 499..<502)

    let diagnosis = try temporary.store.diagnose()
    #expect(diagnosis.growingPaths.map { "\($0.model) \($0.paths)" } == ["App.Growing 502"])
    #expect(
      diagnosis.findings.filter { $0.check == "growing_path" }.map(\.value)
        == ["App.Growing: 502 paths"])
  }

  @Test func `a reader gets the same diagnosis`() throws {
    let temporary = try store()
    var diagnosis = try DigestReader(path: temporary.path).diagnose()
    diagnosis.date = .distantPast
    var expected = try temporary.store.diagnose()
    expected.date = .distantPast
    #expect(diagnosis == expected)
  }

  @Test func `folded digests are no tail, and evicted ones are not counted as stored`() throws {
    let temporary = try store()
    try temporary.foldAll()
    var diagnosis = try temporary.store.diagnose()
    #expect(diagnosis.tailDigests == 0)
    #expect(diagnosis.occurrences == 30)
    try temporary.store.close()

    let pruned = try DigestStore(
      path: temporary.path, configuration: DigestStore.Configuration(maximumAge: .zero))
    try pruned.append(.make(at: Moment(Date())))
    _ = try pruned.prune()
    try temporary.execute("DELETE FROM digest")

    diagnosis = try pruned.diagnose()
    #expect(diagnosis.digests == 0)
    #expect(diagnosis.occurrences == 1)
    #expect(diagnosis.losses.map(\.reason) == [DigestStore.Loss.Reason.evicted])
    #expect(diagnosis.findings.contains { $0.value.hasPrefix("evicted: 10 digests, 30 occ") })
  }

  @Test func `reached limits are reported`() throws {
    let temporary = try store(DigestStore.Configuration(maximumNovelValuesPerPath: 3))
    let diagnosis = try temporary.store.diagnose()
    #expect(try diagnosis.reachedLimits == temporary.store.reachedLimits())
    #expect(
      diagnosis.findings.filter { $0.check == "limit" }.map(\.value) == [
        "novel values at App.Listing items[].kind: 8 occurrences"
      ])
  }

  @Test func `free pages are counted`() throws {
    let temporary = try store()
    try temporary.execute(
      "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(40960)); DROP TABLE t")
    #expect(try temporary.store.diagnose().freePages >= 10)
  }

  @Test func `quarantined files are reported while they exist`() throws {
    let temporary = try store()
    for name in ["broken-2", "broken-1", "broken-1-wal", "broken-1-shm", "left-1", "other"] {
      try Data().write(to: URL(filePath: "\(temporary.path).\(name)"))
    }
    try Data().write(to: temporary.folder.appending(path: "other.sqlite.broken-3"))

    #expect(
      try temporary.store.diagnose().setAside == [
        "digests.sqlite.broken-1", "digests.sqlite.broken-2",
      ])
  }

  @Test func `a damaged file that the store came upon is one of them`() throws {
    let temporary = try store()
    try temporary.store.close()
    let handle = try FileHandle(forWritingTo: URL(filePath: temporary.path))
    try handle.truncate(atOffset: 5_000)
    try handle.close()

    let diagnosis = try DigestStore(path: temporary.path).diagnose()

    let name = try #require(diagnosis.setAside?.first)
    #expect(diagnosis.setAside?.count == 1)
    #expect(name.hasPrefix("digests.sqlite.broken-"))
    #expect(try temporary.files().contains(name))
    #expect(diagnosis.findings.filter { $0.check == "set_aside" }.map(\.status) == [.warning])
  }

  @Test(arguments: [
    (3_006_023, true), (3_040_001, true), (3_044_005, true), (3_044_006, false),
    (3_044_010, false), (3_045_000, true), (3_050_006, true), (3_050_007, false),
    (3_051_000, true), (3_051_002, true), (3_051_003, false), (3_052_000, false),
    (4_000_000, false),
  ])
  func `the WAL-reset bug is in the versions before it was mended`(_ number: Int, _ has: Bool) {
    #expect(SQLiteLibrary(number: number).hasWALResetBug == has)
  }

  @Test func `a number of SQLite's is a version`() {
    #expect(SQLiteLibrary(number: 3_051_003).version == "3.51.3")
    #expect(SQLiteLibrary(number: 3_040_001).version == "3.40.1")
  }
}
