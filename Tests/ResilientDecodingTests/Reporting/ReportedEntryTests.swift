import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// Entries of code that has no decoder.
struct ReportedEntryTests {
  @Test func `entries are in the digest in the order in which they were reported`() throws {
    let reporter = ResilientDecodingErrorReporter()
    reporter.report(entry("rows[1].b", .typeMismatch))
    _ = try reporter.collectErrors {
      try Format.json.decode(Model.self, from: #"{"p": ["x"]}"#, userInfo: [:])
    }
    reporter.report(entry("rows[0].a", .unknownNovelValue, novel: "villa"))
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.paths == ["rows[1].b", "p[0]", "rows[0].a"])
    #expect(digest.errors.count == 2)
    let novel = digest.entries[2]
    #expect(novel.recoveryPath == novel.codingPath)
    #expect((novel.error as? UnknownNovelValueError)?.novelValue as? String == "villa")
    #expect("\(digest.entries[0].error)" == "no number")
  }

  @Test func `a full reporter counts them`() {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 2)
    for index in 0..<5 { reporter.report(entry("rows[\(index)]", .typeMismatch)) }
    let digest = reporter.flushReportedErrors()
    #expect(digest?.paths == ["rows[0]", "rows[1]"])
    #expect(digest?.omissions.map(\.failure.codingPath.description) == ["rows[]"])
    #expect(digest?.errorCount == 5)
  }

  @Test func `a found value is cut`() {
    let reporter = ResilientDecodingErrorReporter()
    reporter.report(entry("a", .typeMismatch, found: String(repeating: "x", count: 2_000)))
    let found = reporter.flushReportedErrors()?.entries.first?.foundValue
    #expect(found?.text == String(repeating: "x", count: 1_000) + "…")
  }

  @Test func `a parser finds the reporter in charge`() {
    let reporter = ResilientDecodingErrorReporter()
    reporter.collectErrors { ResilientDecodingErrorReporter.report(entry("a", .other)) }
    ResilientDecodingErrorReporter.report(entry("b", .other))
    #expect(reporter.flushReportedErrors()?.paths == ["a"])
  }

  @Test func `a discarded attempt discards them`() throws {
    let reporter = ResilientDecodingErrorReporter()
    _ = try reporter.collectErrors {
      try Format.json.decode([Trying].self, from: "[1, 2]", userInfo: [:])
    }
    #expect(reporter.flushReportedErrors()?.paths == ["kept", "kept"])
  }

  private func entry(
    _ path: String, _ kind: ErrorDigest.Kind, novel: String? = nil, found: String? = nil
  ) -> ErrorDigest.Entry {
    ErrorDigest.Entry(
      codingPath: ErrorDigest.Path(path) ?? ErrorDigest.Path(), kind: kind,
      novelValue: novel.map { ErrorDigest.NovelValue(text: $0, type: "String") },
      foundValue: found.map { ErrorDigest.FoundValue(type: .string, text: $0) },
      message: "no number")
  }
}

private struct Trying: Decodable {
  init(from decoder: any Decoder) throws {
    func report(_ path: String) {
      ResilientDecodingErrorReporter.report(
        ErrorDigest.Entry(codingPath: ErrorDigest.Path([.key(path)]), kind: .other, message: ""))
    }
    try? decoder.withReportingCheckpoint {
      report("discarded")
      throw Mishap(description: "no")
    }
    decoder.withReportingCheckpoint { report("kept") }
  }
}

private struct Model: Decodable {
  @Resilient var p: [Int]
}
