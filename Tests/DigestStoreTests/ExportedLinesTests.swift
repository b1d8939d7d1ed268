import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct ExportedLinesTests {
  @Test func `they are the lines of an export, also with filters and in parts`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.appendAll(RandomRecords.make(3_000, seed: 5))
    store.countCleanDecode(of: "App.Listing", DigestContext(release: "4.2"))
    store.flush()
    let cursor = try store.exportPart().end
    try store.append(.make(model: "App.Late"))
    let late = try store.exportPart(after: cursor)
    for (filter, part) in [
      (DigestFilter(), nil), (DigestFilter(codingPath: "price"), nil),
      (DigestFilter(model: "no.such"), nil), (DigestFilter(), late),
    ] as [(DigestFilter, DigestStore.IncrementalExport?)] {
      var lines: [String] = []
      for try await line in store.exportedLines(matching: filter, in: part) { lines.append(line) }
      #expect(try lines == store.lines(matching: filter, in: part))
    }
  }

  @Test func `digests that are written meanwhile are left out, and writers do not wait`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.appendAll(RandomRecords.make(3_000, seed: 6))
    var count = 0
    for try await _ in store.exportedLines() {
      if count % 1_000 == 0 { try store.append(.make(model: "App.Late")) }
      count += 1
    }
    #expect(count == 3_000)
  }

  @Test func `an export that lacks digests is not given as a whole one`() async throws {
    let temporary = try TemporaryStore()
    for _ in 0..<3 { try temporary.store.append(.make()) }
    try Connection(path: temporary.path, mode: .readWrite)
      .execute("UPDATE digest SET errors = 'broken' WHERE id = 2")
    var count = 0
    let error = await #expect(throws: DigestStoreError.self) {
      for try await _ in temporary.store.exportedLines() { count += 1 }
    }
    #expect(count == 2)
    #expect(error?.code == .damaged)
  }

  @Test func `a store that cannot be read ends them with its error`() async throws {
    let temporary = try TemporaryStore()
    try temporary.store.close()
    await #expect(throws: DigestStoreError.self) {
      for try await _ in temporary.store.exportedLines() {}
    }
  }
}
