import Foundation
import ResilientPlatform
import Testing

@testable import ResilientDecoding

/// JSON in a string of a payload.
struct JSONDecoderStringTests {
  /// Where the errors go, and what is between the payload and the string.
  enum Way: CaseIterable { case task, userInfo, full, checkpoint, keys, call }

  static let strings: [(json: String, reports: [String])] = [
    (#"{"kinds": ["flat", "villa"], "x": 1}"#, ["items[1].raw.kinds[1] unknownNovelValue villa"]),
    (#"{"kinds": 7, "x": 1}"#, ["items[1].raw.kinds typeMismatch 7"]),
    (
      #"{"kinds": ["villa"], "x": "y"}"#,
      [
        "items[1].raw.kinds[0] unknownNovelValue villa",
        "items[1].raw.x typeMismatch -",
      ]
    ),
    (#"{"kinds": []}"#, ["items[1].raw.x keyNotFound -"]),
    (#"{"kinds": [], "x": 1, "side": "up"}"#, ["items[1].raw.side unknownNovelValue up"]),
    ("<html>", ["items[1].raw dataCorrupted <html>"]),
    ("", ["items[1].raw dataCorrupted "]),
  ]

  @Test(arguments: strings, Way.allCases)
  func `errors have the path of the string and the path in it`(
    string: (json: String, reports: [String]), way: Way
  ) throws {
    let text = String(decoding: try JSONEncoder().encode(string.json), as: UTF8.self)
    let good = #"{"raw": "{\"kinds\": [], \"x\": 1}"}"#
    let data = Data(#"{"items": [\#(good), {"raw": \#(text)}, \#(good)]}"#.utf8)
    let reporter = ResilientDecodingErrorReporter(maximumEntries: way == .full ? 1 : 1_000)
    let decoder = JSONDecoder()
    decoder.userInfo[.usesCheckpoint] = way == .checkpoint
    var digest: ErrorDigest?
    switch way {
    case .task, .full, .checkpoint:
      _ = try reporter.collectErrors { try decoder.decode(Outer.self, from: data) }
    case .userInfo:
      decoder.userInfo[.resilientDecodingErrorReporter] = reporter
      _ = try decoder.decode(Outer.self, from: data)
    case .keys, .call:
      if way == .keys { decoder.userInfo[.reportsUnknownKeys] = true }
      digest = try decoder.decode(Outer.self, from: data, reportResilientDecodingErrors: true).1
    }
    digest = digest ?? reporter.flushReportedErrors()
    let entries = digest?.entries.map { "\($0.codingPath) \($0.kind) \($0.words)" } ?? []
    let reports =
      switch way {
      case .full: Array(string.reports.prefix(1))
      // The attempt throws, and what it has reported is discarded.
      case .checkpoint: Array(string.reports.suffix(1))
      default: string.reports
      }
    #expect(entries == reports)
    #expect(digest?.errorCount == (way == .checkpoint ? 1 : string.reports.count))
    #expect(digest?.omissions.allSatisfy { "\($0.failure.codingPath)" == "items[].raw.x" } == true)
  }

  @Test func `a thrown error has the whole path`() throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Inner.self, from: Data(#"{"raw": "{\"x\": null}"}"#.utf8))
    }
    guard case .valueNotFound(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["raw", "x"])
  }

  @Test func `observers get the whole path once`() throws {
    let paths = Locked<[String]>([])
    let observation = ResilientDecodingErrorReporter.addObserver { entry in
      if entry.codingPath.description.hasPrefix("observed") {
        paths.withLock { $0.append(entry.codingPath.description) }
      }
    }
    defer { observation.remove() }
    let json = #"{"observed": [{"raw": "{\"kinds\": [1], \"x\": 1}"}]}"#
    _ = try JSONDecoder().decode([String: Resilient<[Inner]>].self, from: Data(json.utf8))
    #expect(paths.withLock { $0 } == ["observed[0].raw.kinds[0]"])
  }
}

/// Unknown keys of JSON in strings.
struct JSONDecoderStringKeysTests {
  static let documents: [(strings: [String], unknown: [String])] = [
    (
      [#"{"x": 1, "b": 1, "a": 2}"#, #"{"x": 1, "a": 3}"#, #"{"x": 1, "c": 4}"#],
      [
        "items[0].raw.a unknownKey number 2", "items[0].raw.b unknownKey number 1",
        "items[2].raw.c unknownKey number 4",
      ]
    ),
    // A key is known if any object of the pattern is decoded by a type that asks for it.
    ([#"{"x": 1, "wide": true}"#, #"{"type": "flag", "wide": 1}"#], []),
    (
      [#"{"x": "y", "a": 1}"#, #"{"x": 1}"#],
      ["items[0].raw.x typeMismatch Int", "items[0].raw.a unknownKey number 1"]
    ),
    (
      [#"{"x": 1, "more": [{"raw": "{\"x\": 1, \"d\": 1}"}, {"raw": "{\"x\": 1, \"d\": 2}"}]}"#],
      ["items[0].raw.more[0].raw.d unknownKey number 1"]
    ),
    (
      [#"{"x": 1, "more": [{"raw": "{\"x\": 1}", "e": 1}]}"#, #"{"x": 1, "more": [{"e": 1}]}"#],
      ["items[1].raw.more[0].raw keyNotFound String", "items[0].raw.more[0].e unknownKey number 1"]
    ),
  ]

  @Test(arguments: documents, [false, true])
  func `a key is reported once for each pattern`(
    document: (strings: [String], unknown: [String]), areValues: Bool
  ) throws {
    let strings = try document.strings.map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
    let items = strings.map { areValues ? $0 : #"{"raw": \#($0)}"# }.joined(separator: ",")
    let json = #"{"items": [\#(items)]}"#
    let digest =
      areValues
      ? try KeyReport.decode(Values.self, json, .unknown).1
      : try KeyReport.decode(Strings.self, json, .unknown).1
    let unknown =
      areValues
      ? document.unknown.map { $0.replacing(#/^(items\[\d\])\.raw/#) { $0.1 } } : document.unknown
    #expect(KeyReport.lines(digest) == unknown)
  }

  @Test func `a string has missing keys where the payload's decoder asks for them`() throws {
    let decoder = JSONDecoder()
    decoder.userInfo[.reportsMissingKeys] = true
    let reporter = ResilientDecodingErrorReporter()
    let json = Data(#"{"items": [{"raw": "{\"x\": 1}"}]}"#.utf8)
    _ = try reporter.collectErrors { try decoder.decode(Strings.self, from: json) }
    #expect(reporter.flushReportedErrors()?.paths == ["items[0].raw.more"])
  }

  @Test func `no keys are unknown in strings of a decode that looks for none`() throws {
    let reporter = ResilientDecodingErrorReporter()
    reporter.reportedKeys = .unknown
    let json = Data(#"{"items": [{"raw": "{\"x\": 1, \"a\": 1}", "b": 1}]}"#.utf8)
    _ = try reporter.collectErrors { try JSONDecoder().decode(Strings.self, from: json) }
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test(arguments: [false, true], [false, true])
  func `a string has the names of its own decoder`(isSnake: Bool, isStringSnake: Bool) throws {
    let decoder = JSONDecoder()
    decoder.userInfo = [
      .isSnake: isStringSnake, .reportsUnknownKeys: true, .reportsMissingKeys: true,
    ]
    if isSnake { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    let (userName, anyOther) =
      isStringSnake ? ("user_name", "any_other") : ("userName", "anyOther")
    let (items, topKey) = isSnake ? ("all_items", "any_key") : ("allItems", "anyKey")
    let string = #"{\"\#(userName)\": \"x\", \"\#(anyOther)\": 1}"#
    let json = #"{"\#(items)": [{"raw": "\#(string)"}], "\#(topKey)": 1, "user_name": "x"}"#
    let (_, digest) = try decoder.decode(
      Named.self, from: Data(json.utf8), reportResilientDecodingErrors: true)
    let homePage = isStringSnake ? "home_page" : "homePage"
    let (top, others) = isSnake ? ("user_name", [topKey]) : ("userName", [topKey, "user_name"])
    let names = [userName, homePage].map { "\(items)[0].raw.\($0)" }
    #expect(digest?.paths == [top] + names + others + ["\(items)[0].raw.\(anyOther)"])
  }

  private struct Named: Decodable {
    @Resilient var userName: Int?
    @Resilient var allItems: [NamedItem]
  }

  private struct NamedItem: Decodable {
    let raw: Names

    private enum CodingKeys: CodingKey { case raw }

    struct Names: Decodable {
      @Resilient var userName: Int?
      @Resilient var homePage: Int?
    }

    init(from decoder: any Decoder) throws {
      let string = JSONDecoder()
      if decoder.userInfo[.isSnake] as? Bool == true {
        string.keyDecodingStrategy = .convertFromSnakeCase
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      raw = try string.decode(
        Names.self, fromStringAt: container.superDecoder(forKey: .raw))
    }
  }

  private struct Strings: Decodable {
    @Resilient var items: [Item]
  }

  private struct Item: Decodable {
    let raw: Body

    private enum CodingKeys: CodingKey { case raw }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      raw = try JSONDecoder().decode(
        Body.self, fromStringAt: container.superDecoder(forKey: .raw))
    }
  }

  private struct Values: Decodable {
    @Resilient var items: [Value]
  }

  private struct Value: Decodable {
    let body: Body

    init(from decoder: any Decoder) throws {
      body = try JSONDecoder().decode(Body.self, fromStringAt: decoder)
    }
  }

  private struct Body: Decodable {
    var more: [Item] = []

    private struct Plain: Decodable {
      let x: Int
      @Resilient var more: [Item]
    }

    private struct Flag: Decodable {
      let wide: Int
    }

    private enum CodingKeys: CodingKey { case type }

    init(from decoder: any Decoder) throws {
      let type = try decoder.container(keyedBy: CodingKeys.self)
        .decodeIfPresent(String.self, forKey: .type)
      if type == "flag" {
        _ = try Flag(from: decoder)
      } else {
        more = try Plain(from: decoder).more
      }
    }
  }
}

extension ErrorDigest.Entry {
  fileprivate var words: String { novelValue?.text ?? foundValue?.text ?? "-" }
}

extension CodingUserInfoKey {
  fileprivate static let isSnake = CodingUserInfoKey(rawValue: "is snake")!
  fileprivate static let usesCheckpoint = CodingUserInfoKey(rawValue: "uses checkpoint")!
}

private struct Outer: Decodable {
  @Resilient var items: [Inner]
}

/// Has an object of JSON in a string.
private struct Inner: Decodable, Equatable {
  let raw: Payload

  private enum CodingKeys: CodingKey { case raw }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func payload() throws -> Payload {
      try JSONDecoder().decode(Payload.self, fromStringAt: container.superDecoder(forKey: .raw))
    }
    raw =
      decoder.userInfo[.usesCheckpoint] as? Bool == true
      ? try decoder.withReportingCheckpoint(payload) : try payload()
  }
}

private struct Payload: Decodable, Equatable {
  @Resilient var kinds: [Kind]
  let x: Int
  let side: Side?
}
