import Foundation
import ResilientDecoding
import Testing

/// The components for the keys that decoders put into a path.
struct CodingKeysTests {
  /// A key in JSON, and its text in a path below another key.
  static let keys: [(json: String, path: String)] = [
    ("red", ".red"),
    ("12", ".12"),
    ("0", ".0"),
    ("-1", #"["-1"]"#),
    ("", #"[""]"#),
    ("x.y", #"["x.y"]"#),
    ("Index 3", #"["Index 3"]"#),
    ("super", ".super"),
    (#"a\"b"#, #"["a\"b"]"#),
    (#"a\\b"#, #"["a\\b"]"#),
    (#"a\nb"#, #"["a\nb"]"#),
    (#"a\u0001b"#, #"["a\u0001b"]"#),
    ("snake_case", ".snake_case"),
    ("größe", ".größe"),
  ]

  @Test(arguments: keys)
  func `a resilient dictionary's key is a dictionary key`(json: String, path: String) throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<[String: Int]>.self,
      from: #"{"p": {"\#(json)": "x"}}"#
    )
    #expect(
      digest?.reports == [Report("p\(path)", pattern: "p.*", .typeMismatch, expecting: "Int")]
    )
  }

  static let numbers: [(json: String, paths: [String])] = [
    (#"{"1": {"1": {"1": "x"}}}"#, ["p[0].1.1.1"]),
    (#"{"1": {"1": {"1": 1, "2": ["x"]}}}"#, ["p[0].1.1.2[0]"]),
    (#"{"1": {"1": {}}}"#, ["p[0].1.1.1"]),
    (#"{"1": {"1": "x"}}"#, ["p[0].1.1"]),
  ]

  @Test(arguments: numbers, Format.allCases)
  func `equal numbers as keys of a model are keys`(
    number: (json: String, paths: [String]), format: Format
  ) throws {
    let (_, digest) = try format.decode(
      GenericModel<[Numbers]>.self, from: #"{"p": [\#(number.json)]}"#)
    #expect(digest?.paths == number.paths)
  }

  @Test(arguments: keys)
  func `a plain dictionary's key is a dictionary key`(json: String, path: String) throws {
    let (_, digest) = try Format.json.decode(
      PlainDictionary.self,
      from: #"{"plain": {"\#(json)": {"p": "x"}}}"#
    )
    #expect(
      digest?.reports == [
        Report("plain\(path).p", pattern: "plain.*.p", .typeMismatch, expecting: "Int")
      ]
    )
  }

  @Test(arguments: keys.filter { $0.json != "super" })
  func `a dictionary key is recognized under a key strategy`(
    json: String,
    path: String
  ) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let (_, digest) = try decoder.decode(
      SnakeCase.self,
      from: Data(
        #"{"my_resilient": {"\#(json)": "x"}, "my_plain": {"\#(json)": {"p": "x"}}}"#.utf8
      ),
      reportResilientDecodingErrors: true
    )
    #expect(
      digest?.reports == [
        Report("my_resilient\(path)", pattern: "my_resilient.*", .typeMismatch, expecting: "Int"),
        Report("my_plain\(path).p", pattern: "my_plain.*.p", .typeMismatch, expecting: "Int"),
      ]
    )
  }

  @Test(arguments: keys.filter { !$0.json.contains("u0001") }, Format.allCases)
  func `a dictionary key is recognized in every format`(
    key: (json: String, path: String),
    format: Format
  ) throws {
    let (_, digest) = try format.decode(
      PlainDictionary.self,
      from: #"{"plain": {"\#(key.json)": {"p": "x"}}}"#
    )
    #expect(
      digest?.reports == [
        Report("plain\(key.path).p", pattern: "plain.*.p", .typeMismatch, expecting: "Int")
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `digits are a key in a dictionary and an index in an array`(format: Format) throws {
    let (_, digest) = try format.decode(
      Digits.self,
      from: #"""
        {
          "array": [0, "x"], "byName": {"1": "x"}, "byNumber": {"1": {"p": "x"}},
          "byCase": {"left": {"p": "x"}}
        }
        """#
    )
    #expect(
      digest?.reports == [
        Report("array[1]", pattern: "array[]", .typeMismatch, expecting: "Int"),
        Report("byName.1", pattern: "byName.*", .typeMismatch, expecting: "Int"),
        Report("byNumber.1.p", pattern: "byNumber.*.p", .typeMismatch, expecting: "Int"),
        Report("byCase.left.p", pattern: "byCase.*.p", .typeMismatch, expecting: "Int"),
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a property's key is never a dictionary key, whatever it looks like`(
    format: Format
  ) throws {
    let (_, digest) = try format.decode(
      OddlyNamed.self,
      from: #"{"Index 3": "x", "4": "x", "a.b": "x", "super": "x"}"#
    )
    #expect(
      digest?.reports == [
        Report(#"["Index 3"]"#, .typeMismatch, expecting: "Int"),
        Report("4", .typeMismatch, expecting: "Int"),
        Report(#"["a.b"]"#, .typeMismatch, expecting: "Int"),
        Report("super", .typeMismatch, expecting: "Int"),
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a class's inherited members are under the key super`(format: Format) throws {
    let (_, digest) = try format.decode(Derived.self, from: #"{"super": {"p": "x"}, "own": "x"}"#)
    #expect(
      digest?.reports == [
        Report("own", .typeMismatch, expecting: "Int"),
        Report("super.p", .typeMismatch, expecting: "Int"),
      ]
    )
  }
}

private struct PlainDictionary: Decodable {
  let plain: [String: GenericModel<Int?>]
}

private struct SnakeCase: Decodable {
  @Resilient var myResilient: [String: Int]
  let myPlain: [String: GenericModel<Int?>]
}

private struct Digits: Decodable {
  enum Side: String, CodingKeyRepresentable, Decodable {
    case left
  }

  @Resilient var array: [Int]
  @Resilient var byName: [String: Int]
  let byNumber: [Int: GenericModel<Int?>]
  let byCase: [Side: GenericModel<Int?>]
}

private struct OddlyNamed: Decodable {
  @Resilient var likeAnIndex: Int?
  @Resilient var digits: Int?
  @Resilient var dotted: Int?
  @Resilient var inherited: Int?

  private enum CodingKeys: String, CodingKey {
    case likeAnIndex = "Index 3"
    case digits = "4"
    case dotted = "a.b"
    case inherited = "super"
  }
}

private class Base: Decodable {
  @Resilient var p: Int?
}

private final class Derived: Base {
  @Resilient var own: Int?

  private enum CodingKeys: CodingKey {
    case own
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _own = try container.decode(Resilient<Int?>.self, forKey: .own)
    try super.init(from: container.superDecoder())
  }
}

/// Has objects with the same number as a key in each other.
private struct Numbers: Decodable, Equatable {
  let list: Resilient<[Int]>
  let number: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: NumberKey.self)
      .nestedContainer(keyedBy: NumberKey.self, forKey: NumberKey(intValue: 1))
      .nestedContainer(keyedBy: NumberKey.self, forKey: NumberKey(intValue: 1))
    list = try container.decode(Resilient<[Int]>.self, forKey: NumberKey(intValue: 2))
    number = try container.decode(Int.self, forKey: NumberKey(intValue: 1))
  }
}

private struct NumberKey: CodingKey {
  let number: Int

  init(intValue: Int) { number = intValue }

  init?(stringValue: String) {
    guard let number = Int(stringValue) else { return nil }
    self.number = number
  }

  var intValue: Int? { number }
  var stringValue: String { String(number) }
}
