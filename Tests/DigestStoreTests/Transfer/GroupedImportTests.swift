import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// Imports of several apps in one transaction.
struct GroupedImportTests {
  private static func app(_ number: Int) -> String { String(format: "%032x", number) }

  private static func lines(
    of app: Int, _ numbers: ClosedRange<Int>
  ) throws -> (lines: CheckedImport, newStores: Int) {
    let text = numbers.map { OriginTests.line(of: Self.app(app), $0, release: "4.\(app)") }
    return (try CheckedImport(Data(text.joined(separator: "\n").utf8), requiringIDs: true), 1)
  }

  @Test func `each import of a group has counts of its own`() throws {
    let temporary = try TemporaryStore()
    let imports = try [
      Self.lines(of: 1, 1...3), Self.lines(of: 2, 1...1), Self.lines(of: 1, 2...4),
    ]
    let added = try temporary.store.add(imports).map { try $0.get() }
    #expect(added.map(\.added) == [3, 1, 1])
    #expect(added.map(\.known) == [0, 0, 2])
    #expect(added.map(\.newStores) == [1, 1, 0])
    let again = try temporary.store.add(imports).map { try $0.get() }
    #expect(again.map(\.added) == [0, 0, 0])
    #expect(try temporary.store.totals().occurrences == 5)
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `an import of too many new stores fails alone`() throws {
    let temporary = try TemporaryStore()
    var imports = try (1...3).map { try Self.lines(of: $0, 1...2) }
    imports[1].newStores = 0
    let results = temporary.store.add(imports)
    #expect(results.map { try? $0.get().added } == [2, nil, 2])
    #expect { try results[1].get() } throws: { ($0 as? DigestStoreError)?.code == .tooManyStores }
    // One that is known needs no room.
    imports = try [Self.lines(of: 1, 1...3)].map { ($0.lines, 0) }
    #expect(temporary.store.add(imports).map { try? $0.get().added } == [1])
    #expect(try temporary.query("SELECT count(*) FROM origin") == ["2"])
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `a busy file and a full disk fail every import, and nothing is added`() throws {
    let temporary = try TemporaryStore()
    let other = try Connection(path: temporary.path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let results = try temporary.store.add([Self.lines(of: 1, 1...2), Self.lines(of: 2, 1...2)])
    for result in results {
      #expect { try result.get() } throws: { ($0 as? DigestStoreError)?.code == .busy }
    }
    try other.execute("ROLLBACK")
    #expect(try temporary.store.totals().occurrences == 0)
  }

  @Test func `a digest without an id is refused where it would count again`() throws {
    let line = #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[]}"#
    expectError(.invalidInput, "line 2: id is missing") {
      _ = try CheckedImport(Data("\n\(line)".utf8), requiringIDs: true)
    }
    _ = try CheckedImport(Data(line.utf8))
  }
}
