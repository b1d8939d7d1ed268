import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Exports of what is new.
struct IncrementalExportTests {
  private static let now = Moment(milliseconds: 1_763_632_800_000)
  private static let old = Moment(milliseconds: now.milliseconds - 48 * Moment.hour)

  private func store() throws -> TemporaryStore {
    try TemporaryStore(.init(maximumAge: .seconds(86_400), clock: { Self.now.date }))
  }

  @Test(arguments: 0..<12)
  func `parts one behind the other are one export`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let temporary = try TemporaryStore()
    let records = RandomRecords.make(700, seed: seed)
    var cursor: DigestStore.ExportCursor?
    var exported: [String] = []
    var paths: [String] = []
    var written = 0
    let filter = DigestFilter(codingPath: "p*")
    while written < records.count {
      let count = min(records.count - written, [0, 1, 7, 1_300].randomElement(using: &random) ?? 1)
      try temporary.store.appendAll(Array(records[written..<written + count]))
      written += count
      // As it is kept between two processes.
      let kept = try JSONEncoder().encode(cursor)
      let part = try temporary.store.exportPart(
        after: JSONDecoder().decode(DigestStore.ExportCursor?.self, from: kept))
      #expect(part.isFromStart == ((cursor?.digest ?? 0) == 0))
      // What comes in while it is exported belongs to the next part.
      if written < records.count, Bool.random(using: &random) {
        try temporary.store.append(records[written])
        written += 1
      }
      exported += try temporary.store.lines(in: part)
      try temporary.store.exportOccurrences(matching: filter, in: part) {
        paths.append($0.codingPath)
      }
      cursor = part.end
    }
    exported += try temporary.store.lines(in: temporary.store.exportPart(after: cursor))
    let all = try temporary.store.lines()
    #expect(exported == all)
    #expect(Set(paths) == ["price"])
    #expect(paths.count >= 100)
  }

  @Test func `an empty store has an empty part, behind which the first digest comes`() throws {
    let temporary = try TemporaryStore()
    let first = try temporary.store.exportPart()
    #expect(first.isFromStart)
    #expect(try temporary.store.lines(in: first).isEmpty)
    try temporary.store.append(.make())
    let second = try temporary.store.exportPart(after: first.end)
    #expect(second.isFromStart)
    #expect(try temporary.store.lines(in: second).count == 1)
    let third = try temporary.store.exportPart(after: second.end)
    #expect(third.end == second.end)
    #expect(!third.isFromStart)
    #expect(third.lastExported == Moment(milliseconds: 1_763_632_800_123))
    #expect(try temporary.store.lines(in: third).isEmpty)
  }

  @Test func `another store begins with its first digest`() throws {
    let (first, second) = (try TemporaryStore(), try TemporaryStore())
    for temporary in [first, second] { try temporary.store.append(.make(), .make()) }
    let cursor = try first.store.exportPart().end
    let part = try second.store.exportPart(after: cursor)
    #expect(part.isFromStart)
    #expect(part.lastExported == .earliest)
    #expect(try second.store.lines(in: part) == second.store.lines())
  }

  /// A store goes back to what it was, and goes on with other digests.
  @Test(arguments: [0, 1, 2, 3, 9])
  func `a store that has lost its last digests begins with the first one`(count: Int) throws {
    let temporary = try TemporaryStore(holding: .make(), .make())
    try temporary.store.close()
    let backup = temporary.folder.appending(path: "backup").path
    try FileManager.default.copyItem(atPath: temporary.path, toPath: backup)
    var store = try DigestStore(path: temporary.path)
    for milliseconds in 1...3 {
      try store.append(.make(at: Moment(milliseconds: Int64(milliseconds))))
    }
    let cursor = try store.exportPart().end
    try store.close()
    try FileManager.default.removeItem(atPath: temporary.path)
    try FileManager.default.copyItem(atPath: backup, toPath: temporary.path)
    store = try DigestStore(path: temporary.path)
    for milliseconds in 0..<count {
      try store.append(.make(at: Moment(milliseconds: Int64(1_000 + milliseconds))))
    }

    let part = try store.exportPart(after: cursor)

    #expect(part.isFromStart)
    #expect(try store.lines(in: part) == store.lines())
    let next = try store.exportPart(after: part.end)
    #expect(!next.isFromStart)
    #expect(try store.lines(in: next).isEmpty)
  }

  @Test func `a part behind an evicted digest begins with the first one that is left`() throws {
    let temporary = try store()
    try temporary.store.append(.make(at: Self.now), .make(at: Self.old))
    let cursor = try temporary.store.exportPart().end
    _ = try temporary.store.prune()
    try temporary.store.append(.make(at: Self.now))
    let part = try temporary.store.exportPart(after: cursor)
    #expect(part.isFromStart)
    #expect(try temporary.store.lines(in: part) == temporary.store.lines())
    let next = try temporary.store.exportPart(after: part.end)
    #expect(!next.isFromStart)
    #expect(try temporary.store.lines(in: next).isEmpty)
  }

  @Test(arguments: [
    #"{}"#, #"{"store":"x"}"#, #"{"store":1,"digest":2}"#, #"{"store":"x","digest":"2"}"#,
    #"{"store":"x","digest":1.5}"#,
  ])
  func `a text that isn't a cursor is refused`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DigestStore.ExportCursor.self, from: Data(json.utf8))
    }
  }

  @Test(arguments: [-1, Int64.min, .max])
  func `an impossible cursor exports all digests`(digest: Int64) throws {
    let temporary = try TemporaryStore(holding: .make())
    let store = try temporary.store.exportPart().end.store
    let cursor = DigestStore.ExportCursor(store: store, digest: digest, recordedAt: 0)
    let part = try temporary.store.exportPart(after: cursor)
    #expect(part.isFromStart)
    #expect(try temporary.store.lines(in: part).count == 1)
  }
}
