import Foundation
import Testing

@testable import DigestStore
@testable import ResilientDecoding

struct KeptFoundValueTests {
  private typealias Found = ErrorDigest.FoundValue

  private static let texts = [
    "", "1", "true", "null", "villa", "12,50 €", "\"}]", "\\", "'; DROP TABLE digest; --", "%s%n",
    "\u{1b}[31m\n\r\t\u{7f}\u{2028}", "é", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦", "\u{10FFFF}",
  ]

  /// What is found by the occurrences of one failure, one after the other.
  private static let sequences: [[Found?]] =
    [
      [nil], [.string("villa")], [.string("12")], [.null], [.array], [.string(nil)], [.string("")],
      [.string("villa"), nil, .string("villa")],
      [nil, .string("villa"), nil, .string("villa"), .string("12")],
      [nil, .null, .null, .string(nil)],
      [.string("villa"), .string(nil), .string("yurt"), .number("7"), .number(nil), .array],
      [.string("12"), .string("villa"), .string(nil), .number("12"), .number("villa")],
      [.string(nil), .string("villa"), .string("12"), nil, .number(nil)],
      [.string("é"), .string("e\u{301}"), .string("é")],
      [.null, .string("null"), nil, Found(type: .boolean, text: "true"), .null],
      [.number("1"), .number("1.0"), .string("1"), .number("villa")],
      [Found(type: .object, text: nil), nil, .array],
    ]
    + [texts, texts.reversed()].flatMap { texts in
      let found = texts.map { Found.string($0) }
      return [found, [nil] + found]
    }

  /// Failures that have these found, each at a path of its own.
  private static let failures: [FailureRecord] = [
    .mismatch(at: "price"), .novel("villa", at: "kind"), .novel("villa", at: "a", valueType: nil),
  ]

  @Test(arguments: sequences)
  private func `found values are reported exactly, and do not affect counts`(
    _ sequence: [Found?]
  ) throws {
    let entries = sequence.map { found in
      Self.failures.map { failure in
        var failure = failure
        failure.found = found
        return failure
      }
    }
    // All in one digest, and each in one of its own.
    for digests in [[entries.flatMap { $0 }], entries] {
      let first = try TemporaryStore()
      for entries in digests {
        var record = DigestRecord.make()
        record.entries = entries
        try first.store.append(record)
      }
      let second = try TemporaryStore()
      _ = try second.store.importText(first.store.lines().joined(separator: "\n"))

      for temporary in [first, second] {
        try expect(temporary, sequence, digests: digests.count)
      }
      #expect(try exactly(second.store.lines(), first.store.lines()))
    }
  }

  private func expect(_ temporary: TemporaryStore, _ sequence: [Found?], digests: Int) throws {
    let sample = (sequence.first { $0 != nil } ?? nil).columns
    var exported: [String: [String]] = [:]
    try temporary.store.exportOccurrences {
      exported[$0.codingPath, default: []].append(columns($0.foundType?.rawValue, $0.foundValue))
    }
    for failure in Self.failures {
      let path = failure.path.pattern
      let occurrences = try temporary.found(in: "occurrences WHERE coding_path = '\(path)'")
      #expect(exactly(occurrences, sequence.map(\.columns)), "\(path)")
      #expect(exactly(exported[path] ?? [], sequence.map(\.columns)), "\(path)")
    }
    let samples = Self.failures.map { _ in sample }
    #expect(try exactly(temporary.found(in: "failures"), samples))
    let counts = try temporary.store.failures()
    #expect(exactly(counts.map(\.sample), samples))
    #expect(counts.map(\.occurrences) == Self.failures.map { _ in sequence.count })
    #expect(counts.map(\.digests) == Self.failures.map { _ in digests })
    #expect(try temporary.store.verify().isSound)
  }

  private func columns(_ type: String?, _ value: String?) -> String {
    "\(type ?? "-")|\(value ?? "-")"
  }

  /// Compares bytes: strings are equal also when only their meaning is.
  private func exactly(_ first: [String], _ second: [String]) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  @Test(
    arguments: [
      // The same as before costs nothing, and a novel value is not there twice.
      ([.string("villa"), .string("villa")], "string 1", "[[1,3],[1,3]]"),
      ([.string("12"), .string("12")], "string 12", "[[1,3],[1,3]]"),
      ([.number("villa")], "number 1", "[[1,3]]"),
      ([nil, nil], "- -", "[[1,3],[1,3]]"),
      ([.null, .null], "null -", "[[1,3],[1,3]]"),
      // Another one costs what differs.
      ([.string("a"), .string("b")], "string a", #"[[1,3],[1,3,{"f":"b"}]]"#),
      ([.string("a"), .string("villa")], "string a", #"[[1,3],[1,3,{"f":1}]]"#),
      ([.string("a"), .string("1")], "string a", #"[[1,3],[1,3,{"f":"1"}]]"#),
      ([.string("a"), .string(nil)], "string a", #"[[1,3],[1,3,{"f":null}]]"#),
      ([.string("a"), .number("b")], "string a", #"[[1,3],[1,3,{"t":"number","f":"b"}]]"#),
      ([.string("a"), .null], "string a", #"[[1,3],[1,3,{"t":"null"}]]"#),
      ([.string("a"), nil], "string a", #"[[1,3],[1,3,{"t":null}]]"#),
      (
        [nil, .string("a"), .string("villa")], "string a",
        #"[[1,3],[1,3,{"t":"string","f":"a"}],[1,3,{"t":"string","f":1}]]"#
      ),
    ] as [([ErrorDigest.FoundValue?], String, String)])
  func `a found value equal to the novel value is not stored again`(
    _ sequence: [ErrorDigest.FoundValue?], _ failure: String, _ entries: String
  ) throws {
    let temporary = try TemporaryStore()
    var record = DigestRecord.make()
    record.entries = sequence.map { .novel("villa", found: $0) }

    try temporary.store.append(record)

    #expect(
      try temporary.query(
        "SELECT ifnull(found_type, '-') || ' ' || ifnull(found_value, '-') FROM failure")
        == [failure])
    #expect(try temporary.query("SELECT entries FROM digest") == [entries])
  }

  @Test func `a message and a value of its own stand side by side`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(
        .mismatch(at: "a[1]", message: "one", found: .string("x")),
        .mismatch(at: "a[2]", message: "two", found: .string("y")),
        .mismatch(at: "a[3]", message: nil, found: nil),
        .mismatch(at: "a[4]", message: "one", found: .string("y"))))

    #expect(
      try temporary.query(
        """
        SELECT coding_path || ' ' || ifnull(message, '-') || ' ' || ifnull(found_value, '-')
        FROM occurrences
        """) == ["a[1] one x", "a[2] two y", "a[3] - -", "a[4] one y"])
  }

  @Test func `counted errors have their own message and found value only`() throws {
    let temporary = try TemporaryStore()
    let price = FailureRecord.mismatch(at: "price", found: .string("12"))
    var other = price
    other.found = .string("villa")
    var silent = price
    silent.found = nil
    let kind = FailureRecord.novel("villa", at: "kind", found: .string("villa"))

    try temporary.store.append(
      .make(price, omissions: [(silent, 2), (other, 2), (kind, 3)]))

    let columns = ["string|12", "-|-", "-|-"] + Array(repeating: "string|villa", count: 5)
    #expect(try temporary.found(in: "occurrences") == columns)
    #expect(try temporary.found(in: "failures") == ["string|12", "string|villa"])
    let copy = try TemporaryStore()
    _ = try copy.store.importText(temporary.store.lines().joined(separator: "\n"))
    #expect(try copy.found(in: "occurrences") == columns)
    #expect(try copy.store.lines() == temporary.store.lines())
    #expect(try copy.store.verify().isSound)
  }

  @Test func `a found value is cut as a novel value is, and stays one with it`() throws {
    let long = String(repeating: "x\0é", count: 5_000)
    let temporary = try TemporaryStore(DigestStore.Configuration(maximumValueLength: 100))

    try temporary.store.append(
      .make(
        .novel(long, found: .string(long)), .mismatch(at: "a", found: .string(long)),
        .mismatch(at: "a", found: .string(long + "!"))))

    let values = try temporary.query("SELECT found_value FROM occurrences")
    let novel = try temporary.query("SELECT novel_value FROM failure WHERE id = 1")
    #expect(values.count == 3)
    #expect(values[0] == novel[0])
    #expect(Set(values).count == 3)
    #expect(values.allSatisfy { $0.utf8.count <= 100 && $0.contains(" bytes, ") })
    #expect(try temporary.query("SELECT typeof(found_value) FROM failure") == ["integer", "text"])
    let copy = try TemporaryStore(DigestStore.Configuration(maximumValueLength: 100))
    _ = try copy.store.importText(temporary.store.lines().joined(separator: "\n"))
    #expect(try copy.query("SELECT found_value FROM occurrences") == values)
  }

  @Test func `a value keeps the text after a NUL`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(
        .novel("a\0b", at: "kind", found: .string("a\0b")),
        .mismatch(at: "a", found: .string("one\0two")),
        .mismatch(at: "a", found: .string("three\0four"))))

    let values = ["a\0b", "one\u{2400}two", "three\u{2400}four"]
    #expect(try temporary.query("SELECT found_value FROM occurrences") == values)
    var exported: [String?] = []
    try temporary.store.exportOccurrences { exported.append($0.foundValue) }
    #expect(exported == values)
    let copy = try TemporaryStore()
    _ = try copy.store.importText(temporary.store.lines().joined(separator: "\n"))
    #expect(try copy.query("SELECT found_value FROM occurrences") == values)
  }

  @Test func `stores on one file agree on the fields that entries omit`() throws {
    let temporary = try TemporaryStore()
    let other = try DigestStore(path: temporary.path)
    let nothing = DigestRecord.make(.mismatch(at: "a"))
    let first = DigestRecord.make(.mismatch(at: "a", found: .string("1")))
    let second = DigestRecord.make(.mismatch(at: "a", found: .string("2")))

    // Each remembers the failure from a moment when it had nothing.
    try temporary.store.append(nothing)
    try other.append(nothing)
    try temporary.store.append(first, nothing)
    try other.append(nothing, second, nothing)
    try temporary.store.append(nothing, first)

    #expect(
      try temporary.found(in: "occurrences") == [
        "-|-", "-|-", "string|1", "-|-", "-|-", "string|2", "-|-", "-|-", "string|1",
      ])
    #expect(try temporary.found(in: "failures") == ["string|1"])
  }

  @Test func `the found value of a digest that was not written is forgotten`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(.mismatch(at: "a")))
    try temporary.execute(
      "CREATE UNIQUE INDEX full ON digest (id * 0)")
    #expect(throws: DigestStoreError.self) {
      try temporary.store.append(.make(.mismatch(at: "a", found: .string("lost"))))
    }
    try temporary.execute("DROP INDEX full")

    try temporary.store.append(.make(.mismatch(at: "a", found: .string("kept"))))

    #expect(try temporary.found(in: "failures") == ["string|kept"])
  }

  @Test func `found values are recorded with their errors`() throws {
    let temporary = try TemporaryStore()
    let reporter = PersistentErrorReporter(store: temporary.store, model: Listing.self)
    let json =
      #"{"id": 1, "kind": 5, "items": [{"id": "one"}, null, {"id": []}, {}, {"id": true}]}"#

    _ = try reporter.collectErrors { try JSONDecoder().decode(Listing.self, from: Data(json.utf8)) }
    reporter.flushReportedErrors()

    let found: [Found?] = [.number("5"), .string("one"), .null, .array, nil, .boolean("true")]
    #expect(try temporary.found(in: "occurrences") == found.map(\.columns))
  }
}
