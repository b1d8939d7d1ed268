import Foundation
import ResilientDecoding
import Testing

struct ErrorDigestEntryTests {
  @Test(arguments: Format.allCases)
  func `an entry has the path of the error and the path of the recovery`(
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Person]>.self,
      from: #"""
        {"p": [
          {"address": {"zip": 1}}, {"address": {"zip": "x"}}, {"address": {}}, {},
          {"address": {"zip": null}}, {"address": 5}
        ]}
        """#
    )
    #expect(model.p.map(\.address.zip) == [1])
    #expect(
      digest?.reports == [
        "p[1]/address.zip: typeMismatch Int",
        "p[2]/address.zip: keyNotFound",
        "p[3]/address: keyNotFound",
        "p[4]/address.zip: valueNotFound Int",
        "p[5]/address: typeMismatch Dictionary<String, Any>",
      ]
    )
  }

  @Test(arguments: [
    Thrown(codingPath: [], message: "no path"),
    Thrown(codingPath: [AnyKey("elsewhere")], message: "another path"),
    Thrown(codingPath: [AnyKey("p")], message: "the path of the array"),
  ])
  func `an error that does not know its place is where it was recovered`(
    thrown: Thrown
  ) throws {
    let reporter = ResilientDecodingErrorReporter()
    _ = try Format.json.decode(
      GenericModel<[Thrower]>.self,
      from: #"{"p": [0]}"#,
      userInfo: [.resilientDecodingErrorReporter: reporter, .thrown: thrown]
    )
    let digest = try #require(reporter.flushReportedErrors())
    #expect(
      digest.reports == [
        "p[0]: dataCorrupted Thrower"
      ]
    )
    #expect(digest.entries.first?.message == thrown.message)
  }

  @Test func `a message is the decoder's`() throws {
    let (_, digest) = try Format.json.decode(GenericModel<Int?>.self, from: #"{"p": "x"}"#)
    let entry = try #require(digest?.entries.first)
    guard case DecodingError.typeMismatch(_, let context) = entry.error else {
      Issue.record("not a mismatch: \(entry.error)")
      return
    }
    #expect(entry.message == context.debugDescription)
    #expect(!entry.message.isEmpty)
  }

  @Test func `kinds keep their names`() {
    #expect(
      ErrorDigest.Kind.allCases.map(\.rawValue) == [
        "keyNotFound", "valueNotFound", "typeMismatch", "dataCorrupted", "unknownNovelValue",
        "converted", "missingKey", "unknownKey", "other",
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a missing required key is reported as missing at any depth`(format: Format) throws {
    let (_, digest) = try format.decode(
      Missing.self,
      from: #"{"elements": [{}], "entries": {"a": {}}, "one": {}}"#
    )
    #expect(
      digest?.reports == [
        "mood: keyNotFound Mood",
        "elements[0]/x: keyNotFound",
        "entries{a}/x: keyNotFound",
        "one/x: keyNotFound",
      ]
    )
    #expect(digest?.errors.map(nameOfCase) == Array(repeating: "keyNotFound", count: 4))
  }
}

private struct Person: Decodable, Equatable {
  struct Address: Decodable, Equatable {
    let zip: Int
  }

  let address: Address
}

private struct Missing: Decodable {
  @Resilient var mood: Mood
  @Resilient var elements: [Point]
  @Resilient var entries: [String: Point]
  @Resilient var one: Point?
}

extension CodingUserInfoKey {
  fileprivate static let thrown = CodingUserInfoKey(rawValue: "thrown")!  // Never nil.
}

/// An error to throw.
struct Thrown: Sendable, CustomTestStringConvertible {
  let codingPath: [AnyKey]
  let message: String
  var testDescription: String { message }
}

/// Throws the error in the `userInfo`.
private struct Thrower: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    guard let thrown = decoder.userInfo[.thrown] as? Thrown else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: thrown.codingPath, debugDescription: thrown.message)
    )
  }
}
