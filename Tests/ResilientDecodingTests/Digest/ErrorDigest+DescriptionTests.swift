import Foundation
import ResilientDecoding
import Testing

struct ErrorDigestDescriptionTests {
  @Test func `errors are listed below their property and index`() throws {
    let description = try describe(
      #"{"resilientArrayProperty": [0, "1", 2], "resilientRawRepresentableProperty": "novel"}"#
    )
    #expect(
      description == """
        resilientArrayProperty
          Index 1
            - Could not decode as `Int`
        resilientRawRepresentableProperty
          - Unknown novel value "novel" (this error is not reported by default)
        """
    )
  }

  @Test func `a conversion reports the target type`() throws {
    let (_, digest) = try JSONDecoder().decodeReporting(ResilientLossless<[Int]>.self, #"[1, "2"]"#)
    #expect(
      digest?.debugDescription == """
        Index 1
          - Converted to `Int` (this error is not reported by default)
        """
    )
  }

  @Test func `indices are sorted by number and names by text`() throws {
    let bad = (0...11).map { [2, 10, 11].contains($0) ? #""bad""# : "\($0)" }
    let description = try describe(
      #"""
      {
        "resilientArrayProperty": [\#(bad.joined(separator: ", "))],
        "resilientRawRepresentableProperty": 5,
        "byName": {"b": "x", "a": "x"}
      }
      """#
    )
    #expect(
      description == """
        byName
          a
            - Could not decode as `Int`
          b
            - Could not decode as `Int`
        resilientArrayProperty
          Index 2
            - Could not decode as `Int`
          Index 10
            - Could not decode as `Int`
          Index 11
            - Could not decode as `Int`
        resilientRawRepresentableProperty
          - Could not decode as `String`
        """
    )
  }

  @Test func `an error deep in an element is listed at the dropped element`() throws {
    let description = try describe(
      #"{"points": [{"x": 1, "y": "2"}, {"x": 1}, null], "grid": [[1, 2]]}"#
    )
    #expect(
      description == """
        grid
          Index 0
            - Could not decode as `Dictionary<String, Any>`
        points
          Index 0
            - Could not decode as `Int`
          Index 1
            - Found no key "y"
          Index 2
            - Found null where a `Dictionary<String, Any>` was expected
        """
    )
  }

  @Test func `errors recovered in an element are listed below it`() throws {
    let description = try describe(#"{"grid": [{"p": [1, "x"]}, 5]}"#)
    #expect(
      description == """
        grid
          Index 0
            p
              Index 1
                - Could not decode as `Int`
          Index 1
            - Could not decode as `Dictionary<String, Any>`
        """
    )
  }

  @Test func `a novel value of a frozen type is not described as unreported`() throws {
    #expect(
      try describe(#"{"side": "up"}"#) == """
        side
          - Unknown novel value "up"
        """
    )
  }

  @Test func `an error of a whole document is not indented`() {
    let reporter = ResilientDecodingErrorReporter()
    reporter.report(Mishap(description: "offline"), decoding: Model.self)
    #expect(reporter.flushReportedErrors()?.debugDescription == "- offline")
  }

  @Test func `counted errors come last`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 2)
    _ = try Format.json.decode(
      Model.self,
      from: #"{"resilientArrayProperty": ["a", "b", "c", "d"], "side": "up"}"#,
      userInfo: [.resilientDecodingErrorReporter: reporter]
    )
    #expect(
      reporter.flushReportedErrors()?.debugDescription == """
        resilientArrayProperty
          Index 0
            - Could not decode as `Int`
          Index 1
            - Could not decode as `Int`
        … and 2 more: typeMismatch at resilientArrayProperty[]
        … and 1 more: unknownNovelValue "up" at side
        """
    )
  }

  @Test func `a key cannot start a new line`() throws {
    let description = try #require(try describe(#"{"byName": {"a\n  - forged": "x"}}"#))
    #expect(description.split(separator: "\n").count == 3)
  }

  @Test func `a novel value cannot start a new line`() throws {
    let json = #"{"resilientRawRepresentableProperty": "a\n  - forged"}"#
    let description = try #require(try describe(json))
    #expect(description.split(separator: "\n").count == 2)
  }

  private func describe(_ json: String) throws -> String? {
    try Format.json.decode(Model.self, from: json).1?.debugDescription
  }

  @Test func `a path of any length is described on a small stack`() throws {
    let path = ErrorDigest.Path(Array(repeating: .key("a"), count: 100_000))
    let entry = ErrorDigest.Entry(codingPath: path, kind: .other, message: "bad")
    let digest = ErrorDigest(entries: [entry], omissions: [])
    let lines = try withStack(ofKilobytes: 512) { digest.debugDescription }
      .split(separator: "\n")
    #expect(lines.count == 514)
    #expect(
      lines[512].trimmingPrefix { $0 == " " }
        == Array(repeating: "a", count: 99_488).joined(separator: "."))
  }
}

private struct Model: Decodable {
  @Resilient var resilientRawRepresentableProperty: Kind?
  @Resilient var resilientArrayProperty: [Int]
  @Resilient var byName: [String: Int]
  @Resilient var points: [Point]
  @Resilient var grid: [GenericModel<[Int]>]
  @Resilient var side: Side?
}
