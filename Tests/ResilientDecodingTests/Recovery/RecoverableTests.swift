import ResilientDecoding
import Testing

/// Optionals of scalars, objects, optionals and collections.
struct RecoverableTests {
  @Test func `an optional is nil if it cannot be decoded`() throws {
    try verify(
      OptionalInt.self,
      [
        Row(nil, nil, .missing), Row("null", nil, .null), Row("3", 3, .decoded),
        Row(#""three""#, nil, .mismatched, "p: typeMismatch Int"),
        Row("[3]", nil, .mismatched, "p: typeMismatch Int"),
      ])
  }

  @Test func `an error in an object has its path`() throws {
    try verify(
      OptionalPoint.self,
      [
        Row(nil, nil, .missing), Row("null", nil, .null),
        Row(#"{"x": 1, "y": 2}"#, .some(Point(x: 1, y: 2)), .decoded),
        Row(#"{"x": 1}"#, nil, .lacksKey, "p/y: keyNotFound"),
        Row(#"{"x": 1, "y": null}"#, nil, .lacksValue, "p/y: valueNotFound Int"),
        Row(#"{"x": "1", "y": 2}"#, nil, .mismatched, "p/x: typeMismatch Int"),
      ])
  }

  @Test(arguments: Format.allCases)
  func `an error without an expected type gets the wrapped type`(format: Format) throws {
    let json = #"{"p": 1}"#
    #expect(try format.decode(OptionalClumsy.self, from: json).1?.reports == ["p: other Clumsy"])
    #expect(
      try format.decode(GenericModel<Clumsy?>.self, from: json).1?.reports == ["p: other Clumsy"])
    let elements = try format.decode([String: Resilient<Clumsy?>].self, from: json).1
    #expect(elements?.reports == ["{p}: other Clumsy"])
  }

  @Test func `an optional of an optional is nil if absent and if malformed`() throws {
    try verify(
      Doubled.self,
      [
        Row(nil, nil, .missing), Row("null", nil, .null), Row("5", 5, .decoded),
        Row(#""x""#, nil, .mismatched, "p: typeMismatch Int"),
      ])
    try verify(
      GenericModel<[Int]??>.self,
      [
        Row(nil, nil, .missing), Row("null", nil, .null),
        Row(#"[1, "x"]"#, [1], .lacksElements, "p[1]: typeMismatch Int"),
        Row("{}", [], .mismatched, "p: typeMismatch Array<Int>"),
      ])
  }

  /// Documents with the novel mood `wild` as an element.
  @Test(arguments: Format.allCases)
  func `a fallback is never used within a collection`(format: Format) throws {
    let (model, digest) = try format.decode(
      Moods.self,
      from: """
        {"rows": [["calm", "wild"]], "byName": {"a": "wild", "b": "calm"}, "maybe": ["wild", null],
          "set": ["wild", "calm"], "byNumber": {"1": "wild", "2": "calm"},
          "maybeByName": {"a": "wild"}, "lists": {"a": ["wild", "calm"]}}
        """
    )
    #expect(
      model
        == Moods(
          rows: [[.calm]], byName: ["b": .calm], maybe: [nil, nil], set: [.calm],
          byNumber: [2: .calm], maybeByName: ["a": nil], lists: ["a": [.calm]])
    )
    #expect(
      digest?.paths == [
        "rows[0][1]", "byName.a", "maybe[0]", "set[0]", "byNumber.1", "maybeByName.a",
        "lists.a[0]",
      ]
    )
    #expect(digest?.entries.allSatisfy { $0.kind == .unknownNovelValue } == true)
  }

  @Test(arguments: Format.allCases)
  func `an array of wrapped optionals has nil for null and bad elements`(
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Resilient<Int?>]>.self, from: #"{"p": [1, null, "x", 4]}"#)
    #expect(model.p.map(\.wrappedValue) == [1, nil, nil, 4])
    #expect(digest?.reports == ["p[2]: typeMismatch Int"])
  }

  @Test(arguments: Format.allCases)
  func `elements that are objects recover and are kept`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Shelf]>.self,
      from: #"{"p": [{"books": ["x", 1]}, {"super": {}, "books": 3}, {"books": [2]}]}"#
    )
    #expect(model.p.map(\.books.wrappedValue) == [[1], [], [2]])
    #expect(digest?.paths == ["p[0].books[0]", "p[1].books"])
  }
}

private struct OptionalClumsy: Decodable { @Resilient var p: Clumsy? }
private struct OptionalInt: PropertyModel { @Resilient var p: Int? }
private struct OptionalPoint: PropertyModel { @Resilient var p: Point? }
private struct Doubled: PropertyModel { @Resilient var p: Int?? }

private struct Moods: Decodable, Equatable {
  @Resilient var rows: [[Mood]]
  @Resilient var byName: [String: Mood]
  @Resilient var maybe: [Mood?]
  @Resilient var set: Set<Mood>
  @Resilient var byNumber: [Int: Mood]
  @Resilient var maybeByName: [String: Mood?]
  @Resilient var lists: [String: [Mood]]
}

/// An element that is an instance of a class.
private final class Shelf: Decodable, Equatable, Sendable {
  let books: Resilient<[Int]>

  static func == (lhs: Shelf, rhs: Shelf) -> Bool { lhs.books == rhs.books }
}
