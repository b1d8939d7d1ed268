import Foundation
import ResilientPlatform
import Testing

@testable import ResilientDecoding

/// Unknown keys, which a decode reports if it is asked to.
struct ObjectKeysTests {
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
      // A required key that was renamed is seen from both sides.
      (
        #"{"id": 1, "owner": {"age": 3}}"#,
        ["owner.login keyNotFound", "owner.age unknownKey number 3"]
      ),
      (
        #"{"id": 1, "rooms": [{"size": "x", "door": 1}]}"#,
        ["rooms[0].size typeMismatch Int string \"x\"", "rooms[0].door unknownKey number 1"]
      ),
    ] as [(String, [String])], Format.allCases)
  func `keys that no property decodes are reported once a pattern`(
    row: (json: String, lines: [String]), format: Format
  ) throws {
    let (_, digest) = try KeyReport.decode(KeyReport.Listing.self, row.json, .unknown, as: format)
    #expect(KeyReport.lines(digest) == row.lines)
    let errors = row.lines.filter { !$0.contains("unknownKey") }
    #expect(digest?.errors.count ?? 0 == errors.count)
    // Off, only errors are left.
    #expect(
      KeyReport.lines(try KeyReport.decode(KeyReport.Listing.self, row.json, [], as: format).1)
        == errors)
  }

  @Test(arguments: Format.allCases)
  func `an element that fails has unknown keys, too`(format: Format) throws {
    struct Item: Decodable { let id: Int }
    let json = #"[{"id": 1}, {"id": "x", "a": 1}, {"b": 2, "id": 2}, {"a": 3}, {"b": 4, "id": 5}]"#
    let (_, digest) = try KeyReport.decode(Resilient<[Item]>.self, json, .unknown, as: format)
    #expect(digest?.paths == ["[1].id", "[3].id", "[1].a", "[2].b"])
  }

  @Test func `an entry and its error name the key`() throws {
    let (_, digest) = try KeyReport.decode(
      [KeyReport.Listing.Room].self, #"[{"size": 1}, {"size": 1, "door": 2}]"#, .unknown)
    let entry = try #require(digest?.entries.first)
    #expect(entry.codingPath.pattern == "[].door")
    #expect(entry.message == "No property decodes [1].door")
    #expect(entry.message == "No property decodes [1].door")
    #expect(
      digest?.debugDescription
        == "Index 1\n  door\n    - Unknown key \"door\" (this error is not reported by default)")
  }

  @Test func `a strategy's dates, data and names are decoded as before`() throws {
    struct Model: Decodable, Equatable {
      var homePage: URL?
      var createdAt: Date?
      var dates: [String: Date]?
      var userMap: [String: [String: Int]]?
      @Resilient var userNames: [String]
    }
    let decoder = JSONDecoder.snakeCase
    decoder.dateDecodingStrategy = .iso8601
    decoder.userInfo[.reportsUnknownKeys] = true
    let json = """
      {"home_page": "https://a.example", "created_at": "2026-11-20T10:00:00Z", "dates":
        {"first_one": "2026-11-20T10:00:00Z"}, "user_names": ["a"],
        "user_map": {"a_b": {"c_d": 1}}, "new_key": 1}
      """
    let data = Data(json.utf8)
    let (value, digest) = try decoder.decode(
      Model.self, from: data, reportResilientDecodingErrors: true)
    #expect(value == (try decoder.decode(Model.self, from: data)))
    #expect(KeyReport.lines(digest) == ["new_key unknownKey number 1"])
    #expect(digest?.entries.first?.message == "No property decodes new_key")
  }

  @Test func `thousands of unknown keys are a hundred entries and one for the others`() throws {
    let members = (0..<100_000).map { #""key\#($0)": 0"# }
    let json = #"{"rooms": [{"size": 1, \#(members.joined(separator: ", "))}], "id": 1}"#
    let (_, digest) = try KeyReport.decode(KeyReport.Listing.self, json, .unknown)
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
    let (_, digest) = try KeyReport.decode(Node.self, json, [.unknown, .missing])
    #expect(digest?.entries.contains { $0.codingPath.description == "x" } == true)
    #expect(digest?.entries.count ?? 0 <= 40)
  }

  /// Whether AddressSanitizer is on, which needs many times the stack.
  private static var isSanitized: Bool { dlsym(nil, "__asan_init") != nil }

  private struct Branch: Decodable {
    let byName: [String: Branch]?
    let list: [Branch]?
  }

  @Test(arguments: ["byName", "list"])
  func `a deep document takes little more stack than a plain decode`(member: String) throws {
    let (begin, end) = member == "list" ? ("[", "]") : (#"{"k": "#, "}")
    let depth = 100
    let json =
      String(repeating: #"{"x": 1, "\#(member)": \#(begin)"#, count: depth) + "{}"
      + String(repeating: "\(end)}", count: depth)
    let lines = Locked<[String]?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let digest = try? KeyReport.decode(Branch.self, json, .unknown).1
      lines.withLock { $0 = KeyReport.lines(digest) }
      isDone.signal()
    }
    thread.stackSize = (Self.isSanitized ? 16 : 1) << 20
    thread.start()
    #expect(isDone.wait(timeout: .now() + 60) == .success)
    let found = try #require(lines.withLock { $0 })
    #expect(found.first == "x unknownKey number 1")
    #expect(found.count <= 41)
  }
}
