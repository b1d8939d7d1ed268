import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct ImportTests {
  private static let count = 11_000

  /// More digests than are imported in one transaction.
  static func lines(count: Int = count, id: (Int) -> String? = { "d-\($0)" }) -> String {
    (0..<count).map { number in
      let id = id(number).map { "\"id\":\"\($0)\"," } ?? ""
      return "{\(id)\"recordedAt\":\"2026-11-20T10:00:00.000Z\",\"model\":\"M\",\"errors\":["
        + "{\"path\":\"items[\(number)].kind\",\"kind\":\"other\"}]}\n"
    }.joined()
  }

  @Test func `a large file is imported whole and once`() throws {
    let temporary = try TemporaryStore()
    let text = Self.lines()
    let first = try temporary.store.importText(text)
    let second = try temporary.store.importText(text)
    #expect(
      first == DigestStore.ImportSummary(added: Self.count, known: 0, invalid: 0, problems: []))
    #expect(
      second == DigestStore.ImportSummary(added: 0, known: Self.count, invalid: 0, problems: []))
    #expect(try temporary.store.soundDigests() == Self.count)
  }

  @Test func `nothing of a large file is imported that has a bad line at its end`() throws {
    let temporary = try TemporaryStore()
    expectError(.invalidInput, "line \(Self.count + 1): it isn't a JSON object on one line") {
      try temporary.store.importText(Self.lines() + "{\"secret\"\n")
    }
    #expect(try temporary.store.verify().digests == 0)
  }

  @Test func `a digest before a deleted one of its store is taken for deleted, and said to be`()
    throws
  {
    let temporary = try TemporaryStore()
    let id = { (number: Int) in
      "\(String(repeating: "d", count: 32))-\(number + 1)-1795168800000"
    }
    let lines = Self.lines(count: 4, id: id).split(separator: "\n").map { $0 + "\n" }
    _ = try temporary.store.importText(lines[2...].joined())
    try temporary.store.append(.make(at: Moment(Date())))
    _ = try temporary.store.prune(maximumAge: .zero)
    let summary = try temporary.store.importText(lines.joined())
    #expect(
      summary
        == DigestStore.ImportSummary(added: 0, known: 4, evicted: 4, invalid: 0, problems: []))
  }

  @Test func `decodes of deleted hours are not counted again`() throws {
    let temporary = try TemporaryStore()
    let decodes = (0..<48).map {
      "{\"id\":\"\(String(repeating: "d", count: 32))\",\"hour\":\"2026-11-\(10 + $0 / 24)T"
        + "\($0 % 24 < 10 ? "0" : "")\($0 % 24):00:00Z\",\"model\":\"M\",\"decodes\":5}\n"
    }.joined()
    _ = try temporary.store.importText(Self.lines(count: 1) + decodes)
    let before = try temporary.store.decodeCounts()?.decodes
    // As retention does: the hours of the first day, and the second day.
    try temporary.execute(
      """
      DELETE FROM decodes WHERE span = 1;
      INSERT INTO decodes SELECT span, context, -1, model, decodes, digests, failed, occurrences
        FROM decodes WHERE span = 24 AND start = (SELECT min(start) + 1 FROM decodes);
      DELETE FROM decodes WHERE span = 24 AND start = (SELECT min(start) + 1 FROM decodes WHERE start > 0);
      INSERT INTO loss
        SELECT (min(start) + 1) * 24, 'undated', 0, 0, NULL FROM decodes WHERE start > 0
      """)
    _ = try temporary.store.importText(decodes)
    #expect(before == 241)
    #expect(try temporary.store.decodeCounts()?.decodes == before)
  }

  @Test func `a conversion does not hide the errors with the same value`() throws {
    for kinds in [["converted", "unknownNovelValue"], ["unknownNovelValue", "converted"]] {
      let temporary = try TemporaryStore()
      let lines = (kinds + ["unknownNovelValue"]).enumerated().map { number, kind in
        "{\"id\":\"\(number)\",\"recordedAt\":\"2026-11-20T10:00:00.000Z\",\"model\":\"M\","
          + "\"errors\":[{\"path\":\"k\",\"kind\":\"\(kind)\",\"novelValue\":\"villa\","
          + "\"novelValueType\":\"String\"}]}\n"
      }
      _ = try temporary.store.importText(lines.joined())
      #expect(try temporary.store.novelValues().map(\.occurrences) == [2])
      let conversions = DigestFilter(kind: .converted)
      #expect(try temporary.store.failures(matching: conversions).map(\.occurrences) == [1])
    }
  }

  @Test func `a pipe is imported as a file is`() throws {
    let temporary = try TemporaryStore()
    let pipe = Pipe()
    let text = Self.lines()
    let writer = Thread {
      // The test fails for what is missing.
      try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let summary = try temporary.store.importDigests(
      fromFileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    #expect(summary.added == Self.count)
  }

  @Test func `a file is read from its current position`() throws {
    let temporary = try TemporaryStore()
    let file = temporary.folder.appending(path: "file")
    try Data(("nonsense\n" + Self.lines(count: 3)).utf8).write(to: file)
    let handle = try FileHandle(forReadingFrom: file)
    try handle.seek(toOffset: 9)
    #expect(
      try temporary.store.importDigests(fromFileDescriptor: handle.fileDescriptor).added == 3)
  }

  @Test func `what becomes of a file that was read does not matter`() throws {
    let temporary = try TemporaryStore()
    let file = temporary.folder.appending(path: "file")
    try Data(Self.lines(count: 3).utf8).write(to: file)
    let summary = try temporary.store.importDigests(from: file) { progress in
      guard progress.unit == .digests, progress.done == 0 else { return }
      try Data("nonsense\n".utf8).write(to: file)
    }
    #expect(summary.added == 3)
  }

  @Test func `others write while a large file is imported`() throws {
    let temporary = try TemporaryStore()
    let other = try DigestStore(path: temporary.path)
    let group = DispatchGroup()
    for store in [temporary.store, other] {
      DispatchQueue.global().async(group: group) {
        for _ in 0..<50 { try? store.append(.make()) }
      }
    }
    #expect(try temporary.store.importText(Self.lines()).added == Self.count)
    group.wait()
    #expect(try temporary.store.soundDigests() == Self.count + 100)
  }

  @Test func `an import that ends early says how far it came and can be repeated`() throws {
    let temporary = try TemporaryStore()
    let last = Self.count - 500
    // Whoever adds this digest is refused, as by a full disk.
    try temporary.store.write {
      try $0.connection.execute(
        """
        CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.digest WHEN NEW.id = \(last)
        BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
    }
    let text = Self.lines()
    let error = #expect(throws: DigestStoreError.self) { try temporary.store.importText(text) }
    let kept = try temporary.store.verify().digests
    #expect(kept > 0 && kept <= last)
    #expect(
      error?.description.hasSuffix(
        "\(kept) of \(Self.count) digests are in, import the file again: those with an id are not "
          + "added twice") == true)
    try temporary.store.write { try $0.connection.execute("DROP TRIGGER refuse") }
    #expect(
      try temporary.store.importText(text)
        == DigestStore.ImportSummary(
          added: Self.count - kept, known: kept, invalid: 0, problems: []))
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000), "{\"a\":" + String(repeating: "[", count: 100_000),
    "{\"model\":\"" + String(repeating: "\\", count: 99_999), String(repeating: "\0", count: 1_000),
  ])
  func `a hostile line is a bad line`(line: String) throws {
    let temporary = try TemporaryStore()
    expectError(.invalidInput) { try temporary.store.importText(line) }
  }
}
