import Foundation
import ResilientDecoding
import Testing

/// A `Resilient` that is not a property, or whose type cannot be recovered.
struct ResilientDecodableTests {
  @Test func `a document can be a resilient array`() throws {
    let (list, digest) = try Format.json.decode(Resilient<[Int]>.self, from: #"[1, "2", 3]"#)
    #expect(list.wrappedValue == [1, 3])
    #expect(
      digest?.reports == [Report("[1]", pattern: "[]", .typeMismatch, expecting: "Int")]
    )
  }

  @Test func `a document of the wrong shape is reported as a whole`() throws {
    let (list, digest) = try Format.json.decode(Resilient<[Int]>.self, from: "{}")
    #expect(list.wrappedValue.isEmpty)
    #expect(digest?.reports == [Report("", .typeMismatch, expecting: "Array<Int>")])
  }

  @Test(arguments: Format.allCases)
  func `a document can be a resilient dictionary`(format: Format) throws {
    let (entries, digest) = try format.decode(
      Resilient<[String: Int]>.self,
      from: #"{"a": 1, "b": "2"}"#
    )
    #expect(entries.wrappedValue == ["a": 1])
    #expect(
      digest?.reports == [Report("b", pattern: "*", .typeMismatch, expecting: "Int")]
    )
  }

  @Test(arguments: Format.allCases)
  func `a document can be a resilient optional`(format: Format) throws {
    let (point, digest) = try format.decode(Resilient<Point?>.self, from: #"{"x": 1}"#)
    #expect(point.wrappedValue == nil)
    #expect(digest?.reports == [Report("y", recoveredAt: "", .keyNotFound)])
  }

  @Test func `a document can be a resilient raw value`() throws {
    let (mood, digest) = try Format.json.decode(Resilient<Mood>.self, from: #""wild""#)
    #expect(mood.wrappedValue == .unknown)
    #expect(
      digest?.reports == [
        Report(
          "",
          .unknownNovelValue,
          expecting: "ResilientDecodingTests.Mood",
          novel: "wild",
          of: "String"
        )
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a plain array of resilient arrays loses only the bad elements`(format: Format) throws {
    let (model, digest) = try format.decode(
      Plain.self,
      from: #"{"rows": [[1, "x"], 5, ["y", 2]]}"#
    )
    #expect(model.rows.map(\.wrappedValue) == [[1], [], [2]])
    #expect(
      digest?.reports == [
        Report("rows[0][1]", pattern: "rows[][]", .typeMismatch, expecting: "Int"),
        Report("rows[1]", pattern: "rows[]", .typeMismatch, expecting: "Array<Int>"),
        Report("rows[2][0]", pattern: "rows[][]", .typeMismatch, expecting: "Int"),
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a plain dictionary of resilient dictionaries loses only the bad entries`(format: Format)
    throws
  {
    let (model, digest) = try format.decode(
      [String: Resilient<[String: Int]>].self,
      from: #"{"a": {"x": 1, "y": "1"}, "b": 5}"#
    )
    #expect(model.mapValues(\.wrappedValue) == ["a": ["x": 1], "b": [:]])
    #expect(
      digest?.reports == [
        Report("a.y", pattern: "*.*", .typeMismatch, expecting: "Int"),
        Report("b", pattern: "*", .typeMismatch, expecting: "Dictionary<String, Int>"),
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a value that cannot be recovered decodes as without the wrapper`(format: Format) throws {
    let (model, digest) = try format.decode(GenericModel<Int>.self, from: #"{"p": 5}"#)
    #expect(model.p == 5)
    #expect(digest == nil)
  }

  @Test(arguments: [
    ("{}", "keyNotFound"), (#"{"p": null}"#, "valueNotFound"), (#"{"p": "5"}"#, "typeMismatch"),
  ])
  func `an error of a value that cannot be recovered is thrown and not reported`(
    json: String,
    error: String
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let userInfo: [CodingUserInfoKey: any Sendable] = [.resilientDecodingErrorReporter: reporter]
    let thrown = try #require(throws: DecodingError.self) {
      try Format.json.decode(GenericModel<Int>.self, from: json, userInfo: userInfo)
    }
    #expect(nameOfCase(thrown) == error)
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test(arguments: Format.allCases)
  func `an error of an element that cannot be recovered is thrown and not reported`(
    format: Format
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    let thrown = try #require(throws: DecodingError.self) {
      try format.decode(
        [String: Resilient<Int>].self,
        from: #"{"a": "x"}"#,
        userInfo: [.resilientDecodingErrorReporter: reporter]
      )
    }
    #expect(nameOfCase(thrown) == "typeMismatch")
    #expect(reporter.flushReportedErrors() == nil)
  }
}

private struct Plain: Decodable {
  let rows: [Resilient<[Int]>]
}
