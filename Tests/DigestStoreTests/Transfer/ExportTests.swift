import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct ExportTests {
  private static let hostile = [
    "", " ", "=1+1", "-1", "a,b", "\"", "a\"b\\", "\u{1}\u{8}\u{c}\n\r\t\u{7f}\u{85}", "é",
    "e\u{301}", "\u{2028}", "👩‍👩‍👧‍👦", "%s%d%%", "[]", "*", "a.b", "null", "1",
  ]

  private static let kinds: [ErrorDigest.FoundValue?] = [
    nil, .null, .array, .string("villa"), .string(""), .number("1"), .boolean("true"),
  ]

  /// A store of digests in which each member is anything that it can be.
  private func random(seed: UInt64) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    var generator = SeededGenerator(seed: seed)
    func text() -> String { Self.hostile.randomElement(using: &generator) ?? "" }
    func maybe() -> String? { Bool.random(using: &generator) ? text() : nil }
    func failure() -> RecordedError {
      let components: [ErrorDigest.Path.Component] = (0..<Int.random(in: 0...10, using: &generator))
        .map { _ in
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: .index(Int.random(in: 0...1_000, using: &generator))
          case 1: .dictionaryKey(text())
          default: .key(text())
          }
        }
      let found = Self.kinds.randomElement(using: &generator) ?? nil
      let novelValue = Bool.random(using: &generator) ? found?.text ?? text() : nil
      return RecordedError(
        path: ErrorDigest.Path(components),
        kind: ErrorDigest.Kind.allCases.randomElement(using: &generator) ?? .other,
        expectedType: maybe(), novelValue: novelValue,
        valueType: novelValue == nil ? nil : maybe(), message: maybe(), found: found)
    }
    var failures = (0..<12).map { _ in failure() }
    for number in 0..<60 {
      var record = DigestRecord.make(
        at: Moment(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &generator)),
        model: "M" + text(), release: maybe())
      record.id = number.isMultiple(of: 3) ? DigestID("id-\(number)" + text()) : nil
      record.errors = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        var entry = failures.randomElement(using: &generator) ?? failure()
        if Bool.random(using: &generator) { entry.message = maybe() }
        if Bool.random(using: &generator) {
          entry.found = Self.kinds.randomElement(using: &generator) ?? nil
        }
        return entry
      }
      if Bool.random(using: &generator) {
        let counted = failures.randomElement(using: &generator) ?? failure()
        record.errors.append(counted.counted(.random(in: 2...4, using: &generator)))
      }
      try temporary.store.append(record)
      failures.append(failure())
    }
    return temporary
  }

  /// The cells of a row, in the order of the view.
  private static func cells(of occurrence: DigestStore.Occurrence) -> [String?] {
    var time: [UInt8] = []
    Moment(occurrence.recordedAt).append(to: &time)
    return [
      occurrence.digestID, String(decoding: time, as: UTF8.self), occurrence.release,
      occurrence.model, occurrence.codingPath, occurrence.kind.rawValue, occurrence.expectedType,
      occurrence.novelValue, occurrence.valueType, occurrence.foundType?.rawValue,
      occurrence.foundValue, "\(occurrence.times)", occurrence.environment, occurrence.operation,
    ]
  }

  /// The columns of the view, with a picture for null.
  private func rowsOfView(_ temporary: TemporaryStore) throws -> [String] {
    let columns = [
      "digest_id", "recorded_at", "release", "model", "coding_path", "kind", "expected_type",
      "novel_value", "value_type", "found_type", "found_value", "times",
      "environment", "operation",
    ]
    let cells = columns.map { "ifnull(\($0), '␀')" }.joined(separator: " || char(30) || ")
    return try temporary.query("SELECT \(cells) || char(31) FROM occurrences").sorted()
  }

  @Test(arguments: 0..<8) func `an export equals the view`(seed: UInt64) throws {
    let temporary = try random(seed: seed)
    var exported: [String] = []
    try temporary.store.exportOccurrences { occurrence in
      let cells = Self.cells(of: occurrence)
      exported.append(cells.map { $0 ?? "␀" }.joined(separator: "\u{1e}") + "\u{1f}")
    }
    let view = try rowsOfView(temporary)
    #expect(exported.sorted().map { Array($0.utf8) } == view.map { Array($0.utf8) })
  }

  @Test(arguments: 0..<8) func `rows of text are the occurrences`(seed: UInt64) throws {
    let temporary = try random(seed: seed)
    // As strict as it may be about what is not plain.
    @Sendable func cell(_ text: String) -> String {
      text.utf8.allSatisfy {
        (0x30...0x3a).contains($0) || $0 == 0x2e || $0 == 0x5b || $0 == 0x5d
          || (0x41...0x5a).contains($0) || $0 == 0x5f || (0x61...0x7a).contains($0)
      }
        ? text : "<\(text.replacing("\n", with: "␤").replacing("|", with: "!"))>"
    }
    let encoding = CellEncoding(separator: UInt8(ascii: "|")) { text in
      text.isEmpty ? "" : cell(text)
    }
    for filter in [DigestFilter(), DigestFilter(model: "M[?*"), DigestFilter(codingPath: "*[]*")] {
      var rows: [UInt8] = []
      try temporary.store.exportRows(matching: filter, as: encoding) { rows += $0 }
      var expected = ""
      try temporary.store.exportOccurrences(matching: filter) { occurrence in
        var cells = Self.cells(of: occurrence).map { encoding.text($0 ?? "") }
        // A time is written as it is.
        cells[1] = Self.cells(of: occurrence)[1] ?? ""
        expected += cells.joined(separator: "|") + "\n"
      }
      #expect(rows == Array(expected.utf8))
    }
  }

  @Test(arguments: 0..<8)
  func `an import of an export is an equal store, and a second one changes nothing`(
    seed: UInt64
  ) throws {
    let (first, second) = try (random(seed: seed), TemporaryStore())
    try first.store.append(.make(at: .earliest), .make(at: .latest))
    let lines = try first.store.lines()
    let text = try first.store.text()
    #expect(try second.store.importText(text).added == lines.count)
    // Also where it comes from.
    for store in [second.store, first.store] {
      #expect(
        try store.importText(second.store.text())
          == DigestStore.ImportSummary(added: 0, known: lines.count, invalid: 0, problems: []))
      #expect(try store.text() == text)
      #expect(try store.verify().isSound)
    }
    #expect(try rowsOfView(second) == rowsOfView(first))
    #expect(try second.store.failures() == first.store.failures())
    #expect(try second.found(in: "failures") == first.found(in: "failures"))
    // A line has no message: that of a failure's sample is of another error.
    #expect(try second.query("SELECT DISTINCT message FROM failure") == ["null"])
    for line in lines {
      // Some readers of NDJSON end a line at other characters, too.
      #expect(!line.contains { $0.isNewline })
      _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
    }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
    (1_763_632_800_123, "2025-11-20T10:00:00.123Z"),
    (4_107_542_399_001, "2100-02-28T23:59:59.001Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (-1, "1970-01-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
  ])
  func `a moment is written in ISO 8601`(milliseconds: Int64, text: String) {
    var bytes: [UInt8] = []
    Moment(milliseconds: milliseconds).append(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    "[[", "[]]", "[[1]", "[[1,]]", "[[\"1\"]]", "[[1,\"a]]", "{}", "[[1,\"\\", "[1]",
    "[[99999999999999999999]]", "[[1,nul]]", "x", " [[1]]", "[[1.5]]", "[[null]]", "[{\"1\":1}]",
    "[[1,null,0]]", "[[1,null,-1]]", "[[1,null,\"2\"]]", "[[1,null,1.5]]", "[[1],[7]]", "[[0]]",
    "[[1,null,10000000000000000]]", "[\"x\"]", "[\"[\"]",
    "[\(Array(repeating: "[1,null,9007199254740992]", count: 1_100).joined(separator: ","))]",
    "[[1],\"[1]\"]",
  ])
  func `errors that cannot be read are skipped with their digest`(errors: String) throws {
    try Self.expectSkipped("UPDATE digest SET errors = '\(errors)' WHERE id = 2")
  }

  @Test(arguments: [
    "model = 7", "context = 7", "recorded_at = -1",
    "recorded_at = 9223372036854775807",
  ])
  func `a digest that no store writes is skipped`(change: String) throws {
    try Self.expectSkipped("UPDATE digest SET \(change) WHERE id = 2")
  }

  /// Changes the second of three digests, and expects the others wherever digests are read.
  private static func expectSkipped(_ sql: String) throws {
    let temporary = try TemporaryStore(holding: .make(), .make(), .make())
    let ids = try temporary.store.digests().map(\.id)
    try temporary.execute(sql)
    let store = temporary.store

    var lines: [String] = []
    #expect(
      try store.exportDigests { lines.append($0) } == DigestStore.ExportSummary(unreadable: 1))
    #expect(lines.count == 2)
    var occurrences: [String] = []
    #expect(
      try store.exportOccurrences { occurrences.append($0.digestID) }
        == DigestStore.ExportSummary(unreadable: 1))
    #expect(occurrences == [ids[2], ids[0]])
    var rows: [UInt8] = []
    let encoding = CellEncoding(separator: UInt8(ascii: ",")) { $0 }
    #expect(
      try store.exportRows(matching: DigestFilter(), as: encoding) { rows += $0 }
        == DigestStore.ExportSummary(unreadable: 1))
    #expect(rows.count { $0 == UInt8(ascii: "\n") } == 2)
    let list = try store.readableDigests(matching: DigestFilter(), limit: nil)
    #expect(list.digests.map(\.id) == [ids[0], ids[2]])
    #expect(list.unreadable == 1)
    #expect(try store.digest(id: ids[0])?.entries.count == 1)
    // Of another moment it is another digest, of which no one knows the id.
    if !sql.contains("recorded_at") {
      expectError(.damaged) { try store.digest(id: ids[1]) }
      #expect(throws: DigestStoreError.self) { try store.exportLine(ofDigest: ids[1]) }
    }
    #expect(try !store.verify().isSound)
    // One digest isn't a reason to begin anew.
    try store.append(.make())
    #expect(try store.digests().count == 3)
    #expect(try temporary.files().allSatisfy { !$0.contains("broken") })
  }

  @Test func `what went wrong in the last hour of a day only is found among many digests`() throws {
    let temporary = try TemporaryStore()
    let day = Moment(milliseconds: 1_763_596_800_000)
    func make(_ value: String, _ milliseconds: Int64) -> DigestRecord {
      .make(at: Moment(milliseconds: day.milliseconds + milliseconds), .novel(value))
    }
    let lastHour = 23 * Moment.hour + 5
    let before = (1...1_100).map { make("often", 10 * Moment.hour + $0) }
    let after = (1...1_100).map { make("often", 30 * Moment.hour + $0) }
    try temporary.store.appendAll(before + [make("rare", lastHour)] + after)
    try temporary.foldAll()

    #expect(try temporary.store.lines(matching: DigestFilter(novelValue: "rare")).count == 1)
  }

  @Test func `a digest with more errors than an import takes is in no export`() throws {
    let temporary = try TemporaryStore(holding: .make(), .make(), .make())
    try temporary.execute(
      """
      UPDATE digest SET errors = '[[1,null,60000000],[1,null,60000000]]' WHERE id = 1;
      UPDATE digest SET errors = '[[1],[1,"items[7].kind"],[1,null,2]]' WHERE id = 3
      """)

    var occurrences = 0
    #expect(
      try temporary.store.exportOccurrences { _ in occurrences += 1 }
        == DigestStore.ExportSummary(unreadable: 1))
    #expect(occurrences == 4)
    #expect(try temporary.store.lines().count == 2)
  }

  @Test func `invalid UTF-8 in a digest is repaired, and stops nothing`() throws {
    let temporary = try TemporaryStore(holding: .make(), .make())
    try temporary.execute(
      "UPDATE digest SET errors = CAST(x'5b5b312c22ff225d5d' AS TEXT) WHERE id = 1")
    var paths: [String?] = []
    #expect(
      try temporary.store.exportOccurrences { paths.append($0.codingPath) }
        == DigestStore.ExportSummary(unreadable: 0))
    #expect(paths == ["\u{fffd}", "items[3].kind"])
  }

  @Test(arguments: ["[]", "[ ] ", "[[ 1 , null , 3 ] , [1,\"a\\u00e9\\n\"]]"])
  func `errors may have space between them`(errors: String) throws {
    let temporary = try TemporaryStore(holding: .make(.novel("villa", at: "items[3].kind")))
    try temporary.execute("UPDATE digest SET errors = '\(errors)'")
    var paths: [String] = []
    try temporary.store.exportOccurrences { paths.append($0.codingPath) }
    #expect(try paths == temporary.query("SELECT coding_path FROM occurrences"))
  }

  @Test func `a gap between ids isn't a reason to wait`() throws {
    let temporary = try TemporaryStore(holding: .make(), .make())
    try temporary.execute("UPDATE digest SET id = 1 << 53 WHERE id = 2")
    #expect(try temporary.store.lines().count == 2)
  }
}
