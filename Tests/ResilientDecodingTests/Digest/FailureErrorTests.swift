import ResilientDecoding
import Testing

struct FailureErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let domain: String
    let path: String
    let kind: ErrorDigest.Kind
    let code: Int
    let fingerprint: String
    var testDescription: String { "\(domain) \(path) \(kind)" }
  }

  /// Computed from the documentation by another program.
  static let cases = [
    Case(
      domain: "App.Listing", path: "items[3].kind", kind: .unknownNovelValue, code: 1_189_409_838,
      fingerprint: "6edd79b83b5a7107"),
    Case(
      domain: "App.Listing", path: "", kind: .dataCorrupted, code: 2_014_856_731,
      fingerprint: "a1410848bbe77cfa"),
    Case(
      domain: "App.Listing", path: "items[].secret", kind: .unknownKey, code: 691_844_790,
      fingerprint: "4c773be52cc341bf"),
    Case(
      domain: "App.Café", path: "names.*", kind: .typeMismatch, code: 747_713_391,
      fingerprint: "915e5ebe8b46dba0"),
  ]

  @Test(arguments: cases)
  func `the identity follows from model, pattern and kind alone`(example: Case) throws {
    let path = try #require(ErrorDigest.Path(example.path))
    for (expected, value) in [(nil, nil), ("App.Kind", "villa")] as [(String?, String?)] {
      let failure = ErrorDigest.Failure(
        codingPath: path, kind: example.kind, expectedType: expected,
        novelValue: value.map { ErrorDigest.NovelValue(text: $0, type: "String") })
      for includesValues in [false, true] {
        let error = FailureError(failure, domain: example.domain, includingValues: includesValues)
        #expect(error.domain == example.domain)
        #expect(error.code == example.code)
        #expect(error.fingerprint == example.fingerprint)
      }
    }
  }

  @Test func `it has text of the payload only if asked for`() throws {
    let json = #"{"p": "villa\n", "secret": 1, "names": {"jo": "x"}}"#
    let decoder = Format.json
    let (_, digest) = try decoder.decode(Model.self, from: json)
    let novel = try #require(digest?.entries.first)
    let unknown = ErrorDigest.Failure(
      codingPath: try #require(ErrorDigest.Path("secret")), kind: .unknownKey)
    for failure in try #require(digest).entries.map(\.failure) + [unknown] {
      let texts = FailureError(failure, decoding: Model.self).texts
      #expect(
        !texts.contains { $0.contains("villa") || $0.contains("secret") || $0.contains("jo") })
    }
    let error = FailureError(novel.failure, decoding: Model.self, includingValues: true)
    #expect(error.value == "villa\n")
    #expect(
      error.description
        == "p of ResilientDecodingTests.Model: unknownNovelValue, expected "
        + "ResilientDecodingTests.Kind, found \"villa\\n\"")
    #expect(error.userInfo["fingerprint"] == error.fingerprint)
    #expect(FailureError(unknown, domain: "M", includingValues: true).value == "secret")
    #expect(FailureError(unknown, domain: "M").description == "* of M: unknownKey")
  }
}

extension FailureError {
  fileprivate var texts: [String] {
    [domain, codingPath, description, errorDescription ?? "", fingerprint] + userInfo.values
  }
}

private struct Model: Decodable {
  @Resilient var p: Kind?
  @Resilient var names: [String: Int]
}
