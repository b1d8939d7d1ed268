import Foundation
import ResilientDecoding
import Testing

/// Raw values of types other than `String`.
struct ResilientRawRepresentableRawValueTests {
  @Test(arguments: Format.allCases)
  func `an integer is a raw value`(format: Format) throws {
    let row = Row<[Level]>(
      "[1, 7, 2]",
      [.low, .high],
      "recoveredFrom(ArrayDecodingError, wasReported: false)",
      visible: 0,
      Report(
        "p[1]",
        pattern: "p[]",
        .unknownNovelValue,
        expecting: "ResilientDecodingTests.Level",
        novel: "7",
        of: "Int"
      )
    )
    try row.verify(GenericModel<[Level]>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a floating point number is a raw value`(format: Format) throws {
    let row = Row<Rate?>(
      "2.5",
      nil,
      "recoveredFrom(UnknownNovelValueError, wasReported: true)",
      visible: 0,
      Report(
        "p",
        .unknownNovelValue,
        expecting: "ResilientDecodingTests.Rate",
        novel: "2.5",
        of: "Double"
      )
    )
    try row.verify(GenericModel<Rate?>.self, in: format)
    try Row("0.5", .some(Rate.half), "decodedSuccessfully")
      .verify(GenericModel<Rate?>.self, in: format)
  }

  // Only JSON: a property list encodes a URL as a dictionary.
  @Test func `a URL is a raw value`() throws {
    let url = try #require(URL(string: "https://a.example/b"))
    let secure = try #require(Link(rawValue: url))
    let row = Row(
      #"["https://a.example/b", "http://a.example/c", 3]"#,
      [secure],
      "recoveredFrom(ArrayDecodingError, wasReported: false)",
      visible: 1,
      Report(
        "p[1]",
        pattern: "p[]",
        .unknownNovelValue,
        expecting: "ResilientDecodingTests.Link",
        novel: "http://a.example/c",
        of: "Foundation.URL"
      ),
      Report(
        "p[2]", pattern: "p[]", .typeMismatch, expecting: "ResilientDecodingTests.Link")
    )
    try row.verify(GenericModel<[Link]>.self)
  }

  @Test func `a date is a raw value in the decoder's format`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let (model, digest) = try decoder.decode(
      GenericModel<[Day]>.self,
      from: Data(#"{"p": [0, "x"]}"#.utf8),
      reportResilientDecodingErrors: true
    )
    #expect(model.p.map(\.rawValue) == [Date(timeIntervalSince1970: 0)])
    #expect(
      digest?.reports == [
        Report("p[1]", pattern: "p[]", .typeMismatch, expecting: "ResilientDecodingTests.Day")
      ]
    )
  }

  @Test func `a type is not frozen and has no fallback by default`() {
    let nothing: Void = Kind.decodingFallback
    #expect(nothing == ())
    #expect(!Kind.isFrozen && !Mood.isFrozen && Side.isFrozen)
    #expect(Mood.decodingFallback == .unknown)
    #expect(Kind.DecodingFallback.self == Void.self && Mood.DecodingFallback.self == Mood.self)
  }

  @Test(arguments: Format.allCases)
  func `an object is a raw value`(format: Format) throws {
    let diagonal = try #require(Diagonal(rawValue: Point(x: 1, y: 1)))
    let row = Row(
      #"[{"x": 1, "y": 1}, {"x": 1, "y": 2}]"#,
      [diagonal],
      "recoveredFrom(ArrayDecodingError, wasReported: false)",
      visible: 0,
      Report(
        "p[1]",
        pattern: "p[]",
        .unknownNovelValue,
        expecting: "ResilientDecodingTests.Diagonal",
        novel: "Point(x: 1, y: 2)",
        of: "ResilientDecodingTests.Point"
      )
    )
    try row.verify(GenericModel<[Diagonal]>.self, in: format)
  }
}

private enum Level: Int, ResilientRawRepresentable {
  case low = 1
  case high = 2
}

private enum Rate: Double, ResilientRawRepresentable {
  case half = 0.5
}

private struct Link: ResilientRawRepresentable, Equatable {
  let rawValue: URL

  init?(rawValue: URL) {
    guard rawValue.scheme == "https" else { return nil }
    self.rawValue = rawValue
  }
}

private struct Day: ResilientRawRepresentable, Equatable {
  let rawValue: Date
}

private struct Diagonal: ResilientRawRepresentable, Equatable {
  let rawValue: Point

  init?(rawValue: Point) {
    guard rawValue.x == rawValue.y else { return nil }
    self.rawValue = rawValue
  }
}
