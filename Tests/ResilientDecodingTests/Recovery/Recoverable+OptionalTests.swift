import ResilientDecoding
import Testing

/// Optionals of optionals and of collections, and types with a fallback in collections.
struct RecoverableOptionalTests {
  private static let wrongShape = "recoveredFrom(typeMismatch, wasReported: true)"

  static let doubled: [Row<Int??>] = [
    Row(nil, nil, "keyNotFound"),
    Row("null", nil, "valueWasNil"),
    Row("5", 5, "decodedSuccessfully"),
    Row(#""x""#, nil, wrongShape, Report("p", .typeMismatch, expecting: "Int")),
  ]

  @Test(arguments: doubled, Format.allCases)
  func `an optional of an optional is nil if absent and if malformed`(
    row: Row<Int??>,
    format: Format
  ) throws {
    try row.verify(Doubled.self, in: format)
    try row.verify(Foreignly<Doubled>.self, in: format)
    try row.verify(GenericModel<Int??>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `an optional of an optional array loses only the bad leaf`(format: Format) throws {
    let rows: [Row<[Int]??>] = [
      Row(nil, nil, "keyNotFound"),
      Row("null", nil, "valueWasNil"),
      Row(
        #"[1, "x"]"#, [1], "recoveredFrom(ArrayDecodingError, wasReported: false)",
        Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "Int")
      ),
      Row("{}", [], Self.wrongShape, Report("p", .typeMismatch, expecting: "Array<Int>")),
    ]
    for row in rows { try row.verify(GenericModel<[Int]??>.self, in: format) }
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
    #expect(
      digest?.reports == [Report("p[2]", pattern: "p[]", .typeMismatch, expecting: "Int")]
    )
  }

  @Test(arguments: Format.allCases)
  func `elements that are objects recover and are kept`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Shelf]>.self,
      from: #"{"p": [{"books": ["x", 1]}, {"super": {}, "books": 3}, {"books": [2]}]}"#
    )
    #expect(model.p.map(\.books) == [[1], [], [2]])
    #expect(digest?.paths == ["p[0].books[0]", "p[1].books"])
  }
}

private struct Doubled: PropertyModel {
  @Resilient var p: Int??
  var property: Resilient<Int??> { _p }
}

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
  let content: Resilient<[Int]>

  var books: [Int] { content.wrappedValue }

  private enum CodingKeys: String, CodingKey {
    case content = "books"
  }

  static func == (lhs: Shelf, rhs: Shelf) -> Bool { lhs.content == rhs.content }
}
