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

  private func renames(
    _ lines: [String], _ filter: DigestFilter = DigestFilter(), limit: Int? = nil
  ) throws -> [DigestStore.KeyRename] {
    let temporary = try TemporaryStore()
    _ = try temporary.store.importText(lines.joined())
    return try temporary.store.renames(matching: filter, limit: limit)
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
          share: nil, wasThere: nil, firstSeen: Date(timeIntervalSince1970: 1_795_168_800),
          lastSeen: Date(timeIntervalSince1970: 1_795_168_809), firstRelease: "4.1.0")
      ])
  }

  @Test(arguments: [
    // In different objects, or at different places.
    ([("items[0].name", "String")], [("items[1].title", "string")]),
    ([("items[0].name", "String")], [("title", "string")]),
    ([("items[0].name", "String")], [("items[0].a.title", "string")]),
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
  func `the keys of a rename may have any name and type`(
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
    #expect(try renames(lines).map(\.digests) == (isRename ? [both] : []))
  }

  @Test func `pairs of one object are all listed, those that are rarely apart first`() throws {
    let lines = (0..<4).map { index in
      Self.line(
        index, missing: [("name", "String")] + (index < 3 ? [("street", "String")] : []),
        unknown: [("headline", "string")] + (index < 3 ? [("road", "string")] : []))
    }
    let pairs = [
      ["name", "headline"], ["street", "road"], ["name", "road"], ["street", "headline"],
    ]
    #expect(Self.paths(try renames(lines)) == pairs)
    #expect(Self.paths(try renames(lines, limit: 1)) == [pairs[0]])
    #expect(
      Self.paths(try renames(lines, DigestFilter(codingPath: "roa*"))) == [pairs[1], pairs[2]])
  }

  /// An error that a full digest only counted has no exact path.
  @Test func `a key that is only counted is in no pair, but in a digest`() throws {
    let lines = (0..<3).map { index in
      Self.line(
        index, missing: [("items[0].name", "String")], unknown: [("items[0].title", "string")])
    }
    let counted = ["d-8", "d-9"].map {
      lines[0].replacing("d-0", with: $0).replacing(
        #""path":"items[0].title","#, with: #""path":"items[].title","count":2,"#)
    }
    #expect(try renames(lines + counted.prefix(1)).map(\.digests) == [3])
    // Three of five digests with each key have both.
    #expect(try renames(lines + counted).isEmpty)
  }

  private static func decodes(
    _ count: Int, hour: Int, release: String? = nil, model: String = "App.Listing"
  ) -> String {
    let release = release.map { #""release":"\#($0)","# } ?? ""
    return #"{"id":"\#(String(repeating: "d", count: 32))","hour":"2026-11-20T\#(hour):00:00Z","#
      + #""model":"\#(model)",\#(release)"decodes":\#(count)}"# + "\n"
  }

  private static let histories:
    [(lines: [String], filter: DigestFilter, share: Double?, wasThere: Bool?)] = [
      // Without counted decodes, and with decodes of the same hour alone.
      ([], DigestFilter(), nil, nil),
      ([decodes(30, hour: 12)], DigestFilter(), 0.25, nil),
      // The release begins with the rename.
      ([decodes(90, hour: 11, release: "4.1.0")], DigestFilter(), 0.1, true),
      ([decodes(90, hour: 11, release: "4.1.0")], DigestFilter(release: "4.2.0"), 1, true),
      ([decodes(90, hour: 11, release: "4.2.0")], DigestFilter(release: "4.2.0"), 0.1, true),
      // The key was missing before, in all decodes or in some.
      ([decodes(9, hour: 10, model: "App.Other")] + missing, DigestFilter(), 10 / 15, false),
      ([decodes(5, hour: 11)] + missing, DigestFilter(), 0.5, true),
      (missing, DigestFilter(), nil, nil),
      // Decodes were counted only after the rename.
      ([decodes(30, hour: 13)], DigestFilter(), nil, nil),
      // Decodes before the window count, and those beside it in its hour.
      ([decodes(90, hour: 11)], DigestFilter(since: second(0)), 1, true),
      ([decodes(90, hour: 11)], DigestFilter(since: second(5)), 1, true),
    ]

  private static let missing = (20..<25).map {
    line($0, missing: [("name", "String")], unknown: [], hour: 11)
  }

  private static func second(_ second: Double) -> Date {
    Date(timeIntervalSince1970: 1_795_168_800 + 2 * 3_600 + second)
  }

  @Test(arguments: histories.indices)
  func `decodes say how often both keys come, and whether the old one was there`(
    index: Int
  ) throws {
    let (lines, filter, share, wasThere) = Self.histories[index]
    let both = (0..<10).map {
      Self.line(
        $0, missing: [("name", "String")], unknown: [("title", "string")], release: "4.2.0",
        hour: 12)
    }
    let renames = try renames(lines + both, filter)
    #expect(renames.map(\.share) == [share])
    #expect(renames.map(\.wasThere) == [wasThere])
    #expect(renames.map(\.digests) == [filter.since == Self.second(5) ? 5 : 10])
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

  @Test func `a backend that sends thousands of keys gets an answer soon`() throws {
    let lines = (0..<20).map { index in
      Self.line(
        index, missing: (0..<300).map { ("gone\($0)", "String") },
        unknown: (0..<300).map { ("came\($0)", "string") })
    }
    // The 64 most frequent keys of each kind are compared.
    #expect(try renames(lines).count == 64 * 64)
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
  func `renamed keys are found`(seed: UInt64) throws {
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
  }

  @Test func `many payloads without a renamed key have none`() throws {
    let count = Repetitions.count(2_000, long: 10_000)
    #expect(try renames(count, renaming: [:], seed: 3).isEmpty)
  }
}
