import Foundation
import ResilientDecoding
import Testing

/// The components for the keys that decoders put into a path.
struct CodingKeysTests {
  /// Keys, and how JSON writes them.
  static let keys: [(key: String, json: String)] =
    ["red", "12", "0", "-1", "", "x.y", "Index 3", "super", "snake_case", "größe"].map { ($0, $0) }
    + [(#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("a\u{1}b", #"a\u0001b"#)]

  // A property list in XML has no control characters.
  @Test(arguments: keys.filter { $0.key != "a\u{1}b" }, Format.allCases)
  func `a key of a dictionary is a dictionary key`(
    key: (key: String, json: String), format: Format
  ) throws {
    let (_, digest) = try format.decode(
      Dictionaries.self,
      from: #"{"myResilient": {"\#(key.json)": "x"}, "myPlain": {"\#(key.json)": {"p": "x"}}}"#)
    #expect(
      digest?.reports == [
        "myResilient{\(key.key)}: typeMismatch Int", "myPlain{\(key.key)}.p: typeMismatch Int",
      ])
  }

  @Test(arguments: keys.filter { $0.key != "super" })
  func `a dictionary key is recognized under a key strategy`(
    key: (key: String, json: String)
  ) throws {
    let decoder = JSONDecoder.snakeCase
    let json = #"{"my_resilient": {"\#(key.json)": "x"}, "my_plain": {"\#(key.json)": {"p": "x"}}}"#
    let (_, digest) = try decoder.decodeReporting(Dictionaries.self, json)
    #expect(
      digest?.reports == [
        "my_resilient{\(key.key)}: typeMismatch Int", "my_plain{\(key.key)}.p: typeMismatch Int",
      ])
  }

  @Test(
    arguments: [
      (#"{"1": {"1": {"1": "x"}}}"#, "p[0].1.1.1"),
      (#"{"1": {"1": {"1": 1, "2": ["x"]}}}"#, "p[0].1.1.2[0]"),
      (#"{"1": {"1": {}}}"#, "p[0].1.1.1"),
      (#"{"1": {"1": "x"}}"#, "p[0].1.1"),
    ], Format.allCases)
  func `equal numbers as keys of a model are keys`(
    number: (json: String, path: String), format: Format
  ) throws {
    let (_, digest) = try format.decode(
      GenericModel<[Numbers]>.self, from: #"{"p": [\#(number.json)]}"#)
    #expect(digest?.paths == [number.path])
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
        "array[1]: typeMismatch Int",
        "byName{1}: typeMismatch Int",
        "byNumber{1}.p: typeMismatch Int",
        "byCase{left}.p: typeMismatch Int",
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
        "Index 3: typeMismatch Int",
        "4: typeMismatch Int",
        "a.b: typeMismatch Int",
        "super: typeMismatch Int",
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a class's inherited members are under the key super`(format: Format) throws {
    let (_, digest) = try format.decode(Derived.self, from: #"{"super": {"p": "x"}, "own": "x"}"#)
    #expect(
      digest?.reports == [
        "own: typeMismatch Int",
        "super.p: typeMismatch Int",
      ]
    )
  }
}

private struct Dictionaries: Decodable {
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
