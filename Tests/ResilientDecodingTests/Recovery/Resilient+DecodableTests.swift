import Foundation
import ResilientDecoding
import Testing

/// A `Resilient` that is not a property, or whose type cannot be recovered.
struct ResilientDecodableTests {
  @Test(arguments: Format.allCases)
  func `a document can be resilient`(format: Format) throws {
    func expect<Value: Decodable & Equatable>(
      _ value: Value, from json: String, _ reports: String...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let (document, digest) = try format.decode(Resilient<Value>.self, from: json)
      #expect(document.wrappedValue == value, sourceLocation: sourceLocation)
      #expect(digest?.reports == reports, sourceLocation: sourceLocation)
    }
    try expect([1, 3], from: #"[1, "2", 3]"#, "[1]: typeMismatch Int")
    try expect([Int](), from: "{}", ": typeMismatch Array<Int>")
    try expect(
      [[1], [2]], from: #"[[1, "x"], 5, [2]]"#, "[0][1]: typeMismatch Int",
      "[1]: typeMismatch Array<Int>")
    try expect(Set([1]), from: #"[1, "x", 1]"#, "[1]: typeMismatch Int")
    try expect(["a": 1], from: #"{"a": 1, "b": "2"}"#, "{b}: typeMismatch Int")
    try expect(Point?.none, from: #"{"x": 1}"#, "/y: keyNotFound")
    if format == .json {
      try expect(Mood.unknown, from: #""wild""#, ": unknownNovelValue Mood = wild")
    }
  }

  @Test(arguments: Format.allCases)
  func `plain collections of resilient ones lose only the bad leaves`(format: Format) throws {
    struct Plain: Decodable { let rows: [Resilient<[Int]>] }
    let (model, digest) = try format.decode(
      Plain.self, from: #"{"rows": [[1, "x"], 5, ["y", 2]]}"#)
    #expect(model.rows.map(\.wrappedValue) == [[1], [], [2]])
    #expect(
      digest?.reports == [
        "rows[0][1]: typeMismatch Int", "rows[1]: typeMismatch Array<Int>",
        "rows[2][0]: typeMismatch Int",
      ])
    let (entries, errors) = try format.decode(
      [String: Resilient<[String: Int]>].self, from: #"{"a": {"x": 1, "y": "1"}, "b": 5}"#)
    #expect(entries.mapValues(\.wrappedValue) == ["a": ["x": 1], "b": [:]])
    #expect(
      errors?.reports == [
        "{a}{y}: typeMismatch Int", "{b}: typeMismatch Dictionary<String, Int>",
      ])
  }

  @Test func `a value that cannot be recovered decodes as without the wrapper`() throws {
    try verify(GenericModel<Int>.self, [Row("5", 5, .decoded)])
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
