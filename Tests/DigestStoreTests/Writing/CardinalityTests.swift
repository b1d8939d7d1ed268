import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct CardinalityTests {
  private typealias Configuration = DigestStore.Configuration

  /// The rows of a report as text, in its order.
  private func rows(_ store: DigestStore) throws -> [String] {
    try store.failures().map {
      "\($0.codingPath) \($0.novelValue ?? $0.kind.rawValue) \($0.occurrences)\($0.isOverflow ? " !" : "")"
    }
  }

  @Test func `values over the limit of their path are counted together, exactly`() throws {
    let temporary = try TemporaryStore(Configuration(maximumNovelValuesPerPath: 3))
    let store = temporary.store
    for number in 0..<10 {
      try store.append(.make(.novel("v\(number)"), .novel("v\(number)"), .novel("v0")))
    }
    try store.append(.make(.novel("v9", at: "other")))

    #expect(
      try rows(store) == [
        "items[].kind (other values) 14 !", "items[].kind v0 12", "items[].kind v1 2",
        "items[].kind v2 2", "other v9 1",
      ])
    #expect(
      try store.novelValues().map { "\($0.novelValue ?? "") \($0.digests) \($0.isOverflow)" } == [
        "(other values) 7 true", "v0 10 false", "v1 1 false", "v2 1 false", "v9 1 false",
      ])
    #expect(
      try store.reachedLimits() == [
        DigestStore.ReachedLimit(
          limit: .novelValuesPerPath, model: "App.Listing", codingPath: "items[].kind",
          occurrences: 14)
      ])
    #expect(try store.verify().problems == [])
  }

  private static let hits: [(DigestFilter, [String])] = [
    (DigestFilter(), ["novel values 8", "failures 2"]),
    (DigestFilter(novelValue: "v9"), ["novel values 8", "failures 2"]),
    (DigestFilter(kind: .typeMismatch), ["novel values 8", "failures 2"]),
    (DigestFilter(codingPath: "items*"), ["novel values 8", "failures 2"]),
    (DigestFilter(codingPath: "price"), ["failures 2"]),
    (DigestFilter(model: "App.User"), []),
    (DigestFilter(hasNoRelease: true), ["novel values 8", "failures 2"]),
    (DigestFilter(release: "4.2"), []),
  ]

  @Test(arguments: hits)
  func `a limit is reported where its errors may belong`(
    _ filter: DigestFilter, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore(
      Configuration(maximumNovelValuesPerPath: 2, maximumFailures: 4))
    for number in 0..<10 { try temporary.store.append(.make(.novel("v\(number)"))) }
    try temporary.store.append(
      .make(.mismatch(at: "price"), .mismatch(at: "id"), .mismatch(at: "name")))

    let hits = try temporary.store.reachedLimits(matching: filter)

    #expect(hits.map { "\($0.limit.rawValue) \($0.occurrences)" } == expected)
  }

  @Test func `a known value is counted by itself, whatever type is expected`()
    throws
  {
    let temporary = try TemporaryStore(
      Configuration(maximumNovelValuesPerPath: 2),
      holding: .make(.novel("a"), .novel("b"), .novel("c"), .novel("b", expected: "App.Other")))

    #expect(
      try rows(temporary.store) == [
        "items[].kind b 2", "items[].kind (other values) 1 !", "items[].kind a 1",
      ])
  }

  @Test(arguments: [0, 1, 2, 5])
  func `counted errors have the same limits`(limit: Int) throws {
    let temporary = try TemporaryStore(Configuration(maximumNovelValuesPerPath: limit))
    var record = DigestRecord.make()
    record.errors = (0..<6).map { .novel("v\($0)", at: "kind").counted(10) }
    try temporary.store.append(record)

    let values = try temporary.store.novelValues()
    #expect(values.count == limit + 1)
    #expect(values.reduce(0) { $0 + $1.occurrences } == 60)
    #expect(values.filter(\.isOverflow).map(\.occurrences) == [60 - 10 * limit])
  }

  @Test func `an error over the limit keeps its found value and exact path`()
    throws
  {
    let temporary = try TemporaryStore(Configuration(maximumNovelValuesPerPath: 1))
    for text in ["a", "b", "c"] {
      try temporary.store.append(
        .make(.novel(text, at: "items[7].kind", found: .string(text))))
    }

    #expect(
      try temporary.query(
        "SELECT coding_path || ' ' || novel_value || ' ' || found_value FROM occurrences") == [
          "items[7].kind a a", "items[7].kind (other values) b", "items[7].kind (other values) c",
        ])
    #expect(
      try temporary.store.lines().map { $0.contains("items[7].kind") } == [true, true, true])
  }

  /// What a new context is counted as, by the number of contexts that the file has.
  @Test(arguments: [
    (8_999, "GET /users/7", "4.2 production GET /users/7"),
    (9_000, "GET /users/7", "4.2 production (other operations)"),
    (9_000, "", "4.2 production "),
    (9_899, "GET /users/7", "4.2 production (other operations)"),
    (9_900, "GET /users/7", "(other releases) production (other operations)"),
    (9_900, "", "(other releases) production "),
    (10_000, "GET /users/7", "(other releases) (other environments) (other operations)"),
    (10_000, "", "(other releases) (other environments) (other operations)"),
  ])
  func `too many operations leave room for releases, and those for environments`(
    _ count: Int, _ operation: String, _ expected: String
  ) throws {
    let temporary = try TemporaryStore()
    try temporary.store.write { writer in
      try writer.connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO context SELECT i, 1, 'r' || i, '', '' FROM n
        """)
    }
    try temporary.store.append(
      .make(release: "4.2", environment: "production", operation: operation),
      .make(release: "4.2", environment: "production", operation: operation))

    #expect(
      try temporary.query(
        """
        SELECT DISTINCT release || ' ' || environment || ' ' || operation
        FROM digest AS d JOIN context AS c ON c.id = d.context
        """) == [expected])
    let limits: [(limit: DigestStore.ReachedLimit.Limit, name: String)] = [
      (.releases, "(other releases)"), (.environments, "(other environments)"),
      (.operations, "(other operations)"),
    ]
    let reached = limits.filter { expected.contains($0.name) }.map(\.limit)
    for filter in [
      DigestFilter(), DigestFilter(release: "4.2"),
      DigestFilter(environment: "production", operation: "GET *"),
    ] {
      let hits = try temporary.store.reachedLimits(matching: filter)
      #expect(
        hits.map(\.limit) == reached
          || operation.isEmpty && !filter.operations.isEmpty && !reached.contains(.operations))
      #expect(hits.allSatisfy { $0.occurrences == 2 })
    }
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `failures over the limit of the file are counted together for each model`() throws {
    let temporary = try TemporaryStore(Configuration(maximumFailures: 3))
    for number in 0..<10 {
      try temporary.store.append(
        .make(.mismatch(at: "a[5].key\(number)")),
        .make(model: "App.Home", .novel("v\(number)", at: "key\(number)")))
    }

    #expect(
      try rows(temporary.store) == [
        #"["(other paths)"] other 9 !"#, #"["(other paths)"] other 8 !"#, "key0 v0 1",
        "a[].key0 typeMismatch 1", "a[].key1 typeMismatch 1",
      ])
    #expect(
      try temporary.store.reachedLimits().map { "\($0.limit.rawValue) \($0.model ?? "-")" } == [
        "failures App.Home", "failures App.Listing",
      ])
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `many processes keep one limit`() throws {
    let configuration = Configuration(maximumNovelValuesPerPath: 10)
    let temporary = try TemporaryStore(configuration)
    let others = try (0..<3).map { _ in
      try DigestStore(path: temporary.path, configuration: configuration)
    }
    for number in 0..<100 {
      for (index, store) in ([temporary.store] + others).enumerated() {
        try store.append(.make(.novel("v\(number)-\(index)")))
      }
    }

    let values = try temporary.store.novelValues()
    #expect(values.count == 11)
    #expect(values.first?.occurrences == 390)
  }

  @Test func `a value that a rolled back transaction has taken back takes no place`() throws {
    let temporary = try TemporaryStore(
      Configuration(maximumNovelValuesPerPath: 2), holding: .make(.novel("a")))
    let store = temporary.store
    try store.write { writer in
      try writer.connection.execute(
        """
        CREATE TEMP TRIGGER no BEFORE INSERT ON main.digest BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
      for value in ["b", "c"] {
        #expect(throws: SQLiteError.self) { try writer.append(.make(.novel(value))) }
      }
      try writer.connection.execute("DROP TRIGGER no")
    }
    try store.append(.make(.novel("d")), .make(.novel("e")))

    #expect(try store.novelValues().map(\.novelValue) == ["(other values)", "a", "d"])
  }

  @Test func `errors counted together are exported as they were recorded`() throws {
    let temporary = try TemporaryStore(
      Configuration(maximumNovelValuesPerPath: 1, maximumFailures: 3))
    for number in 0..<5 {
      try temporary.store.append(.make(.novel("v\(number)"), .mismatch(at: "key\(number)")))
    }
    let copy = try TemporaryStore()
    _ = try copy.store.importText(temporary.store.text())

    #expect(try copy.store.failures() == temporary.store.failures())
    #expect(try copy.store.reachedLimits() == temporary.store.reachedLimits())
    #expect(try copy.store.lines() == temporary.store.lines())
  }

  @Test(.enabled(if: Repetitions.areLong, "a part of make test-long"))
  func `a file from elsewhere cannot name any number of models and releases`() throws {
    let temporary = try TemporaryStore()
    let lines = (0..<10_500).map {
      #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M\#($0)","release":"R\#($0)","#
        + #""errors":[{"path":"a","kind":"other"}]}"# + "\n"
    }
    _ = try temporary.store.importText(lines.joined())

    #expect(try temporary.query("SELECT count(*) FROM model") == ["10001"])
    // The last hundredth of the contexts is for environments.
    #expect(try temporary.query("SELECT count(*) FROM context") == ["9901"])
    let hits = try temporary.store.reachedLimits()
    #expect(
      hits.map { "\($0.limit.rawValue) \($0.occurrences)" } == ["models 500", "releases 600"])
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `a file that has reached no limit says so`() throws {
    let temporary = try TemporaryStore(holding: .make(.novel("(other values)"), .mismatch(at: "a")))
    #expect(try temporary.store.reachedLimits() == [])
    #expect(try temporary.store.novelValues().map(\.isOverflow) == [false])
  }

  @Test func `a report looks up overflow failures without reading all failures`() throws {
    let temporary = try TemporaryStore()
    let plan = try Connection(path: temporary.path, mode: .readOnly).rows(
      "EXPLAIN QUERY PLAN \(DigestStore.hasOverflow)"
    ) { $0.text(at: 3) ?? "" }

    let ofFailures = plan.filter { $0.contains(" failure") }
    #expect(!ofFailures.isEmpty)
    #expect(ofFailures.allSatisfy { $0.contains("INDEX failure_overflow") }, "\(plan)")
  }
}
