import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Renames of keys: a missing key and an unknown one that come together.
struct RenamesTests {
  /// A digest as a line of NDJSON.
  ///
  /// - Parameters:
  ///   - missing: the exact paths of missing keys, with the expected types.
  ///   - unknown: the exact paths of unknown keys, with the found types.
  private static func line(
    _ id: Int, missing: [(String, String)], unknown: [(String, String)],
    release: String? = nil, model: String = "App.Listing", hour: Int = 10
  ) -> String {
    let failures =
      missing.map { #"{"path":"\#($0.escaped)","kind":"keyNotFound","expectedType":"\#($1)"}"# }
      + unknown.map { #"{"path":"\#($0.escaped)","kind":"unknownKey","foundType":"\#($1)"}"# }
      + [#"{"path":"other","kind":"typeMismatch","expectedType":"Int"}"#]
    let moment = String(
      format: "2026-11-20T%02d:%02d:%02d.000Z", hour, id / 60 % 60, id % 60)
    let release = release.map { #""release":"\#($0)","# } ?? ""
    return #"{"id":"d-\#(id)","recordedAt":"\#(moment)","model":"\#(model)",\#(release)"#
      + #""errors":[\#(failures.joined(separator: ","))]}"# + "\n"
  }

  /// Ten digests an hour before, in which nothing is missing, of each model and release of the
  /// lines.
  private static func earlier(_ lines: [String]) -> [String] {
    let places = Set(
      lines.map { line in
        let release = line.firstMatch(of: /"release":"([^"]*)"/).map { String($0.output.1) }
        let model = line.firstMatch(of: /"model":"([^"]*)"/).map { String($0.output.1) }
        return [model ?? "", release]
      })
    return places.enumerated().flatMap { number, place in
      (0..<10).map {
        line(
          10_000 + number * 60 + $0, missing: [], unknown: [], release: place[1],
          model: place[0] ?? "", hour: 9)
      }
    }
  }

  /// - Parameter earlier: whether there is a time before, in which nothing was missing.
  private func report(
    _ lines: [String], _ filter: DigestFilter = DigestFilter(), limit: Int? = nil,
    earlier: Bool = true
  ) throws -> (renames: [DigestStore.KeyRename], converted: [DigestStore.KeyRename]) {
    let temporary = try TemporaryStore()
    _ = try temporary.store.importText(
      ((earlier ? Self.earlier(lines) : []) + lines).joined())
    return try temporary.store.renamesAndConverted(matching: filter, limit: limit)
  }

  private func renames(
    _ lines: [String], _ filter: DigestFilter = DigestFilter(), limit: Int? = nil,
    earlier: Bool = true
  ) throws -> [DigestStore.KeyRename] {
    try report(lines, filter, limit: limit, earlier: earlier).renames
  }

  private static func paths(_ renames: [DigestStore.KeyRename]) -> [[String]] {
    renames.map { [$0.oldPath, $0.newPath] }
  }

  @Test func `a missing key and an unknown key of the same object are a rename`() throws {
    let lines = (0..<10).map { index in
      Self.line(
        index, missing: [("items[\(index)].name", "String")],
        unknown: [("items[\(index)].title", "string")], release: index < 3 ? "4.1.0" : "4.2.0")
    }
    let renames = try renames(lines)
    #expect(
      renames == [
        DigestStore.KeyRename(
          model: "App.Listing", oldPath: "items[].name", newPath: "items[].title", digests: 10,
          firstSeen: Date(timeIntervalSince1970: 1_795_168_800),
          lastSeen: Date(timeIntervalSince1970: 1_795_168_809), firstRelease: "4.1.0",
          oldDigests: 10, newDigests: 10)
      ])
    #expect(renames.map(\.share) == [1])
  }

  /// Among the listings of every hour is an advertisement, which has other keys.
  @Test(arguments: [1, 4])
  func `keys of another kind of object are no rename`(hours: Int) throws {
    let store = "000000000000000000000000000000ff"
    let lines = (0..<hours).flatMap { hour in
      (0..<6).map { item in
        let second = 1_795_168_800 + hour * 3_660 + item
        return Self.line(
          hour * 60 + item, missing: [("items[\(item)].title", "String")],
          unknown: [("items[\(item)].headline", "string")], release: "4.2.0", hour: 10 + hour
        ).replacing(
          "\"d-\(hour * 60 + item)\"", with: "\"\(store)-\(hour * 60 + item + 1)-\(second)000\"")
      }
    }
    let decodes = (0..<hours).map {
      #"{"id":"\#(store)","hour":"2026-11-20T\#(10 + $0):00:00Z","model":"App.Listing","#
        + #""release":"4.2.0","decodes":200}"# + "\n"
    }
    #expect(try renames(lines + decodes, earlier: false).isEmpty)
  }

  @Test func `the key that comes when the old one goes is preferred to a similar one`() throws {
    // The app has never read the state.
    let lines = (0..<20).map { index in
      Self.line(
        index, missing: index < 8 ? [] : [("issue.title", "String")],
        unknown: [("issue.state", "string")] + (index < 8 ? [] : [("issue.headline", "string")]))
    }
    for earlier in [false, true] {
      #expect(
        Self.paths(try renames(lines, earlier: earlier)) == [["issue.title", "issue.headline"]])
    }
    // Not even without a better one.
    #expect(
      try renames(
        lines.map {
          $0.replacing(
            #"{"path":"issue.headline","kind":"unknownKey","#, with: #"{"path":"x","kind":"other","#
          )
        },
        earlier: false
      ).isEmpty)
  }

  @Test(arguments: [
    // Digests with both keys, then with neither, and before them.
    (before: 0, both: 20, after: 0), (0, 20, 20), (0, 1, 40),
  ])
  func `a key that was never there before is not renamed`(
    before: Int, both: Int, after: Int
  ) throws {
    let unread = (0..<15).map { ("unread\($0)", "string") }
    let lines = (0..<before + both + after).map { index in
      let isBoth = before..<before + both ~= index
      return Self.line(
        index, missing: isBoth ? [("subtitle", "String")] : [], unknown: isBoth ? unread : [])
    }
    #expect(try renames(lines, earlier: false).isEmpty)
    // In another release it proves nothing.
    let other = (0..<10).map {
      Self.line(100 + $0, missing: [], unknown: [], release: "0.9", hour: 8)
    }
    #expect(try renames(other + lines, earlier: false).isEmpty)
  }

  @Test(arguments: [
    ("avatarURL", "avatar_url", true), ("userID", "user_id", true), ("a1B", "a1_b", true),
    ("htmlURLString", "html_url_string", true), ("avatarUrl", "avatar_url", true),
    ("URLName", "url_name", true), ("_ownerID", "_owner_id", true),
    ("title", "headline", false), ("userid", "user_id", false), ("id", "_id", false),
    ("created_at", "createdAt", false), ("avatarURL", "avatar_uri", false),
  ])
  func `a key that is the old one in snake case is explained, and no rename`(
    old: String, new: String, isConverted: Bool
  ) throws {
    let lines = (0..<3).map {
      Self.line(
        $0, missing: [("owner.\(old)", "String"), ("name", "String")],
        unknown: [("owner.\(new)", "string"), ("nickname", "string")])
    }
    let report = try report(lines)
    let pair = ["owner.\(old)", "owner.\(new)"]
    #expect(
      Self.paths(report.renames) == [["name", "nickname"]] + (isConverted ? [] : [pair]))
    #expect(Self.paths(report.converted) == (isConverted ? [pair] : []))
    // Nothing has to be there before.
    #expect(
      Self.paths(try self.report(lines, earlier: false).converted) == (isConverted ? [pair] : []))
  }

  @Test(arguments: [
    // In different objects, or at different places.
    ([("items[0].name", "String")], [("items[1].title", "string")]),
    ([("items[0].name", "String")], [("title", "string")]),
    ([("items[0].name", "String")], [("items[0].a.title", "string")]),
    // Of different types.
    ([("name", "String")], [("title", "number")]),
    ([("tags", "[String]")], [("title", "string")]),
    ([("count", "Int?")], [("total", "array")]),
    // Of one kind only.
    ([("name", "String"), ("title", "String")], []),
    ([], [("name", "string"), ("title", "string")]),
    // An element, and an entry of a dictionary.
    ([("items[0]", "Int")], [("items[0]", "number")]),
  ])
  func `other missing and unknown keys are none`(
    missing: [(String, String)], unknown: [(String, String)]
  ) throws {
    let lines = (0..<3).map { Self.line($0, missing: missing, unknown: unknown) }
    #expect(try renames(lines).isEmpty)
  }

  @Test(arguments: [
    ("tags", "[String]", "labels", "array"), ("price", "Double", "amount", "number"),
    ("isNew", "Bool?", "fresh", "boolean"), ("kind", "App.Kind", "type", "string"),
    ("map", "[String: Int]", "table", "object"), (#"["a.b"]"#, "String", #"["a\"[\"c"]"#, "string"),
    ("price", "Double", "amount", "null"), (#"a["x y"].b"#, "Int", #"a["x y"].c"#, "number"),
  ])
  func `a rename keeps the type of the value`(
    old: String, expected: String, new: String, found: String
  ) throws {
    let lines = (0..<3).map {
      Self.line($0, missing: [(old, expected)], unknown: [(new, found)])
    }
    #expect(Self.paths(try renames(lines)) == [[old, new]])
  }

  @Test(arguments: [
    // Digests with both, with the missing key only, with the unknown key only.
    (9, 1, 0, true), (9, 0, 1, true), (18, 1, 1, true), (5, 5, 0, true), (5, 0, 5, true),
    (4, 5, 0, false), (4, 0, 5, false), (0, 5, 5, false), (1, 0, 0, true),
  ])
  func `half of the digests with either key have both`(
    both: Int, missing: Int, unknown: Int, isRename: Bool
  ) throws {
    let lines = (0..<both + missing + unknown).map { index in
      Self.line(
        index, missing: index < both + missing ? [("name", "String")] : [],
        unknown: index < both || index >= both + missing ? [("title", "string")] : [])
    }
    let renames = try renames(lines)
    #expect(
      renames.map { [$0.digests, $0.oldDigests, $0.newDigests] }
        == (isRename ? [[both, both + missing, both + unknown]] : []))
  }

  @Test func `similar names exclude other pairs, and dissimilar ones are all listed`() throws {
    let lines = (0..<3).map { index in
      Self.line(
        index,
        missing: [("created_at", "String"), ("name", "String"), ("street", "String")],
        unknown: [("createdAt", "string"), ("headline", "string"), ("road", "string")])
    }
    #expect(
      Self.paths(try renames(lines)) == [
        ["created_at", "createdAt"], ["name", "headline"], ["name", "road"],
        ["street", "headline"], ["street", "road"],
      ])
    #expect(Self.paths(try renames(lines, limit: 1)) == [["created_at", "createdAt"]])
    #expect(
      Self.paths(try renames(lines, DigestFilter(codingPath: "roa*"))) == [
        ["name", "road"], ["street", "road"],
      ])
  }

  @Test func `a filter selects models, releases and times`() throws {
    let lines = (0..<4).map { index in
      Self.line(
        index, missing: [("name", "String")], unknown: [("title", "string")],
        release: "\(index / 2)", model: index == 3 ? "App.Other" : "App.Listing")
    }
    #expect(try renames(lines).map(\.digests) == [3, 1])
    #expect(try renames(lines, DigestFilter(model: "App.O*")).map(\.model) == ["App.Other"])
    #expect(try renames(lines, DigestFilter(release: "1")).map(\.digests) == [1, 1])
    let until = Date(timeIntervalSince1970: 1_795_168_801)
    #expect(try renames(lines, DigestFilter(until: until)).map(\.digests) == [1])
    #expect(try renames(lines, DigestFilter(kind: .typeMismatch)).map(\.digests) == [3, 1])
  }

  @Test func `keys that are missing and unknown at random are no renames`() throws {
    var random = SeededGenerator(seed: 5)
    let names = (0..<6).map { "key\($0)" }
    let others = (0..<6).map { "other\($0)" }
    let lines = (0..<Repetitions.count(1_000, long: 3_000)).map { index in
      var (missing, unknown): ([(String, String)], [(String, String)]) = ([], [])
      for item in 0..<3 {
        for name in names where Int.random(in: 0..<10, using: &random) < 6 {
          missing.append(("items[\(item)].\(name)", "String"))
        }
        for name in others where Int.random(in: 0..<10, using: &random) < 6 {
          unknown.append(("items[\(item)].\(name)", "string"))
        }
      }
      return Self.line(index, missing: missing, unknown: unknown)
    }
    #expect(try renames(lines).isEmpty)
  }

  @Test func `a backend that sends thousands of keys gets an answer soon`() throws {
    let lines = (0..<20).map { index in
      Self.line(
        index, missing: (0..<300).map { ("gone\($0)", "String") },
        unknown: (0..<300).map { ("came\($0)", "string") })
    }
    // The 64 most frequent keys of each kind are compared.
    #expect(try renames(lines).count <= 64 + 16)
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
  }
}

/// Renames in payloads that are decoded, made by a seeded generator.
struct GeneratedRenamesTests {
  private struct Feed: Decodable {
    let id: Int
    @Resilient var title: String?
    @Resilient var items: [Item]
    @ResilientDefault<Untitled> var city: String
    @ResilientLossless var total: Int?

    enum Untitled: DefaultValueProvider { static var defaultValue: String { "" } }

    struct Item: Decodable {
      @Resilient var name: String?
      @Resilient var price: Double?
      @Resilient var tags: [String]
      @Resilient var sizes: [String: Int]
      @Resilient var isNew: Bool?
      let code: Int?
    }
  }

  private static let keys = ["title", "city", "total"]
  private static let itemKeys = ["name", "price", "tags", "sizes", "isNew"]

  private static func value(of key: String) -> Any {
    switch key {
    case "title", "city", "name": "text"
    case "total": 3
    case "price": 1.5
    case "tags": ["a"]
    case "sizes": ["s": 1]
    default: true
    }
  }

  /// A payload in which keys are missing and unknown at random, and some have other names.
  ///
  /// - Parameter present: how many in ten keys are there.
  private static func payload(
    renaming names: [String: String], present: Int, using random: inout SeededGenerator
  ) throws -> Data {
    func object(_ keys: [String]) -> [String: Any] {
      var object: [String: Any] = [:]
      for key in keys {
        if let name = names[key] {
          object[name] = value(of: key)
        } else if Int.random(in: 0..<10, using: &random) < present {
          object[key] = value(of: key)
        }
      }
      for extra in ["note", "rank", "flags"] where Int.random(in: 0..<10, using: &random) < 4 {
        object[extra] = extra == "rank" ? 1 : "x"
      }
      return object
    }
    var feed = object(keys)
    feed["id"] = 1
    feed["items"] = (0..<Int.random(in: 1...3, using: &random)).map { _ in object(itemKeys) }
    return try JSONSerialization.data(withJSONObject: feed)
  }

  private func renames(
    _ count: Int, renaming names: [String: String], seed: UInt64
  ) throws -> [(String, String)] {
    let temporary = try TemporaryStore(
      DigestStore.Configuration(
        writing: .inBackground(), reportsMissingKeys: true, reportsUnknownKeys: true))
    var random = SeededGenerator(seed: seed)
    // A key was there before.
    for names in names.isEmpty ? [names] : [[:], names] {
      for _ in 0..<count {
        _ = try JSONDecoder().decode(
          Feed.self,
          from: Self.payload(renaming: names, present: names.isEmpty ? 9 : 7, using: &random),
          recordingTo: temporary.store)
      }
    }
    temporary.store.flush()
    return try temporary.store.renames().map { ($0.oldPath, $0.newPath) }
  }

  @Test(arguments: 1...12)
  func `renamed keys are found, and no others`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed * 1_000)
    var names: [String: String] = [:]
    for key in Self.keys + Self.itemKeys where Int.random(in: 0..<3, using: &random) == 0 {
      names[key] = [
        "\(key)_v2", "new\(key.capitalized)", "q\(Int.random(in: 0..<9_999, using: &random))",
      ].randomElement(using: &random)
    }
    let found = try renames(60, renaming: names, seed: seed)
    for (old, new) in names {
      let place = Self.keys.contains(old) ? "" : "items[]."
      #expect(
        found.contains { $0 == (place + old, place + new) }, "\(old) to \(new) in \(found)")
    }
    for (old, new) in found {
      let key = String(old.split(separator: ".").last ?? "")
      let name = String(new.split(separator: ".").last ?? "")
      #expect(names[key] != nil && names.values.contains(name), "\(old) to \(new), \(names)")
    }
  }

  @Test func `many payloads without a renamed key have none`() throws {
    let count = Repetitions.count(2_000, long: 10_000)
    #expect(try renames(count, renaming: [:], seed: 3).isEmpty)
  }
}
