import Dispatch
import Foundation
import ResilientDecoding
import Testing

/// The size of a digest is limited; errors beyond the limit are counted.
struct ErrorDigestCollectorTests {
  @Test func `a reporter holds a thousand entries by default`() throws {
    let digest = try #require(
      try digest(of: Array(repeating: "true", count: 2_500), maximumEntries: nil)
    )
    #expect(digest.paths == (0..<1_000).map { "p[\($0)]" })
    #expect(digest.omissions.map(\.count) == [1_500])
    #expect(digest.errorCount == 2_500)
  }

  @Test(arguments: [1, 2, 9, 10])
  func `all entries up to the maximum are kept`(maximum: Int) throws {
    let digest = try digest(
      of: Array(repeating: "true", count: maximum),
      maximumEntries: maximum
    )
    #expect(digest?.entries.count == maximum)
    #expect(digest?.omissions.isEmpty == true)
  }

  @Test func `errors beyond the maximum are counted by failure`() throws {
    let rest = Array(repeating: [#""a""#, "1", #""b""#, #""a""#], count: 50).flatMap { $0 }
    let digest = try #require(
      try digest(
        of: ["true", "null", #""a""#] + rest,
        as: GenericModel<[Kind]>.self,
        maximumEntries: 3
      )
    )
    #expect(digest.paths == ["p[0]", "p[1]", "p[2]"])
    #expect(
      digest.omissions.map(\.inWords) == [
        "p[]: typeMismatch Kind, 50", "p[]: unknownNovelValue Kind = a, 100",
        "p[]: unknownNovelValue Kind = b, 50",
      ]
    )
    #expect(digest.omissions.last?.message == #"Unknown novel value "b""#)
    #expect(digest.errorCount == 203)
  }

  @Test func `values that look the same but have different scalars are counted separately`() throws
  {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let digest = try #require(
      try digest(
        of: ["true", "true"] + [composed, decomposed, decomposed].map { "\"\($0)\"" },
        as: GenericModel<[Kind]>.self,
        maximumEntries: 2
      )
    )
    // Sorted by scalars, whichever came first.
    #expect(
      digest.omissions.map { [Array(($0.failure.novelValue?.text ?? "").utf8), [UInt8($0.count)]] }
        == [[Array(decomposed.utf8), [2]], [Array(composed.utf8), [1]]])
  }

  @Test func `too many novel values are counted without their values`() throws {
    let digest = try #require(
      try digest(
        of: (0..<5_000).map { "\"novel \($0)\"" },
        as: GenericModel<[Kind]>.self,
        maximumEntries: 10
      )
    )
    #expect(digest.entries.count == 10)
    #expect(digest.omissions.count <= 21)
    #expect(digest.errorCount == 5_000)
    let withoutValue = digest.omissions.filter { $0.failure.novelValue == nil }
    let rest = 5_000 - 10 - (digest.omissions.count - 1)
    #expect(withoutValue.map(\.inWords) == ["p[]: unknownNovelValue Kind, \(rest)"])
  }

  @Test func `errors at too many paths are counted as one failure`() throws {
    let json = "{" + (0..<5_000).map { "\"key\($0)\": true" }.joined(separator: ", ") + "}"
    let decoder = JSONDecoder()
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 10)
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    _ = try decoder.decode(ManyKeys.self, from: Data(json.utf8))
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.entries.count == 10)
    #expect(digest.omissions.count <= 21)
    #expect(digest.errorCount == 5_000)
    let rest = 5_000 - 10 - (digest.omissions.count - 1)
    #expect(digest.omissions.first?.inWords == ": other -, \(rest)")
  }

  @Test func `errors of threads that overfill a reporter are all counted`() throws {
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 7)
    DispatchQueue.concurrentPerform(iterations: 200) { iteration in
      let decoder = JSONDecoder()
      decoder.userInfo[.resilientDecodingErrorReporter] = reporter
      _ = try? decoder.decode(
        GenericModel<[Kind]>.self,
        from: Data(#"{"p": ["novel \#(iteration)", 1, null, "novel"]}"#.utf8)
      )
    }
    let digest = try #require(reporter.flushReportedErrors())
    #expect(digest.entries.count == 7)
    #expect(digest.omissions.count <= 15)
    #expect(digest.errorCount == 800)
  }

  @Test func `a flush makes room for new entries`() throws {
    let decoder = JSONDecoder()
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 1)
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    for _ in 0..<3 {
      _ = try decoder.decode(
        GenericModel<[Int]>.self,
        from: Data(#"{"p": ["x", "y"]}"#.utf8)
      )
      let digest = try #require(reporter.flushReportedErrors())
      #expect(digest.paths == ["p[0]"])
      #expect(digest.omissions.map(\.count) == [1])
    }
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test(arguments: [0, -1, Int.min])
  func `a reporter with a maximum of zero still reports that errors occurred`(
    maximum: Int
  ) throws {
    let digest = try #require(try digest(of: ["true", "true"], maximumEntries: maximum))
    #expect(digest.entries.count <= 1)
    #expect(digest.errorCount == 2)
  }

  @Test func `the largest maximum does not trap`() throws {
    let digest = try #require(try digest(of: ["true"], maximumEntries: Int.max))
    #expect(digest.errorCount == 1)
  }

  private func digest<Model: Decodable>(
    of elements: [String],
    as model: Model.Type = GenericModel<[Int]>.self,
    maximumEntries: Int?
  ) throws -> ErrorDigest? {
    let reporter =
      maximumEntries.map { ResilientDecodingErrorReporter(maximumEntries: $0) }
      ?? ResilientDecodingErrorReporter()
    _ = try Format.json.decode(
      model,
      from: #"{"p": [\#(elements.joined(separator: ", "))]}"#,
      userInfo: [.resilientDecodingErrorReporter: reporter]
    )
    return reporter.flushReportedErrors()
  }
}

extension ErrorDigest.Omission {
  /// The failure and its count.
  fileprivate var inWords: String {
    let type = failure.expectedType?.split(separator: ".").last ?? "-"
    let value = failure.novelValue.map { " = \($0.text)" } ?? ""
    return "\(failure.codingPath): \(failure.kind) \(type)\(value), \(count)"
  }
}

/// Has a property for each key.
private struct ManyKeys: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    for key in container.allKeys { _ = try container.decode(Resilient<String?>.self, forKey: key) }
  }
}
