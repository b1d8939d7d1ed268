import Foundation
import Testing

@testable import DigestStore

/// Reports on the counts of a server, which here come from a file, against reports on that file.
struct CountSourceTests {
  private struct Server: CountSource, Sendable {
    let path: String

    func forEachCount(_ query: CountQuery, _ body: (Count, Int64) throws -> Void) throws {
      let connection = try Connection(path: path, mode: .readOnly)
      try FileCounts(connection: connection, lastFailure: 0).forEachCount(query, body)
    }
  }

  private let temporary: TemporaryStore
  private let reader: DigestReader
  private var store: DigestReader { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    try temporary.store.appendAll(RandomRecords.make(2_600, seed: 5))
    try temporary.foldAll()
    reader = try DigestReader(
      name: "server", catalogue: Self.catalogue(ofFileAt: temporary.path),
      countSource: Server(path: temporary.path))
  }

  private static func catalogue(ofFileAt path: String) throws -> CountCatalog {
    let connection = try Connection(path: path, mode: .readOnly)
    var catalogue = CountCatalog()
    catalogue.models = try connection.rows("SELECT name FROM model ORDER BY id") {
      $0.text(at: 0) ?? ""
    }
    let releases = try connection.rows("SELECT id, name FROM release WHERE name IS NOT NULL") {
      ($0.integer(at: 0), $0.text(at: 1) ?? "")
    }
    catalogue.releases = Dictionary(uniqueKeysWithValues: releases)
    catalogue.failures = try connection.rows(
      "SELECT \(Failure.columns), f.model_id, f.value_id FROM failure AS f ORDER BY f.id"
    ) {
      CountCatalog.CountedFailure(
        model: $0.integer(at: Failure.columnCount), failure: Failure($0),
        value: $0.optionalInteger(at: Failure.columnCount + 1))
    }
    return catalogue
  }

  private func reports(_ reader: DigestReader, _ filter: DigestFilter) throws -> [String] {
    [
      "\(try reader.novelValues(matching: filter))",
      "\(try reader.novelValues(matching: filter, limit: 2))",
      "\(try reader.failures(matching: filter))", "\(try reader.models(matching: filter))",
      "\(try reader.totals(matching: filter))",
      "\(try reader.trend(matching: filter, by: .hour, groupedBy: .release))",
      "\(try reader.newNovelValues(matching: filter))",
    ]
  }

  private func date(_ hours: Int64, _ milliseconds: Int64 = 0) -> Date {
    let start = RandomRecords.start / Moment.hour
    return Moment(milliseconds: (start + hours) * Moment.hour + milliseconds).date
  }

  @Test func `a server answers as a file with the same counts`() throws {
    for filter in [
      DigestFilter(), DigestFilter(model: "App.User"), DigestFilter(release: "4.2"),
      DigestFilter(since: date(3)), DigestFilter(since: date(1), until: date(75)),
      DigestFilter(release: "4.1", until: date(50)),
    ] {
      #expect(try reports(reader, filter) == reports(store, filter))
    }
  }

  @Test func `a server counts the hours in which a window begins and ends`() throws {
    let asked = DigestFilter(since: date(3, 1), until: date(70, -1))

    let counted = try reader.countedWindow(matching: asked)

    #expect((counted.since, counted.until) == (date(3), date(70)))
    #expect(!counted.isExact && counted.isInWholeHours)
    #expect(
      try reports(reader, asked) == reports(store, DigestFilter(since: date(3), until: date(70))))
    #expect(try store.countedWindow(matching: asked).isExact)
  }

  @Test func `a server has no counts of minutes`() throws {
    let error = #expect(throws: DigestStoreError.self) { try reader.trend(by: .minute) }

    #expect(error?.code == .invalidInput)
  }
}
