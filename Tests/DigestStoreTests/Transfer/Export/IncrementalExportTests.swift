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

  private func lines(_ store: DigestStore, in part: DigestStore.IncrementalExport) throws
    -> [String]
  {
    var lines: [String] = []
    try store.exportDigests(in: part) { lines.append($0) }
    return lines
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
      #expect(part.beginning == (cursor == nil ? .first : .behindCursor))
      #expect(part.evicted == 0)
      // What comes in while it is exported belongs to the next part.
      if written < records.count, Bool.random(using: &random) {
        try temporary.store.append(records[written])
        written += 1
      }
      exported += try lines(temporary.store, in: part)
      try temporary.store.exportOccurrences(matching: filter, in: part) {
        paths.append($0.codingPath)
      }
      cursor = part.end
    }
    exported += try lines(temporary.store, in: temporary.store.exportPart(after: cursor))
    let all = try temporary.store.lines()
    #expect(exported == all)
    #expect(Set(paths) == ["price"])
    #expect(paths.count >= 100)
  }

  @Test func `an empty store has an empty part, behind which the first digest comes`() throws {
    let temporary = try TemporaryStore()
    let first = try temporary.store.exportPart()
    #expect(first.beginning == .first)
    #expect(try lines(temporary.store, in: first).isEmpty)
    try temporary.store.append(.make())
    let second = try temporary.store.exportPart(after: first.end)
    #expect(second.beginning == .behindCursor)
    #expect(second.lastExported == nil)
    #expect(try lines(temporary.store, in: second).count == 1)
    let third = try temporary.store.exportPart(after: second.end)
    #expect(third.end == second.end)
    #expect(third.lastExported == Moment(milliseconds: 1_763_632_800_123).date)
    #expect(try lines(temporary.store, in: third).isEmpty)
  }

  @Test func `another store begins with its first digest`() throws {
    let (first, second) = (try TemporaryStore(), try TemporaryStore())
    for temporary in [first, second] { try temporary.store.append(.make(), .make()) }
    let cursor = try first.store.exportPart().end
    let part = try second.store.exportPart(after: cursor)
    #expect(part.beginning == .firstOfAnotherStore)
    #expect(part.lastExported == nil)
    #expect(try lines(second.store, in: part) == second.store.lines())
  }

  /// A store goes back to what it was, and goes on with other digests.
  @Test(arguments: [0, 1, 2, 3, 9])
  func `a store that has lost its last digests begins with the first one`(count: Int) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(), .make())
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

    #expect(part.beginning == .firstOfRestoredStore)
    #expect(try lines(store, in: part) == store.lines())
    let next = try store.exportPart(after: part.end)
    #expect(next.beginning == .behindCursor)
    #expect(try lines(store, in: next).isEmpty)
  }

  @Test func `digests that are evicted before they are exported are counted`() throws {
    let temporary = try store()
    try temporary.store.append(.make(at: Self.old), .make(at: Self.now))
    var part = try temporary.store.exportPart()
    #expect(part.evicted == 0)
    let cursor = part.end
    // Of these three go before they are exported; of those before, one that is exported.
    for moment in [Self.old, Self.now, Self.old, Self.old, Self.now] {
      try temporary.store.append(.make(at: moment))
    }
    let whole = try temporary.store.exportPart(after: cursor)
    #expect(whole.evicted == 0)
    _ = try temporary.store.prune()
    part = try temporary.store.exportPart(after: cursor)
    #expect(part.beginning == .behindCursor)
    #expect(part.evicted == 3)
    #expect(try lines(temporary.store, in: part).count == 2)
    #expect(try temporary.store.evictedDigests(of: part) == 3)
    // A part that was there as a whole when it began.
    #expect(try temporary.store.evictedDigests(of: whole) == 3)
    #expect(try temporary.store.exportPart().evicted == 4)
    #expect(try temporary.store.exportPart(after: part.end).evicted == 0)
  }

  @Test func `the last digest that was exported may be evicted`() throws {
    let temporary = try store()
    try temporary.store.append(.make(at: Self.now), .make(at: Self.old))
    let cursor = try temporary.store.exportPart().end
    _ = try temporary.store.prune()
    let empty = try temporary.store.exportPart(after: cursor)
    #expect(empty.beginning == .behindCursor)
    #expect(try lines(temporary.store, in: empty).isEmpty)
    #expect(empty.evicted == 0)
    #expect(empty.end == cursor)
    try temporary.store.append(.make(at: Self.now))
    let part = try temporary.store.exportPart(after: empty.end)
    #expect(part.beginning == .behindCursor)
    #expect(try lines(temporary.store, in: part).count == 1)
  }

  @Test(arguments: [0, 1, 3])
  func `a store that has lost its last digests is known by their hours when those are gone too`(
    hours: Int64
  ) throws {
    let temporary = try store()
    for _ in 1...3 { try temporary.store.append(.make(at: Self.old)) }
    let end = try temporary.store.exportPart().end
    try temporary.store.append(.make(at: Self.now))
    _ = try temporary.store.prune()
    let earlier = Self.old.milliseconds - hours * Moment.hour
    let cursor = DigestStore.ExportCursor(store: end.store, digest: end.digest, recordedAt: earlier)
    let part = try temporary.store.exportPart(after: cursor)
    #expect(part.beginning == (hours == 0 ? .behindCursor : .firstOfRestoredStore))
    #expect(part.evicted == (hours == 0 ? 0 : 3))
  }

  @Test func `a digest that is there again was restored`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(), .make())
    let store = try temporary.store.exportPart().end.store
    let cursor = DigestStore.ExportCursor(store: store, digest: 2, recordedAt: nil)
    #expect(try temporary.store.exportPart(after: cursor).beginning == .firstOfRestoredStore)
  }

  @Test(arguments: [
    #"{}"#, #"{"store":"x"}"#, #"{"store":1,"digest":2}"#, #"{"store":"x","digest":"2"}"#,
    #"{"store":"x","digest":1.5}"#,
  ])
  func `a text that is no cursor is refused`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DigestStore.ExportCursor.self, from: Data(json.utf8))
    }
  }

  @Test(arguments: [-1, Int64.min, .max])
  func `an impossible cursor exports all digests`(digest: Int64) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make())
    let store = try temporary.store.exportPart().end.store
    let cursor = DigestStore.ExportCursor(store: store, digest: digest, recordedAt: nil)
    let part = try temporary.store.exportPart(after: cursor)
    #expect(part.beginning == .firstOfRestoredStore)
    #expect(try lines(temporary.store, in: part).count == 1)
  }
}
