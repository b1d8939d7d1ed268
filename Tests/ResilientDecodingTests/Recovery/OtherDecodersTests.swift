import Foundation
import ResilientDecoding
import Testing

/// Behavior that does not depend on the decoder.
struct OtherDecodersTests {
  @Test(arguments: Format.allCases)
  func `a number that does not fit is corrupted data in every format`(format: Format) throws {
    let (model, digest) = try format.decode(
      Numbers.self,
      from: #"{"halves": [1.5], "bytes": [1, 300, 2], "byName": {"a": -1}}"#
    )
    #expect(model.halves.isEmpty)
    #expect(model.bytes == [1, 2])
    #expect(model.byName.isEmpty)
    #expect(digest?.paths == ["halves[0]", "bytes[1]", "byName.a"])
    #expect(digest?.entries.map(\.kind) == [.dataCorrupted, .dataCorrupted, .dataCorrupted])
    #expect(digest?.entries.map(\.expectedType) == ["Int", "UInt8", "UInt"])
  }

  @Test(arguments: Format.allCases)
  func `text that cannot become a value is corrupted data in every format`(
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      GenericModel<[UUID]>.self,
      from: #"{"p": ["no", 5]}"#
    )
    #expect(model.p.isEmpty)
    #expect(
      digest?.reports == [
        "p[0]: dataCorrupted Foundation.UUID",
        "p[1]: typeMismatch Foundation.UUID",
      ]
    )
  }

  static let documents: [(json: String, reports: [String])] = [
    (
      #"{"count": 1}"#,
      ["mood: keyNotFound Mood"]
    ),
    (
      #"{"count": "x", "mood": "calm"}"#,
      ["count: typeMismatch Int"]
    ),
    (
      #"{"count": 1, "mood": null}"#,
      ["mood: valueNotFound Mood"]
    ),
  ]

  @Test(arguments: documents, Format.allCases)
  func `a decoder may have no super decoder for a missing key`(
    document: (json: String, reports: [String]),
    format: Format
  ) throws {
    let (_, digest) = try format.decode(Strictly<Listing>.self, from: document.json)
    #expect(digest?.reports == document.reports)
  }

  @Test(arguments: documents, Format.allCases)
  func `collecting errors needs no super decoder`(
    document: (json: String, reports: [String]),
    format: Format
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    _ = try reporter.collectErrors {
      try format.decode(Strictly<Listing>.self, from: document.json, userInfo: [:])
    }
    #expect(reporter.flushReportedErrors()?.reports == document.reports)
  }

  @Test func `a key strategy does not change indices`() throws {
    let decoder = JSONDecoder.snakeCase
    let (document, digest) = try decoder.decodeReporting(
      Strictly<Resilient<[String: [Int]]>>.self, #"{"snake_case": [1, "x"]}"#)
    #expect(document.value.wrappedValue == ["snake_case": [1]])
    #expect(digest?.paths == ["snake_case[1]"])
  }
}

private struct Numbers: Decodable {
  @Resilient var halves: [Int]
  @Resilient var bytes: [UInt8]
  @Resilient var byName: [String: UInt]
}

private struct Listing: Decodable {
  @Resilient var count: Int?
  @Resilient var mood: Mood
}
