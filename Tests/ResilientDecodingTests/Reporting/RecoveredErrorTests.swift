import Foundation
import ResilientDecoding
import Testing

/// The path of an error, if neither the error nor the payload makes it obvious.
struct RecoveredErrorTests {
  @Test(arguments: Format.allCases)
  func `a key may be missing in an object under an equal key`(format: Format) throws {
    let (_, digest) = try format.decode(
      GenericModel<[Link]>.self,
      from: #"{"p": [{"link": {"link": 1}}, {"link": {"other": 1}}]}"#
    )
    #expect(
      digest?.reports == [
        "p[0]/link.link: typeMismatch Dictionary<String, Any>",
        "p[1]/link.link: keyNotFound",
      ]
    )
  }

  @Test(arguments: ["1e400", "-1e400"])
  func `a number that is too large for any type is a number`(number: String) throws {
    let json = #"{"p": [\#(number)]}"#
    for digest in [
      try Format.json.decode(GenericModel<[String]>.self, from: json).1,
      try Format.json.decode(GenericModel<[Double]>.self, from: json).1,
      try Format.json.decode(GenericModel<[[Int]]>.self, from: json).1,
    ] {
      let found = try #require(digest?.entries.first).foundValue
      #expect(found?.type == .number)
      #expect(found?.text == nil)
    }
  }
}

extension RecoveredErrorTests {
  @Test(arguments: ["1e400", "01"])
  func `a message about a number has no text of the payload or of Foundation's types`(
    number: String
  ) throws {
    struct Strict: Decodable { let p: Int }
    let reporter = ResilientDecodingErrorReporter()
    let data = Data(#"{"p": \#(number)}"#.utf8)
    _ = try? reporter.collectErrors {
      try JSONDecoder().decode(Strict.self, from: data, reportResilientDecodingErrors: true)
    }
    #expect(
      reporter.flushReportedErrors()?.entries.map(\.message)
        == ["The number or text is not valid, or does not fit its type."])
  }

  @Test(arguments: Format.allCases, ["300", "-1", "1.5"])
  func `a message about a number that does not fit has no text of the payload`(
    format: Format, number: String
  ) throws {
    struct Strict: Decodable, Equatable { let p: UInt8 }
    let digests = [
      try format.decode(GenericModel<[UInt8]>.self, from: #"{"p": [\#(number)]}"#).1,
      try format.decode(
        GenericModel<[Strict]>.self, from: #"{"p": [{"p": \#(number)}]}"#
      ).1,
    ]
    #expect(
      digests.flatMap { $0?.entries.map(\.message) ?? [] }
        == Array(repeating: "The number or text is not valid, or does not fit its type.", count: 2))
  }

  @Test func `a message about a key for a number is about the key`() throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<[Int: Int]>.self, from: #"{"p": {"x": 1, "7": 1, "07": 1}}"#)
    #expect(
      digest?.entries.map(\.message)
        == ["Another key of the object is the same Int", "The key cannot be converted to Int"])
  }

  /// Foundation gives a reason on Apple's systems, which quotes the payload.
  @Test func `a message has no reason of an underlying error`() {
    let reporter = ResilientDecodingErrorReporter()
    let reason = NSError(
      domain: NSCocoaErrorDomain, code: 3840,
      userInfo: ["NSDebugDescription": "Number 1.2.3 around line 1, column 7."])
    let context = DecodingError.Context(
      codingPath: [], debugDescription: "The given data was not valid JSON.",
      underlyingError: reason)
    reporter.report(DecodingError.dataCorrupted(context), decoding: Int.self)
    #expect(
      reporter.flushReportedErrors()?.entries.map(\.message)
        == ["The given data was not valid JSON."])
  }
}

/// Decodes the same key at each level.
private struct Link: Decodable, Equatable {
  let depth: Int

  private enum CodingKeys: CodingKey {
    case link
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let nested = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .link)
    _ = try nested.nestedContainer(keyedBy: CodingKeys.self, forKey: .link)
    depth = 2
  }
}
