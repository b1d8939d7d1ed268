import Testing

@testable import DigestStore

struct LineReaderTests {
  private static let good = #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[]}"#

  /// A digest as a line of so many bytes.
  private static func line(ofLength length: Int) -> String {
    good + String(repeating: " ", count: length - good.utf8.count)
  }

  private static let problem = "line 2: it is longer than 4194304 bytes; write one digest a line"

  @Test(arguments: [
    LineReader.maximumLength + 1, 2 * LineReader.maximumLength + 65_536,
  ])
  func `a line that is too long is a bad one, and those behind it are read`(_ length: Int) throws {
    let temporary = try TemporaryStore()
    let lines = [Self.good, Self.line(ofLength: length), Self.good]
    expectError(.invalidInput, Self.problem) {
      try temporary.store.importText(lines.joined(separator: "\n"))
    }
    #expect(try temporary.store.verify().digests == 0)

    for end in ["", "\n"] {
      // As the last line too.
      let summary = try temporary.store.importText(
        (lines + [lines[1]]).joined(separator: "\n") + end, skippingInvalid: true)
      #expect(
        summary
          == DigestStore.ImportSummary(
            added: 2, known: 0, invalid: 2,
            problems: [Self.problem, Self.problem.replacing("line 2", with: "line 4")]))
    }
  }

  @Test func `the longest line is read`() throws {
    let temporary = try TemporaryStore()
    let line = Self.line(ofLength: LineReader.maximumLength)
    #expect(try temporary.store.importText(line).added == 1)
    #expect(try temporary.store.importText(line + "\n" + Self.good).added == 2)
  }
}
