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
    #expect(diagnosis.autoVacuum == "incremental")
    #expect(try diagnosis.fileBytes + diagnosis.logBytes == DigestStore.size(of: temporary.path))
    #expect(diagnosis.freeBytes == diagnosis.freePages * 4_096)
    #expect(diagnosis.digests == 10)
    #expect(diagnosis.occurrences == 30)
    #expect(diagnosis.tailDigests == 10)
    #expect(diagnosis.reachedLimits == [])
    #expect(diagnosis.losses == [])
    #expect(diagnosis.setAside == [])
    #expect(diagnosis.isHealthy)
  }

  @Test func `a reader gets the same diagnosis`() throws {
    let temporary = try store()
    var diagnosis = try DigestReader(path: temporary.path).diagnose()
    diagnosis.date = .distantPast
    var expected = try temporary.store.diagnose()
    expected.date = .distantPast
    #expect(diagnosis == expected)
  }

  @Test func `folded digests aren't tail, and evicted ones are not counted as stored`() throws {
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
}
