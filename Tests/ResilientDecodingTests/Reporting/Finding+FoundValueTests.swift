import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// Found values are read with any decoder, under any strategy, and only if they are needed.
struct FindingFoundValueTests {
  private static let json = """
    {"numbers": [1, "x", null, {"a": 1}, 5], "rows": [[1, "y"], "z"],
      "boxes": [{"size": 1}, {"size": "large"}, {}], "byName": {"a": [], "b": 2}}
    """
  private static let found = [
    #"numbers[1]: string "x""#, "numbers[2]: null", "numbers[3]: object",
    #"rows[0][1]: string "y""#, #"rows[1]: string "z""#,
    #"boxes[1].size: string "large""#, "boxes[2].size: nothing", "byName.a: array",
  ]

  @Test(arguments: [false, true], Format.allCases)
  func `the value is found whether or not the decoder skips a bad element`(
    advances: Bool,
    format: Format
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let model = try format.decode(
      Foreignly<Model>.self,
      from: Self.json,
      userInfo: [
        .resilientDecodingErrorReporter: reporter,
        .foreign: ForeignDecoder.Log(advancesOnFailure: advances),
      ]
    )
    #expect(model.value == .expected)
    #expect(reporter.flushReportedErrors()?.found == Self.found)
  }

  @Test(arguments: [false, true])
  func `no super decoder is requested for a clean payload`(advances: Bool) throws {
    let json = #"{"numbers": [1], "rows": [[1]], "boxes": [{"size": 1}], "byName": {"a": 2}}"#
    let reporter = ResilientDecodingErrorReporter()
    let log = ForeignDecoder.Log(advancesOnFailure: advances)
    _ = try Format.json.decode(
      Foreignly<Model>.self, from: json,
      userInfo: [.resilientDecodingErrorReporter: reporter, .foreign: log])
    #expect(reporter.flushReportedErrors() == nil)
    #expect(log.superDecoders == 0)
  }

  @Test(arguments: [false, true])
  func `no super decoder is requested without a reporter`(advances: Bool) throws {
    let log = ForeignDecoder.Log(advancesOnFailure: advances)
    let model = try Format.json.decode(
      Foreignly<Model>.self, from: Self.json, userInfo: [.foreign: log])
    #expect(model.value == .expected)
    #expect(log.superDecoders == 0)
  }

  /// Objects instead of numbers: reading one converts its keys, which the test counts.
  private func looks(reporter: ResilientDecodingErrorReporter?, objects: Int) throws -> Int {
    let count = Counter()
    let decoder = JSONDecoder()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    decoder.keyDecodingStrategy = .custom { path in
      let key = path[path.count - 1]
      if key.stringValue == "seen" { count.increment() }
      return key
    }
    let list = repeatElement(#"{"seen": 1}"#, count: objects).joined(separator: ",")
    let model = try decoder.decode(
      GenericModel<[Int]>.self, from: Data(#"{"p": [\#(list), 7]}"#.utf8))
    #expect(model.p == [7])
    return count.value
  }

  @Test func `without a reporter, no found value is read`() throws {
    #expect(try looks(reporter: nil, objects: 5) == 0)
  }

  @Test func `each bad element is read once`() throws {
    let reporter = ResilientDecodingErrorReporter()
    #expect(try looks(reporter: reporter, objects: 5) == 5)
    #expect(reporter.flushReportedErrors()?.found == (0..<5).map { "p[\($0)]: object" })
  }

  @Test func `with a full reporter, no found value is read`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 2)
    #expect(try looks(reporter: reporter, objects: 50) == 2)
    #expect(reporter.flushReportedErrors()?.errorCount == 50)
  }

  @Test func `a key strategy does not hide the value`() throws {
    let decoder = JSONDecoder.snakeCase
    let json = """
      {"big_boxes": [{"inner_size": {"in_cm": "x"}, "by_name": {}},
        {"inner_size": {"in_cm": 1}, "by_name": {"a_b": "y"}},
        {"inner_size": {"in_cm": 1}, "by_name": {"c_d": null}},
        {"inner_size": {"in_cm": 1}, "by_name": {}, "sizes": {"g_h": {"in_cm": []}}}],
        "box_by_name": {"e_f": {"inner_size": {"in_cm": "z"}, "by_name": {}}}}
      """
    let (_, digest) = try decoder.decodeReporting(Cased.self, json)
    #expect(
      digest?.found == [
        #"big_boxes[0].inner_size.in_cm: string "x""#, #"big_boxes[1].by_name.a_b: string "y""#,
        "big_boxes[2].by_name.c_d: null", "big_boxes[3].sizes.g_h.in_cm: array",
        #"box_by_name.e_f.inner_size.in_cm: string "z""#,
      ]
    )
  }

  @Test func `an error that a custom initializer reports has the found value`() throws {
    let (model, digest) = try Format.json.decode(
      GenericModel<[Lenient]>.self, from: #"{"p": [1, "x", {}]}"#)
    #expect(model.p == [Lenient(value: 1), Lenient(value: 0), Lenient(value: 0)])
    #expect(digest?.found == [#"p[1]: string "x""#, "p[2]: object"])
  }

  @Test func `an error with an unrelated path has the value of the element`() throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<[Astray]>.self, from: #"{"p": [{"a": [1]}, "x"]}"#)
    #expect(digest?.found == ["p[0]: object", #"p[1]: string "x""#])
    #expect(digest?.entries.map(\.kind) == [.typeMismatch, .typeMismatch])
  }

  @Test func `a key missing at an unrelated path has no found value`() throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<[Lost]>.self, from: #"{"p": [{"a": [1]}, "x"]}"#)
    #expect(digest?.found == ["p[0]: nothing", "p[1]: nothing"])
  }

  @Test(arguments: Format.allCases)
  func `inherited values are found, under any name`(format: Format) throws {
    let (_, digest) = try format.decode(
      GenericModel<[Derived]>.self,
      from: #"{"p": [{"super": {"id": "x"}}, {"super": {"id": 1, "Index 1": "y"}}]}"#
    )
    #expect(
      digest?.found == [
        #"p[0].super.id: string "x""#, #"p[1].super["Index 1"]: string "y""#,
      ]
    )
  }
}

private struct Box: Decodable, Equatable {
  let size: Int
}

private struct Model: Decodable, Equatable {
  @Resilient var numbers: [Int]
  @Resilient var rows: [[Int]]
  @Resilient var boxes: [Box]
  @Resilient var byName: [String: Int]

  static var expected: Self {
    Model(numbers: [1, 5], rows: [[1]], boxes: [Box(size: 1)], byName: ["b": 2])
  }
}

private struct Cased: Decodable {
  struct BigBox: Decodable {
    struct Size: Decodable {
      let inCm: Int
    }

    let innerSize: Size
    let byName: [String: Int]
    let sizes: [String: Size]?
  }

  @Resilient var bigBoxes: [BigBox]
  @Resilient var boxByName: [String: BigBox]
}

/// Recovers by itself, and reports it.
private struct Lenient: Decodable, Equatable {
  let value: Int

  init(value: Int) { self.value = value }

  init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int.self)
    } catch {
      decoder.reportError(error)
      value = 0
    }
  }
}

/// Throws the error of a missing key in another payload.
private struct Lost: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    throw DecodingError.keyNotFound(
      AnyKey("a"),
      DecodingError.Context(codingPath: [AnyKey("other")], debugDescription: "elsewhere")
    )
  }
}

private class Base: Decodable, @unchecked Sendable {
  private enum CodingKeys: String, CodingKey {
    case id
    case odd = "Index 1"
  }

  let id: Int
  let odd: Int?
}

// Sendable because it adds no state.
private final class Derived: Base, Equatable, @unchecked Sendable {
  private enum CodingKeys: CodingKey {}

  required init(from decoder: any Decoder) throws {
    try super.init(from: try decoder.container(keyedBy: CodingKeys.self).superDecoder())
  }

  static func == (lhs: Derived, rhs: Derived) -> Bool { lhs.id == rhs.id }
}

/// Throws an error whose path is not from this payload.
private struct Astray: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    throw DecodingError.typeMismatch(
      Int.self,
      DecodingError.Context(
        codingPath: [AnyKey("other"), AnyKey("document"), AnyKey("far"), AnyKey("away")],
        debugDescription: "elsewhere")
    )
  }
}
