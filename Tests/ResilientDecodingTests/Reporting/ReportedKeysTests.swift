import Foundation
import Testing

@testable import ResilientDecoding

/// Missing and unknown keys, which a decode reports if it is asked to.
struct ReportedKeysTests {
  /// Decodes a document with a reporter in charge.
  private static func decode<T: Decodable>(
    _ type: T.Type, _ json: String, _ keys: ReportedKeys, as format: Format = .json
  ) throws -> (T, ErrorDigest?) {
    let reporter = ResilientDecodingErrorReporter()
    reporter.reportedKeys = keys
    let value = try reporter.collectErrors {
      try format.decode(WholeDocument<T>.self, from: json, userInfo: [:]).value
    }
    return (value, reporter.flushReportedErrors())
  }

  private static func lines(_ digest: ErrorDigest?) -> [String] {
    digest?.entries.map { entry in
      let found = entry.foundValue.map { " \($0.inWords)" } ?? ""
      let expected = entry.expectedType.map { " \($0)" } ?? ""
      return "\(entry.codingPath) \(entry.kind.rawValue)\(expected)\(found)"
    } ?? []
  }

  // MARK: - Missing keys

  private struct Wrappers: Decodable {
    @Resilient var optional: Int?
    @Resilient var array: [String]
    @Resilient var optionalArray: [Int]?
    @Resilient var dictionary: [String: Int]
    @Resilient var optionalDictionary: [String: [Int]]?
    @Resilient var kind: Kind?
    @Resilient var set: Set<Int>
    @ResilientDefault<Untitled> var name: String
    @ResilientElements<Untitled> var tags: [String]
    @ResilientLossless var price: Double?
    @ResilientLossless var prices: [Double]
    let plain: Int?
  }

  @Test(arguments: Format.allCases)
  func `each wrapper's missing key is reported, and null is not`(format: Format) throws {
    let (value, digest) = try Self.decode(Wrappers.self, "{}", .missing, as: format)
    #expect(
      Self.lines(digest) == [
        "optional keyNotFound Int", "array keyNotFound Array<String>",
        "optionalArray keyNotFound Array<Int>", "dictionary keyNotFound Dictionary<String, Int>",
        "optionalDictionary keyNotFound Dictionary<String, Array<Int>>",
        "kind keyNotFound ResilientDecodingTests.Kind", "set keyNotFound Set<Int>",
        "name keyNotFound String", "tags keyNotFound Array<String>",
        "price keyNotFound Double", "prices keyNotFound Array<Double>",
      ])
    #expect(digest?.errors.isEmpty == true)
    #expect(digest?.errors(includeUnknownNovelValueErrors: true).count == 11)
    #expect(value.optional == nil && value.array.isEmpty && value.name == "untitled")
    #if DEBUG
      guard case .keyNotFound = value.$optional.outcome else {
        Issue.record("\(value.$optional.outcome)")
        return
      }
    #endif

    let null = """
      {"optional": null, "array": null, "optionalArray": null, "dictionary": null,
        "optionalDictionary": null, "kind": null, "set": null, "name": null, "tags": null,
        "price": null, "prices": null}
      """
    #expect(try Self.decode(Wrappers.self, null, .missing, as: format).1 == nil)
    #expect(try Self.decode(Wrappers.self, "{}", [], as: format).1 == nil)
    #expect(try Self.decode(Wrappers.self, "{}", .unknown, as: format).1 == nil)
  }

  private struct Nested: Decodable {
    @Resilient var items: [Item]
    @Resilient var named: [String: Item]

    struct Item: Decodable {
      @Resilient var name: String?
      @Resilient var mood: Mood
      let id: Int
    }
  }

  @Test(arguments: Format.allCases)
  func `missing keys have exact paths, and a required one stays an error`(format: Format) throws {
    let json =
      #"{"items": [{"id": 1, "mood": "calm"}, {"id": 2, "name": "a"}], "named": {"k": {"id": 3, "mood": "calm"}}}"#
    let (_, digest) = try Self.decode(Nested.self, json, .missing, as: format)
    #expect(
      Self.lines(digest) == [
        "items[0].name keyNotFound String",
        "items[1].mood keyNotFound ResilientDecodingTests.Mood", "named.k.name keyNotFound String",
      ])
    #expect(digest?.errors.count == 1)
    #expect(
      digest?.debugDescription.contains("Found no key \"name\" (this error is not reported") == true
    )
  }

  @Test func `a decoder's userInfo asks for missing keys, with a reporter of either kind`() throws {
    struct Model: Decodable { @Resilient var name: String? }
    let decoder = JSONDecoder()
    let data = Data("{}".utf8)
    #expect(
      try decoder.decode(Model.self, from: data, reportResilientDecodingErrors: true).1 == nil)
    decoder.userInfo[.reportsMissingKeys] = true
    let (_, digest) = try decoder.decode(
      Model.self, from: data, reportResilientDecodingErrors: true)
    #expect(Self.lines(digest) == ["name keyNotFound String"])
    let reporter = decoder.enableResilientDecodingErrorReporting()
    _ = try decoder.decode([Model].self, from: Data("[{}, {}]".utf8))
    #expect(
      Self.lines(reporter.flushReportedErrors()) == [
        "[0].name keyNotFound String", "[1].name keyNotFound String",
      ])
    decoder.userInfo[.reportsMissingKeys] = false
    _ = try decoder.decode(Model.self, from: data)
    #expect(reporter.flushReportedErrors() == nil)
    // Nobody listens.
    decoder.userInfo = [.reportsMissingKeys: true]
    _ = try decoder.decode(Model.self, from: data)
  }

  @Test func `an attempt that throws takes its missing keys back`() throws {
    struct Form: Decodable {
      @Resilient var a: Int?
      let b: Int
    }
    struct Other: Decodable { @Resilient var c: Int? }
    struct Union: Decodable {
      init(from decoder: any Decoder) throws {
        do {
          _ = try decoder.withReportingCheckpoint { try Form(from: decoder) }
        } catch {
          _ = try decoder.withReportingCheckpoint { try Other(from: decoder) }
        }
      }
    }
    let (_, digest) = try Self.decode(Union.self, "{}", .missing)
    #expect(Self.lines(digest) == ["c keyNotFound Int"])
  }

  @Test func `a full digest counts missing keys`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 2)
    reporter.reportedKeys = .missing
    _ = try reporter.collectErrors {
      try JSONDecoder().decode(
        [Nested.Item].self,
        from: Data(
          #"[\#(Array(repeating: #"{"id": 1, "mood": "calm"}"#, count: 5).joined(separator: ", "))]"#
            .utf8))
    }
    let digest = reporter.flushReportedErrors()
    #expect(digest?.entries.count == 2)
    #expect(digest?.omissions.map(\.count) == [3])
    #expect(digest?.omissions.first?.failure.codingPath.description == "[].name")
  }

  // MARK: - Unknown keys

  private struct Listing: Decodable {
    let id: Int
    @Resilient var name: String?
    @Resilient var tags: [String]
    @Resilient var owner: Owner?
    @Resilient var rooms: [Room]
    @Resilient var prices: [String: Int]
    let date: Date?
    let urls: [URL]?
    let plain: [String: Room]?

    struct Owner: Decodable {
      let login: String
    }

    struct Room: Decodable {
      @Resilient var size: Int?
    }
  }

  @Test(
    arguments: [
      (#"{"id": 1}"#, []),
      (#"{"id": 1, "title": "Loft"}"#, ["title unknownKey string \"Loft\""]),
      (
        #"{"id": 1, "z": 1, "a": true, "b": [1], "c": {"d": 1}}"#,
        [
          "a unknownKey boolean true", "b unknownKey array", "c unknownKey object",
          "z unknownKey number 1",
        ]
      ),
      (
        #"{"id": 1, "rooms": [{"size": 1}, {"size": 2, "door": 1}, {"door": 2, "bed": "x"}]}"#,
        ["rooms[1].door unknownKey number 1", "rooms[2].bed unknownKey string \"x\""]
      ),
      (#"{"id": 1, "owner": {"login": "a", "age": 3}}"#, ["owner.age unknownKey number 3"]),
      (#"{"id": 1, "prices": {"anything": 3, "else": 4}}"#, []),
      (#"{"id": 1, "plain": {"x": {"size": 1, "y": 2}}}"#, ["plain.x.y unknownKey number 2"]),
      (#"{"id": 1, "a.b": "x y"}"#, [#"["a.b"] unknownKey string "x y""#]),
      // What could not be decoded was not searched.
      (
        #"{"id": 1, "owner": {"age": 3}}"#, ["owner.login keyNotFound"]
      ),
      (
        #"{"id": 1, "rooms": [{"size": "x", "door": 1}]}"#,
        ["rooms[0].size typeMismatch Int string \"x\"", "rooms[0].door unknownKey number 1"]
      ),
    ] as [(String, [String])], Format.allCases)
  func `keys that no property decodes are reported once a pattern`(
    row: (json: String, lines: [String]), format: Format
  ) throws {
    let (_, digest) = try Self.decode(Listing.self, row.json, .unknown, as: format)
    #expect(Self.lines(digest) == row.lines)
    let errors = row.lines.filter { !$0.contains("unknownKey") }
    #expect(digest?.errors.count ?? 0 == errors.count)
    // Off, only errors are left.
    #expect(Self.lines(try Self.decode(Listing.self, row.json, [], as: format).1) == errors)
  }

  @Test func `an entry and its error name the key`() throws {
    let (_, digest) = try Self.decode(
      [Listing.Room].self, #"[{"size": 1}, {"size": 1, "door": 2}]"#, .unknown)
    let entry = try #require(digest?.entries.first)
    #expect(entry.codingPath.pattern == "[].door")
    #expect(entry.message == "No property decodes [1].door")
    #expect((entry.error as? UnknownKeyError)?.path.description == "[1].door")
    #expect(
      digest?.debugDescription
        == "Index 1\n  door\n    - Unknown key \"door\" (this error is not reported by default)")
  }

  /// Types that decode an object in other ways than a synthesized initializer.
  private enum Custom {
    struct ByNestedContainers: Decodable {
      enum Keys: CodingKey { case a, list }
      enum Inner: CodingKey { case x }

      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self)
        _ = try outer.nestedContainer(keyedBy: Inner.self, forKey: .a).decode(Int.self, forKey: .x)
        var list = try outer.nestedUnkeyedContainer(forKey: .list)
        while !list.isAtEnd {
          _ = try list.nestedContainer(keyedBy: Inner.self).decode(Int.self, forKey: .x)
        }
      }
    }

    struct BySuperDecoder: Decodable {
      enum Keys: CodingKey { case a }

      init(from decoder: any Decoder) throws {
        _ = try Listing.Room(from: decoder.container(keyedBy: Keys.self).superDecoder(forKey: .a))
      }
    }

    struct ByListing: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DictionaryKey.self)
        for key in container.allKeys where key.stringValue.hasPrefix("x") {
          _ = try container.decode(Int.self, forKey: key)
        }
      }
    }

    struct Union: Decodable {
      struct First: Decodable { let a: Int }
      struct Second: Decodable { let b: Int }

      init(from decoder: any Decoder) throws {
        do { _ = try First(from: decoder) } catch {
          _ = try decoder.singleValueContainer().decode(Second.self)
        }
      }
    }

    struct Nothing: Decodable {}

    struct ByKeyPath: Decodable {
      let login: String
      init(from decoder: any Decoder) throws {
        let login: String = try decoder => "owner" => "login"
        self.login = login
      }
    }
  }

  @Test(arguments: Format.allCases)
  func `types with decoding of their own have unknown keys too`(format: Format) throws {
    func lines<T: Decodable>(_ type: T.Type, _ json: String) throws -> [String] {
      Self.lines(try Self.decode(type, json, .unknown, as: format).1)
    }
    #expect(
      try lines(
        Custom.ByNestedContainers.self,
        #"{"a": {"x": 1, "y": 2}, "list": [{"x": 1}, {"x": 1, "z": 1}], "b": 1}"#) == [
          "a.y unknownKey number 2", "list[1].z unknownKey number 1", "b unknownKey number 1",
        ])
    #expect(
      try lines(Custom.BySuperDecoder.self, #"{"a": {"size": 1, "y": 2}}"#)
        == ["a.y unknownKey number 2"])
    #expect(try lines(Custom.ByListing.self, #"{"x1": 1, "y": 2}"#) == [])
    #expect(
      try lines(Custom.Union.self, #"{"b": 1, "a": "x", "c": 3}"#) == ["c unknownKey number 3"])
    #expect(try lines(Custom.Nothing.self, #"{"a": 1}"#) == [])
    #expect(
      try lines(Custom.ByKeyPath.self, #"{"owner": {"login": "a", "age": 1}, "b": 2}"#) == [
        "owner.age unknownKey number 1", "b unknownKey number 2",
      ])
    #expect(
      try lines([String: Listing.Room].self, #"{"k": {"size": 1, "y": 2}}"#) == [
        "k.y unknownKey number 2"
      ])
    #expect(
      try lines(Resilient<[Listing.Room]>.self, #"[{"size": 1, "y": 2}]"#) == [
        "[0].y unknownKey number 2"
      ])
  }

  @Test func `a strategy's dates, data and names are decoded as before`() throws {
    struct Model: Decodable, Equatable {
      var homePage: URL?
      var createdAt: Date?
      var dates: [String: Date]?
      @Resilient var userNames: [String]
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    decoder.userInfo[.reportsUnknownKeys] = true
    let json = """
      {"home_page": "https://a.example", "created_at": "2026-11-20T10:00:00Z", "dates":
        {"first_one": "2026-11-20T10:00:00Z"}, "user_names": ["a"], "new_key": 1}
      """
    let data = Data(json.utf8)
    let (value, digest) = try decoder.decode(
      Model.self, from: data, reportResilientDecodingErrors: true)
    #expect(value == (try decoder.decode(Model.self, from: data)))
    #expect(Self.lines(digest) == ["new_key unknownKey number 1"])
  }

  @Test func `thousands of unknown keys are a hundred entries and one for the others`() throws {
    let members = (0..<100_000).map { #""key\#($0)": 0"# }
    let json = #"{"rooms": [{"size": 1, \#(members.joined(separator: ", "))}], "id": 1}"#
    let (_, digest) = try Self.decode(Listing.self, json, .unknown)
    #expect(digest?.entries.count == 101)
    #expect(digest?.entries.last?.codingPath.description == "rooms[0].*")
    #expect(digest?.omissions.isEmpty == true)
  }

  @Test func `a document nested deeply is decoded, and searched near its root`() throws {
    struct Node: Decodable {
      @Resilient var child: [Node]
    }
    let depth = 100
    let json =
      String(repeating: #"{"x": 1, "child": ["#, count: depth)
      + String(repeating: "]}", count: depth)
    let (_, digest) = try Self.decode(Node.self, json, [.unknown, .missing])
    #expect(digest?.entries.contains { $0.codingPath.description == "x" } == true)
    #expect(digest?.entries.count ?? 0 <= 40)
  }

  @Test func `both kinds of keys come from one decode, on several threads`() throws {
    let json = #"{"id": 1, "title": "Loft", "tags": [], "rooms": [], "prices": {}, "owner": null}"#
    let decoder = JSONDecoder()
    decoder.userInfo[.reportsMissingKeys] = true
    decoder.userInfo[.reportsUnknownKeys] = true
    let results = Locked<[[String]]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        let digest = try? decoder.decode(
          Listing.self, from: Data(json.utf8), reportResilientDecodingErrors: true
        ).1
        let lines = Self.lines(digest)
        results.withLock { $0.append(lines) }
      }
    }
    let expected = ["name keyNotFound String", "title unknownKey string \"Loft\""]
    #expect(results.withLock { $0 } == Array(repeating: expected, count: 160))
  }
}
