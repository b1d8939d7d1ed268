import Foundation
import ResilientDecoding
import Testing

/// Dictionaries of any values, and with keys of other types: only the innermost bad leaf is lost.
struct RecoverableDictionaryTests {
  @Test func `a dictionary loses only the bad entries, and is nil only if it is absent`() throws {
    func rows<Value>(none: Value, _ make: ([String: Int]) -> Value) -> [Row<Value>] {
      [
        Row(nil, none, .missing), Row("null", none, .null),
        Row("{}", make([:]), .decoded),
        Row(#"{"a": 1, "b_c": 2}"#, make(["a": 1, "b_c": 2]), .decoded),
        Row("[]", make([:]), .mismatched, "p: typeMismatch Dictionary<String, Int>"),
        Row("7", make([:]), .mismatched, "p: typeMismatch Dictionary<String, Int>"),
        Row(
          #"{"d": [], "c": 3, "b": null, "a": "1"}"#, make(["c": 3]), .lacksEntries,
          "p{a}: typeMismatch Int", "p{b}: valueNotFound Int", "p{d}: typeMismatch Int"),
      ]
    }
    try verify(Numbers.self, rows(none: [:]) { $0 })
    try verify(OptionalNumbers.self, rows(none: nil) { $0 })
  }

  @Test func `an error in an entry has its path`() throws {
    try verify(
      Points.self,
      [
        Row(
          #"{"a": {"x": 1}, "b": {"x": 1, "y": 2}}"#, ["b": Point(x: 1, y: 2)], .lacksEntries,
          "p{a}/y: keyNotFound")
      ])
  }

  @Test func `an array in a dictionary loses only the bad leaf`() throws {
    try verify(
      Arrays.self,
      [
        Row(nil, [:], .missing), Row("null", [:], .null),
        Row("7", [:], .mismatched, "p: typeMismatch Dictionary<String, Array<Int>>"),
        Row(
          #"{"a": [1, "x"], "b": null, "c": 5, "d_e": [2]}"#, ["a": [1], "d_e": [2]], .lacksEntries,
          "p{a}[1]: typeMismatch Int", "p{b}: valueNotFound Array<Int>",
          "p{c}: typeMismatch Array<Int>"),
      ])
    try verify(
      GenericModel<[String: [[String: Int]]]?>.self,
      [
        Row(
          #"{"a": [{"b": 1, "c": "x"}, 2], "d": [{"e": 3}]}"#,
          ["a": [["b": 1]], "d": [["e": 3]]], .lacksEntries,
          "p{a}[0]{c}: typeMismatch Int", "p{a}[1]: typeMismatch Dictionary<String, Int>")
      ])
  }

  @Test func `a malformed optional value is reported and becomes nil; null is nil`() throws {
    try verify(
      OptionalValues.self,
      [
        Row(
          #"{"a": 1, "b": null, "c": "x"}"#, ["a": 1, "b": nil, "c": nil], .lacksEntries,
          "p{c}: typeMismatch Int")
      ])
  }

  @Test(arguments: Format.allCases)
  func `a dictionary whose keys an object cannot have is empty`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Letter: Int]>.self, from: #"{"p": {"a": 1}}"#)
    #expect(model.p.isEmpty)
    #expect(digest?.reports == ["p: typeMismatch Dictionary<Letter, Int>"])
  }

  @Test func `the same keys are read from an array of keys and values in turn`() throws {
    let (model, digest) = try Format.json.decode(
      GenericModel<[Letter: Int]>.self, from: #"{"p": ["a", 1]}"#)
    #expect(model.p == [.a: 1])
    #expect(digest == nil)
  }

  @Test func `an entry whose value or number is bad is left out`() throws {
    try verify(
      ByNumber.self,
      [
        Row(nil, [:], .missing), Row("null", [:], .null),
        Row(#"{"1": 10, "-2": 20}"#, [1: 10, -2: 20], .decoded),
        Row("[]", [:], .mismatched, "p: typeMismatch Dictionary<Int, Int>"),
        Row(
          #"{"1": 10, "2": "x", "3": null, "four": 40}"#, [1: 10], .lacksEntries,
          "p{2}: typeMismatch Int", "p{3}: valueNotFound Int", "p{four}: dataCorrupted Int"),
      ])
    try verify(
      GenericModel<[Int: [Int]]?>.self,
      [
        Row(
          #"{"1": [1, "x"], "2": 5, "3": [3]}"#, [1: [1], 3: [3]], .lacksEntries,
          "p{1}[1]: typeMismatch Int", "p{2}: typeMismatch Array<Int>")
      ])
  }

  @Test func `a key with an unknown raw value is reported as a novel value`() throws {
    try verify(
      ByRoom.self,
      [
        Row(
          #"{"hall": 1, "cave": 2, "loft": "x"}"#, [.hall: 1], .lacksEntries, visible: 1,
          "p{cave}: unknownNovelValue Room = cave", "p{loft}: typeMismatch Int")
      ])
    // That of a frozen or a plain type is a visible error.
    try verify(
      GenericModel<[Wing: Int]>.self,
      [
        Row(
          #"{"east": 1, "south": 2}"#, [.east: 1], .lacksEntries,
          "p{south}: unknownNovelValue Wing = south")
      ])
    try verify(
      GenericModel<[Plain: Int]>.self,
      [
        Row(
          #"{"one": 1, "two": 2}"#, [.one: 1], .lacksEntries,
          "p{two}: unknownNovelValue Plain = two")
      ])
  }

  @Test func `of several spellings of a key the canonical one is kept, or the first`() throws {
    try verify(
      ByNumber.self,
      [
        Row(
          #"{"7": 1, "07": 2, "+7": 3, "8": 4}"#, [7: 1, 8: 4], .lacksEntries,
          "p{+7}: dataCorrupted Int", "p{07}: dataCorrupted Int"),
        Row(#"{"+7": 3, "7": 1}"#, [7: 1], .lacksEntries, "p{+7}: dataCorrupted Int"),
        Row(#"{"07": 2, "+7": 3}"#, [7: 3], .lacksEntries, "p{07}: dataCorrupted Int"),
        Row(#"{"7": "x", "07": 2}"#, [7: 2], .lacksEntries, "p{7}: typeMismatch Int"),
        Row(#"{"7": 1, "+7": "x"}"#, [7: 1], .lacksEntries, "p{+7}: typeMismatch Int"),
        Row(
          #"{"-0": 1, "0": 2, "x": 3}"#, [0: 2], .lacksEntries,
          "p{-0}: dataCorrupted Int", "p{x}: dataCorrupted Int"),
      ])
  }

  /// The order of a dictionary's keys differs in each run, and with the number of keys.
  @Test(arguments: 0..<16, Format.allCases)
  func `of equal keys with their own spellings, the first name wins`(
    others: Int, format: Format
  ) throws {
    let more = (0..<others).map { #", "x\#($0)": \#($0)"# }.joined()
    let (model, digest) = try format.decode(
      GenericModel<[Header: Int]>.self, from: #"{"p": {"etag": 3, "ETag": 1, "Etag": 2\#(more)}}"#)
    let entry = try #require(model.p.first { $0.key == Header("etag") })
    #expect(entry.value == 1 && entry.key.name == "ETag")
    #expect(
      digest?.reports.sorted() == [
        "p{Etag}: dataCorrupted Header", "p{etag}: dataCorrupted Header",
      ])
  }

  @Test func `nested parts of a repeated key are decoded once`() throws {
    let (model, digest) = try Format.json.decode(
      GenericModel<[Int: [Int]]>.self, from: #"{"p": {"7": [1, "x"], "07": [2, "y"]}}"#)
    #expect(model.p == [7: [1]])
    #expect(digest?.paths == ["p.07[1]", "p.07", "p.7[1]"])
  }

  @Test(arguments: ["super", "Index 1", "1", "", "a.b", "[0]", "*"], Format.allCases)
  func `a dictionary key can have any name`(name: String, format: Format) throws {
    let json = #"{"p": {"\#(name)": [1, "x"], "z": [2]}}"#
    let (model, digest) = try format.decode(GenericModel<[String: [Int]]>.self, from: json)
    #expect(model.p == [name: [1], "z": [2]])
    #expect(digest?.reports == ["p{\(name)}[1]: typeMismatch Int"])
    #expect(digest?.entries.map(\.foundValue?.inWords) == [#"string "x""#])
  }

  @Test func `a key strategy does not convert keys that are data`() throws {
    let decoder = JSONDecoder.snakeCase
    let json = #"""
      {"by_name": {"a_b": [1, "x"]}, "maybe_by_name": {"a_b": 1, "c_d": "x"},
        "rows": [{"c_d": [1, "y"]}],
        "nested": {"outer_key": {"some_points": {"inner_key": 0, "other_key": 1}}}}
      """#
    let (model, digest) = try decoder.decodeReporting(Cased.self, json)
    #expect(model.byName == ["a_b": [1]] && model.maybeByName == ["a_b": 1])
    #expect(model.rows == [["c_d": [1]]] && model.nested.keys.sorted() == ["outer_key"])
    #expect(
      digest?.reports == [
        "by_name{a_b}[1]: typeMismatch Int", "maybe_by_name{c_d}: typeMismatch Int",
        "rows[0]{c_d}[1]: typeMismatch Int",
        "nested{outer_key}.some_points{inner_key}: typeMismatch Point",
        "nested{outer_key}.some_points{other_key}: typeMismatch Point",
      ])
  }

  @Test func `keys of a custom type are converted as without the wrapper`() throws {
    let decoder = JSONDecoder.snakeCase
    let json = Data(#"{"p": {"great_hall": 1, "hall": 2}}"#.utf8)
    let plain = try decoder.decode([String: [Room: Int]].self, from: json)
    let (model, digest) = try decoder.decode(
      ByRoom.self, from: json, reportResilientDecodingErrors: true)
    #expect(model.p == [.greatHall: 1, .hall: 2])
    #expect(model.p == plain["p"] && digest == nil)
  }
}

private enum Room: String, ResilientRawRepresentable, CodingKeyRepresentable {
  case hall, greatHall, loft
}

private enum Wing: String, ResilientRawRepresentable, CodingKeyRepresentable {
  case east

  static var isFrozen: Bool { true }
}

private enum Plain: String, Decodable, CodingKeyRepresentable { case one }

/// Equal without regard to case. Its key keeps the spelling.
private struct Header: Hashable, Decodable, CodingKeyRepresentable {
  let name: String

  init(_ name: String) { self.name = name }
  init?<T: CodingKey>(codingKey: T) { name = codingKey.stringValue }

  var codingKey: any CodingKey { PlainKey(stringValue: name) }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.name.lowercased() == rhs.name.lowercased() }
  func hash(into hasher: inout Hasher) { hasher.combine(name.lowercased()) }

  private struct PlainKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// Not `CodingKeyRepresentable`.
private enum Letter: String, Decodable { case a }

private struct Numbers: PropertyModel { @Resilient var p: [String: Int] }
private struct OptionalNumbers: PropertyModel { @Resilient var p: [String: Int]? }
private struct Points: PropertyModel { @Resilient var p: [String: Point] }
private struct Arrays: PropertyModel { @Resilient var p: [String: [Int]] }
private struct OptionalValues: PropertyModel { @Resilient var p: [String: Int?] }
private struct ByNumber: PropertyModel { @Resilient var p: [Int: Int] }
private struct ByRoom: PropertyModel { @Resilient var p: [Room: Int] }

private struct Cased: Decodable {
  struct Cloud: Decodable { @Resilient var somePoints: [String: Point] }

  @Resilient var byName: [String: [Int]]
  @Resilient var maybeByName: [String: Int]?
  @Resilient var rows: [[String: [Int]]]
  @Resilient var nested: [String: Cloud]
}
