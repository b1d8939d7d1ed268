import Foundation
import ResilientDecoding
import Testing

struct ErrorDigestCodableTests {
  @Test func `a digest encodes all that it has but the errors themselves`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 1)
    let json = #"{"p": ["villa", "hut"]}"#
    _ = try Format.json.decode(
      Model.self, from: json, userInfo: [.resilientDecodingErrorReporter: reporter])
    let digest = try #require(reporter.flushReportedErrors())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let kind = #""ResilientDecodingTests.Kind""#
    let expected =
      #"{"entries":[{"codingPath":"p[0]","expectedType":\#(kind),"foundValue":{"text":"villa","#
      + #""type":"string"},"kind":"unknownNovelValue","message":"Unknown novel value \"villa\"","#
      + #""novelValue":{"text":"villa","type":"String"},"recoveryPath":"p[0]"}],"#
      + #""omissions":[{"count":1,"failure":{"codingPath":"p[]","expectedType":\#(kind),"#
      + #""kind":"unknownNovelValue","novelValue":{"text":"hut","type":"String"}},"#
      + #""message":"Unknown novel value \"hut\""}]}"#
    #expect(String(decoding: try encoder.encode(digest), as: UTF8.self) == expected)
    let omissions = try JSONDecoder().decode(
      [ErrorDigest.Omission].self, from: try encoder.encode(digest.omissions))
    #expect(omissions == digest.omissions)
  }

  @Test(arguments: ["items[3].kind", "a.*[]", #"["x.y"].b"#, ""])
  func `a path encodes as its text`(text: String) throws {
    let path = try #require(ErrorDigest.Path(text))
    let data = try JSONEncoder().encode([path])
    #expect(try JSONDecoder().decode([String].self, from: data) == [text])
    #expect(try JSONDecoder().decode([ErrorDigest.Path].self, from: data) == [path])
  }

  @Test func `text that isn't a path is corrupted data`() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ErrorDigest.Path].self, from: Data(#"["a["]"#.utf8))
    }
  }
}

private struct Model: Decodable {
  @Resilient var p: [Kind]
}
