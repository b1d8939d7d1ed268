import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

/// The report of an error at a path.
struct KeyPathReportsTests {
  static let payloads = [
    #"{"items": [{"owner": {"side": "left", "kind": "flat", "n": 1}}]}"#,
    #"{"items": [{"owner": {"side": "up", "kind": "flat", "n": 1}}]}"#,
    #"{"items": [{"owner": {"side": "left", "kind": "villa", "n": 1}}]}"#,
    #"{"items": [{"owner": {"kind": "villa", "n": 1}}, {}]}"#,
    #"{"items": [{"owner": {"side": "left", "kind": "flat"}}]}"#,
    #"{"items": [{"owner": {"side": 5, "kind": "flat", "n": 1}}]}"#,
    #"{"items": [{"owner": {"side": "left", "kind": null, "n": 1}}]}"#,
  ]

  @Test(arguments: payloads, Format.allCases)
  func `a report equals that of the same model with explicit keys`(
    payload: String,
    format: Format
  ) throws {
    let (_, plain) = try format.decode(Listing<Nested>.self, from: payload)
    let (_, paths) = try format.decode(Listing<Flat>.self, from: payload)
    #expect(paths?.reports == plain?.reports)
    #expect(paths?.errors.count == plain?.errors.count)
    #expect(paths?.debugDescription == plain?.debugDescription)
  }

  @Test(arguments: Format.allCases)
  func `an object along the path has no expected type`(format: Format) throws {
    let (_, digest) = try format.decode(
      Listing<Flat>.self, from: #"{"items": [{"owner": null}, {"owner": 5}]}"#)
    #expect(
      digest?.reports == [
        "items[0]/owner: valueNotFound Dictionary<String, Any>",
        "items[1]/owner: typeMismatch Dictionary<String, Any>",
      ])
  }

  @Test func `a report at a path has the kind, the exact path and the value`() throws {
    let (_, digest) = try Format.json.decode(
      Listing<Flat>.self,
      from: #"{"items": [{"owner": {"side": "up"}}, {"owner": {"side": "left"}}]}"#
    )
    #expect(
      digest?.reports == [
        "items[0]/owner.side: unknownNovelValue Side = up",
        "items[1]/owner.kind: keyNotFound",
      ]
    )
    #expect(
      digest?.errors.map { "\($0)" } == [
        #"unknownNovelValue at items[0].owner.side: expected ResilientDecodingTests.Side, found "up""#,
        #"keyNotFound at items[1].owner: "kind" in {"side": "left"}"#,
      ])
  }

  @Test(arguments: Source.allCases)
  func `an error that an initializer reports itself is explained`(source: Source) throws {
    let reporter = ResilientDecodingErrorReporter()
    _ = try source.read(
      #"{"a": {}}"#,
      userInfo: [.resilientDecodingErrorReporter: reporter]
    ) { decoder in
      do { return try decoder => "a" => "b" as Int } catch { decoder.reportError(error) }
      return 0
    }
    #expect(
      reporter.flushReportedErrors()?.reports == ["/a.b: keyNotFound"]
    )
  }
}

private struct Listing<Item: Decodable>: Decodable {
  @Resilient var items: [Item]
}

/// Decoded at paths.
private struct Flat: Decodable {
  init(from decoder: any Decoder) throws {
    let _: Side = try decoder => "owner" => "side"
    let _: Kind = try decoder => "owner" => "kind"
    let _: Int = try decoder => "owner" => "n"
  }
}

/// Decoded in the usual way.
private struct Nested: Decodable {
  let owner: Owner

  struct Owner: Decodable {
    let side: Side
    let kind: Kind
    let n: Int
  }
}
