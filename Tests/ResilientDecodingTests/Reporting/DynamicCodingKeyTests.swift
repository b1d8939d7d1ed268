import Foundation
import ResilientDecoding
import Testing

/// Which keys are data in the pattern of a path.
struct DynamicCodingKeyTests {
  /// A way to read the objects of a document, and the pattern of a key in it.
  struct Way: CustomTestStringConvertible {
    let name: String
    let pattern: String
    let decode: @Sendable (Data, [CodingUserInfoKey]) throws -> ErrorDigest?

    var testDescription: String { name }

    init<T: Decodable & SendableMetatype>(_ type: T.Type, _ pattern: String) {
      name = "\(type)"
      self.pattern = pattern
      decode = { data, options in
        let decoder = JSONDecoder()
        for option in options { decoder.userInfo[option] = true }
        return try decoder.decode(type, from: data, reportResilientDecodingErrors: true).1
      }
    }
  }

  static let ways: [Way] = [
    Way([String: WikiPage].self, "*"), Way([Int: WikiPage].self, "*"),
    Way([PageNumber: WikiPage].self, "*"),
    Way(Resilient<[String: WikiPage]>.self, "*"), Way(Resilient<[Int: WikiPage]>.self, "*"),
    Way(WikiPages<MarkedKey>.self, "*"), Way(WikiPages<MarkedNumber>.self, "*"),
    Way(WikiPages<PlainKey>.self, "7"), Way(WikiPages<PlainNumber>.self, "7"),
    Way(WikiPages<FixedKey>.self, "7"),
  ]

  static let pages: [(json: String, rest: String)] = [
    (#"{"title": 1, "id": 1}"#, "title"),
    (#"{"parts": [{"title": 1, "id": 1}], "id": 1}"#, "parts[].title"),
  ]

  @Test(arguments: ways, pages)
  func `a pattern has a star where a key is data`(way: Way, page: (json: String, rest: String))
    throws
  {
    let data = Data(#"{"7": \#(page.json)}"#.utf8)
    for options in [[], [CodingUserInfoKey.reportsUnknownKeys]] {
      let digest = try way.decode(data, options)
      let pattern = way.pattern == "*" ? "*.\(page.rest)" : "7.\(page.rest)"
      #expect(digest?.entries.map(\.failure.codingPath.description) == [pattern])
      #expect(digest?.entries.map(\.codingPath.description.first) == ["7"])
    }
  }

  @Test(arguments: ways)
  func `the pattern of a missing key has the star too`(way: Way) throws {
    let reporter = ResilientDecodingErrorReporter()
    let data = Data(#"{"7": {"title": "a"}}"#.utf8)
    let digest = try? reporter.collectErrors { try way.decode(data, []) }
    let entries = digest?.entries ?? reporter.flushReportedErrors()?.entries ?? []
    let pattern = way.pattern == "*" ? "*.id" : "7.id"
    #expect(entries.map(\.failure.codingPath.description) == [pattern])
  }

  @Test func `thousands of ids are one failure`() throws {
    let pages = (0..<3_000).map { #""id\#($0)": {"title": 1, "id": 1}"# }
    let data = Data("{\(pages.joined(separator: ","))}".utf8)
    let digest = try JSONDecoder().decode(
      WikiPages<MarkedKey>.self, from: data, reportResilientDecodingErrors: true
    ).1
    #expect(digest?.omissions.map { "\($0.failure.codingPath) \($0.count)" } == ["*.title 2000"])
    #expect(Set(digest?.entries.map(\.failure) ?? []).count == 1)
  }

  @Test func `no such key is unknown`() throws {
    let json = #"{"p1": {"id": 1}, "p2": {"id": 1, "new": 2}}"#
    let decoder = JSONDecoder()
    decoder.userInfo[.reportsUnknownKeys] = true
    let digest = try decoder.decodeReporting(WikiPages<MarkedKey>.self, json).1
    #expect(digest?.paths == ["p2.new"])
  }

  @Test func `no such key is unknown where a model asks for one by one, or refuses some`() throws {
    let data = Data(#"{"7": {"id": 1, "new": 2}, "about": {"id": 1}}"#.utf8)
    for way in [
      Way(WikiHome<MarkedKey>.self, ""), Way(WikiPages<DigitsKey>.self, ""),
    ] {
      let digest = try way.decode(data, [.reportsUnknownKeys])
      #expect(digest?.paths == ["7.new"])
    }
    let digest = try Way(WikiHome<PlainKey>.self, "").decode(data, [.reportsUnknownKeys])
    #expect(digest?.paths == ["about", "7.new"])
  }
}

private struct WikiPage: Decodable {
  @Resilient var title: String?
  @Resilient var parts: [WikiPage]
  let id: Int
}

private protocol AnyNameKey: CodingKey {
  init(_ stringValue: String)
}

extension AnyNameKey {
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(String(intValue)) }
}

private struct MarkedKey: DynamicCodingKey, AnyNameKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ stringValue: String) { self.stringValue = stringValue }
}

private struct MarkedNumber: DynamicCodingKey, AnyNameKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }
  init(_ stringValue: String) { self.stringValue = stringValue }
}

private struct PlainKey: AnyNameKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ stringValue: String) { self.stringValue = stringValue }
}

private struct PlainNumber: AnyNameKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }
  init(_ stringValue: String) { self.stringValue = stringValue }
}

/// Refuses names that aren't numbers.
private struct DigitsKey: DynamicCodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) {
    guard Int(stringValue) != nil else { return nil }
    self.stringValue = stringValue
  }
  init?(intValue: Int) { nil }
}

private enum FixedKey: String, CodingKey { case seven = "7" }

private struct PageNumber: Hashable, Decodable, CodingKeyRepresentable {
  let number: Int
  var codingKey: any CodingKey { MarkedNumber(String(number)) }
  init?<Key: CodingKey>(codingKey: Key) {
    guard let number = Int(codingKey.stringValue) else { return nil }
    self.number = number
  }
}

/// Reads one page.
private struct WikiHome<Key: CodingKey>: Decodable {
  init(from decoder: any Decoder) throws {
    guard let key = Key(stringValue: "7") else { return }
    _ = try decoder.container(keyedBy: Key.self).decode(WikiPage.self, forKey: key)
  }
}

/// Reads its pages over all keys.
private struct WikiPages<Key: CodingKey>: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for key in container.allKeys { _ = try container.decode(WikiPage.self, forKey: key) }
  }
}
