import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// The failed member, if the decoder's error does not name it.
struct BadMemberTests {
  private static let date = #""at": "2026-11-20T10:00:00Z""#

  static let members: [(member: String, report: String)] = [
    (#""at": "bad""#, #".at dataCorrupted Foundation.Date, string "bad""#),
    (#""at": null"#, ".at valueNotFound Foundation.Date, null"),
    (#""at": 7"#, ".at typeMismatch String, number 7"),
    (#"\#(date), "byte": 300"#, ".byte dataCorrupted UInt8, number 300"),
    (#"\#(date), "byte": "3""#, #".byte typeMismatch UInt8, string "3""#),
    (#"\#(date), "url": """#, #".url dataCorrupted Foundation.URL, string """#),
    (
      #"\#(date), "side": "up""#,
      #".side unknownNovelValue ResilientDecodingTests.Side, string "up""#
    ),
    (#"\#(date), "side": 7"#, ".side typeMismatch String, number 7"),
    (#"\#(date), "point": []"#, ".point typeMismatch Dictionary<String, Any>, array"),
    (#"\#(date), "point": {"x": 1}"#, ".point.y keyNotFound -, nothing"),
    (#"\#(date), "point": {"x": 1, "y": 1.5}"#, ".point.y dataCorrupted Int, number 1.5"),
    (
      #"\#(date), "dates": ["2026-11-20T10:00:00Z", "x"]"#,
      #".dates[1] dataCorrupted Foundation.Date, string "x""#
    ),
    (#"\#(date), "bytes": {"a": 1, "b": 256}"#, ".bytes.b dataCorrupted UInt8, number 256"),
    (
      #"\#(date), "inner": {"a": {"at": "bad"}}"#,
      #".inner.a.at dataCorrupted Foundation.Date, string "bad""#
    ),
    (#"\#(date), "ids": ["x"]"#, #".ids[0] dataCorrupted Foundation.UUID, string "x""#),
  ]

  @Test(arguments: members)
  func `an error of a member has its path, its type and its value`(
    member: String,
    report: String
  ) throws {
    let json = #"{"p": [{\#(Self.date)}, {\#(member)}]}"#
    let (model, digest) = try decode(GenericModel<[Event]>.self, json)
    #expect(model.p.count == 1)
    #expect(digest?.inWords == ["p[1]" + report])
    #expect(digest?.entries.map(\.recoveryPath.description) == ["p[1]"])
  }

  @Test(arguments: [
    (#"{"p": {"at": "bad"}}"#, #"p.at dataCorrupted Foundation.Date, string "bad""#),
    (#"{"p": []}"#, "p typeMismatch ResilientDecodingTests.Event, array"),
  ])
  func `it is found in a property too`(json: String, report: String) throws {
    #expect(try decode(GenericModel<Event?>.self, json).1?.inWords == [report])
  }

  @Test func `it is found in the document of a recording call`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let digest = digestOfThrowing {
      try decoder.decodeDocument(Event.self, from: Data(#"{"at": "bad"}"#.utf8))
    }
    #expect(
      digest?.inWords == [
        #"at dataCorrupted Foundation.Date, string "bad""#
      ])
  }

  /// Initializers that do more than decode one member after the other.
  @Test(arguments: [
    // The first member's error is recovered from; the second one's is not.
    (
      #"{"first": "bad", "second": "worse"}"#,
      #"p[0].second dataCorrupted Foundation.Date, string "worse""#
    ),
    // The initializer recovers, and then throws its own error.
    (#"{"first": "bad"}"#, "p[0] dataCorrupted ResilientDecodingTests.Choosy, object"),
  ])
  func `a member that was recovered from is not accused`(json: String, report: String) throws {
    #expect(try decode(GenericModel<[Choosy]>.self, #"{"p": [\#(json)]}"#).1?.inWords == [report])
  }

  @Test func `an initializer that does not fail again names no member`() throws {
    let digest = try decode(GenericModel<[Moody]>.self, #"{"p": [{"at": "bad"}]}"#, .first(1)).1
    #expect(digest?.inWords == ["p[0] dataCorrupted ResilientDecodingTests.Moody, object"])
  }

  @Test func `an error that a value recovers from is reported once, and only to its reporter`()
    throws
  {
    let json = #"{"p": [{"tags": ["a", 1], "at": "bad"}]}"#
    #expect(
      try decode(GenericModel<[Tagged]>.self, json).1?.inWords == [
        "p[0].tags[1] typeMismatch String, number 1",
        #"p[0].at dataCorrupted Foundation.Date, string "bad""#,
      ])
  }

  @Test(arguments: members)
  func `a value is built once if the error names the member`(
    member: String, report: String
  ) throws {
    let count = Locked(0)
    let json = #"{"p": [{\#(member)}]}"#
    let digest = try decode(
      GenericModel<[Counted]>.self, json, .counting { count.withLock { $0 += 1 } }
    ).1
    #expect(digest?.inWords == ["p[0]" + report])
    // An error about data may have the path of the enclosing object, and names no type.
    #expect(count.withLock { $0 } == (report.contains("dataCorrupted") ? 2 : 1))
  }

  @Test func `values of a full digest are built once`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 3)
    let bad = (0..<50).flatMap { _ in
      [#"{"at": "bad"}"#, #"{\#(Self.date), "side": "up"}"#, #"{\#(Self.date), "side": "off"}"#]
    }
    let count = Locked(0)
    let decoder = decoder()
    decoder.userInfo[.attempts] = Attempts.counting { count.withLock { $0 += 1 } }
    let json = #"{"p": [\#(bad.joined(separator: ","))]}"#
    _ = try reporter.collectErrors {
      try decoder.decode(GenericModel<[Counted]>.self, from: Data(json.utf8))
    }
    let digest = try #require(reporter.flushReportedErrors())
    let side = "p[].side unknownNovelValue"
    #expect(
      digest.omissions.map { "\($0.failure.codingPath) \($0.failure.kind) \($0.count)" }
        == ["p[].at dataCorrupted 49", "\(side) 49", "\(side) 49"])
    #expect(
      Set(digest.omissions.map(\.failure)) == Set(digest.entries.map(\.failure)))
    #expect(count.withLock { $0 } == 150 + 1)
  }

  @Test func `counted errors have the failed member too`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 1)
    let bad = Array(repeating: #"{"at": "bad"}"#, count: 3).joined(separator: ",")
    _ = try reporter.collectErrors {
      try decoder().decode(GenericModel<[Event]>.self, from: Data(#"{"p": [\#(bad)]}"#.utf8))
    }
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.paths == ["p[0].at"])
    #expect(digest.omissions.map { "\($0.count) \($0.failure.codingPath)" } == ["2 p[].at"])
    #expect(digest.omissions.map(\.failure) == digest.entries.map(\.failure))
  }

  @Test(.needsLargeStack)
  func `each level of a deep value is searched once, without the levels below`() throws {
    let depth = 100
    let json = (0..<depth).reduce(#"{"at": "bad"}"#) { json, _ in
      #"{"children": [\#(json)], "at": "bad"}"#
    }
    let count = Locked(0)
    let digest = try decode(
      GenericModel<[Branch]>.self, #"{"p": [\#(json)]}"#, .counting { count.withLock { $0 += 1 } }
    ).1
    #expect(count.withLock { $0 } == 2 * (depth + 1))
    #expect(
      digest?.paths
        == (0...depth).reversed().map {
          "p[0]" + String(repeating: ".children[0]", count: $0) + ".at"
        })
  }

  private func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  private func decode<T: Decodable>(
    _ type: T.Type,
    _ json: String,
    _ attempts: Attempts? = nil
  ) throws -> (T, ErrorDigest?) {
    let decoder = decoder()
    decoder.userInfo[.attempts] = attempts
    return try decoder.decodeReporting(type, json)
  }
}

extension ErrorDigest {
  /// Path, kind, expected type and found value of each entry.
  fileprivate var inWords: [String] {
    entries.map {
      "\($0.codingPath) \($0.kind) \($0.expectedType ?? "-"), "
        + ($0.foundValue.map(\.inWords) ?? "nothing")
    }
  }
}

private struct Event: Decodable, Equatable {
  let at: Date
  let byte: UInt8?
  let url: URL?
  let side: Side?
  let point: Point?
  let dates: [Date]?
  let bytes: [String: UInt8]?
  let inner: [String: Event]?
  let ids: [UUID]?
}

private struct Counted: Decodable, Equatable {
  let event: Event

  init(from decoder: any Decoder) throws {
    _ = (decoder.userInfo[.attempts] as? Attempts)?.next()
    event = try Event(from: decoder)
  }
}

private struct Choosy: Decodable, Equatable {
  let date: Date

  private enum CodingKeys: CodingKey { case first, second }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let first = try? container.decode(Date.self, forKey: .first) {
      date = first
    } else if container.contains(.second) {
      date = try container.decode(Date.self, forKey: .second)
    } else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "No date"))
    }
  }
}

/// The options of a model's initializers, in the `userInfo`.
private final class Attempts: Sendable {
  let next: @Sendable () -> Bool

  private init(_ next: @escaping @Sendable () -> Bool) { self.next = next }

  /// The number of attempts that fail.
  static func first(_ count: Int) -> Attempts {
    let left = Locked(count)
    return Attempts {
      left.withLock {
        $0 -= 1
        return $0 >= 0
      }
    }
  }

  static func counting(_ count: @escaping @Sendable () -> Void) -> Attempts {
    Attempts {
      count()
      return true
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let attempts = CodingUserInfoKey(rawValue: "attempts")!  // Never nil.
}

/// Cannot be decoded the first time.
private struct Moody: Decodable, Equatable {
  let at: Date?

  private enum CodingKeys: CodingKey { case at }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let fails = (decoder.userInfo[.attempts] as? Attempts)?.next() == true
    at = fails ? try container.decode(Date.self, forKey: .at) : nil
  }
}

private struct Tagged: Decodable, Equatable {
  @Resilient var tags: [String]
  let at: Date
}

private struct Branch: Decodable, Equatable {
  let children: [Branch]
  let at: Date

  private enum CodingKeys: CodingKey { case children, at }

  init(from decoder: any Decoder) throws {
    _ = (decoder.userInfo[.attempts] as? Attempts)?.next()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    children = try container.decode(Resilient<[Branch]>.self, forKey: .children).wrappedValue
    at = try container.decode(Date.self, forKey: .at)
  }
}
