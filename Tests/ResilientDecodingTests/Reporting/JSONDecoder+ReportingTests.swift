import Foundation
import ResilientDecoding
import Testing

struct JSONDecoderReportingTests {
  private static let bad = #"{"numbers": [1, "x"]}"#
  private static let clean = #"{"numbers": [1]}"#
  private static let expected = ["numbers[1]: typeMismatch Int"]

  /// 1,500 bad numbers.
  private static let full =
    #"{"numbers": [\#(Array(repeating: "true", count: 1_500).joined(separator: ","))]}"#

  @Test func `one decoder reports decode after decode`() throws {
    let decoder = JSONDecoder()
    for _ in 0..<100 {
      let (model, digest) = try decoder.decode(
        Numbers.self, from: Data(Self.bad.utf8), reportResilientDecodingErrors: true)
      #expect(model.numbers == [1])
      #expect(digest?.reports == Self.expected)
    }
    #expect(decoder.userInfo.isEmpty)
  }

  @Test func `a clean decode has no digest`() throws {
    let (model, digest) = try JSONDecoder().decodeReporting(Numbers.self, Self.clean)
    #expect(model.numbers == [1])
    #expect(digest == nil)
  }

  @Test func `without reporting there is no digest`() throws {
    let decoder = JSONDecoder()
    let reporter = decoder.enableResilientDecodingErrorReporting()
    let (model, digest) = try decoder.decode(
      Numbers.self, from: Data(Self.bad.utf8), reportResilientDecodingErrors: false)
    #expect(model.numbers == [1])
    #expect(digest == nil)
    #expect(reporter.flushReportedErrors()?.reports == Self.expected)
  }

  @Test func `the installed reporter is in charge again afterwards, and after an error`() throws {
    let decoder = JSONDecoder()
    let reporter = decoder.enableResilientDecodingErrorReporting()
    let (_, digest) = try decoder.decodeReporting(Numbers.self, Self.bad)
    #expect(digest?.reports == Self.expected)
    #expect(reporter.flushReportedErrors() == nil)
    #expect(throws: DecodingError.self) { try decoder.decodeReporting(Strict.self, Self.clean) }
    #expect(reporter.flushReportedErrors() == nil)
    _ = try decoder.decode(Numbers.self, from: Data(Self.bad.utf8))
    #expect(reporter.flushReportedErrors()?.reports == Self.expected)
    let installed = decoder.userInfo[.resilientDecodingErrorReporter]
    #expect(installed as? ResilientDecodingErrorReporter === reporter)
  }

  @Test func `errors reported before decoding threw stay on the installed reporter`() throws {
    let decoder = JSONDecoder()
    let reporter = decoder.enableResilientDecodingErrorReporting()
    #expect(throws: DecodingError.self) {
      try decoder.decode(Strict.self, from: Data(Self.bad.utf8))
    }
    #expect(reporter.flushReportedErrors()?.reports == Self.expected)
  }

  @Test func `the errors of a throwing call go to the enclosing reporter`() throws {
    let decoder = JSONDecoder()
    let installed = decoder.enableResilientDecodingErrorReporting()
    #expect(throws: DecodingError.self) { try decoder.decodeReporting(Strict.self, Self.bad) }
    #expect(installed.flushReportedErrors()?.reports == Self.expected)

    let collecting = ResilientDecodingErrorReporter()
    collecting.collectErrors {
      _ = #expect(throws: DecodingError.self) { try decoder.decodeReporting(Strict.self, Self.bad) }
    }
    #expect(collecting.flushReportedErrors()?.reports == Self.expected)
    #expect(installed.flushReportedErrors() == nil)
  }

  @Test func `a throwing call passes on the errors that it only counted`() throws {
    let decoder = JSONDecoder()
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 10)
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    #expect(throws: DecodingError.self) { try decoder.decodeReporting(Strict.self, Self.full) }
    let digest = reporter.flushReportedErrors()
    #expect(digest?.paths == (0..<10).map { "numbers[\($0)]" })
    #expect(digest?.omissions.map(\.count) == [1_490])
    #expect(digest?.errorCount == 1_500)
  }

  @Test func `a reporter without a limit receives the errors that a throwing call only counted`()
    throws
  {
    let decoder = JSONDecoder()
    let reporter = ResilientDecodingErrorReporter(maximumEntries: .max)
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    for _ in 0..<2 {
      #expect(throws: DecodingError.self) { try decoder.decodeReporting(Strict.self, Self.full) }
    }
    let digest = reporter.flushReportedErrors()
    #expect(digest?.entries.count == 2_000)
    #expect(digest?.omissions.map(\.count) == [1_000])
    #expect(digest?.errorCount == 3_000)
  }

  @Test func `the call after a throwing one starts empty`() throws {
    let decoder = JSONDecoder()
    #expect(throws: DecodingError.self) {
      try decoder.decodeReporting(Strict.self, #"{"numbers": ["y", "z"]}"#)
    }
    #expect(try decoder.decodeReporting(Numbers.self, Self.bad).1?.reports == Self.expected)
    #expect(decoder.userInfo.isEmpty)
  }

  @Test func `calls on one decoder can be nested`() throws {
    for _ in 0..<3 {
      let (model, digest) = try Embedding.decoder.decodeReporting(
        Embedding.self,
        #"{"before": "1", "embedded": "{\"numbers\": [true, 2, false]}", "after": "3"}"#)
      #expect(model.numbers == [2])
      #expect(model.inner == ["numbers[0]", "numbers[2]"])
      #expect(digest?.paths == ["before", "after"])
    }
    // After a nested call throws, the outer one is in charge.
    let (model, digest) = try Embedding.decoder.decodeReporting(
      Embedding.self, #"{"before": "1", "embedded": "{\"numbers\": 5", "after": "3"}"#)
    #expect(model.numbers.isEmpty)
    #expect(digest?.paths == ["before", "after"])
  }

  @Test func `enabling again replaces the reporter`() throws {
    let decoder = JSONDecoder()
    let old = decoder.enableResilientDecodingErrorReporting()
    let new = decoder.enableResilientDecodingErrorReporting()
    _ = try decoder.decode(Numbers.self, from: Data(Self.bad.utf8))
    #expect(old.flushReportedErrors() == nil)
    #expect(new.flushReportedErrors()?.reports == Self.expected)
  }
}

private struct Numbers: Decodable {
  @Resilient var numbers: [Int]
}

/// Throws after it has recovered from errors: no test has the `id`.
private struct Strict: Decodable {
  @Resilient var numbers: [Int]
  let id: Int
}

/// Decodes a document in a string with the decoder that decodes the string.
private struct Embedding: Decodable {
  static let decoder = JSONDecoder()

  @Resilient var before: Int?
  let numbers: [Int]
  let inner: [String]
  @Resilient var after: Int?

  private enum Keys: CodingKey { case before, embedded, after }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    _before = try container.decode(Resilient<Int?>.self, forKey: .before)
    let embedded = try container.decode(String.self, forKey: .embedded)
    let decoded = try? Self.decoder.decodeReporting(Numbers.self, embedded)
    numbers = decoded?.0.numbers ?? []
    inner = decoded?.1?.paths ?? []
    _after = try container.decode(Resilient<Int?>.self, forKey: .after)
  }
}
