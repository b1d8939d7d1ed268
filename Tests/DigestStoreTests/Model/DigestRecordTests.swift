import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Digests that an app makes itself, with values that no decoder gives.
struct DigestRecordTests {
  private static func entry(_ components: [ErrorDigest.Path.Component]) -> ErrorDigest.Entry {
    ErrorDigest.Entry(
      codingPath: ErrorDigest.Path(components), kind: .typeMismatch,
      foundValue: ErrorDigest.FoundValue(type: .object, text: "x"), message: "m")
  }

  @Test func `what the file cannot store is stored as near as possible, and read back`() throws {
    let temporary = try TemporaryStore()
    let failure = ErrorDigest.Failure(codingPath: ErrorDigest.Path([.key("b")]), kind: .other)
    let digest = ErrorDigest(
      entries: [Self.entry([.key("a"), .index(-1)]), Self.entry([.index(.min), .index(.max)])],
      omissions: [0, -5, .max, .max].map {
        ErrorDigest.Omission(failure: failure, message: "m", count: $0)
      })
    #expect(digest.errorCount == .max)

    temporary.store.record(digest, model: Listing.self)

    let verification = try temporary.store.verify()
    #expect(verification.problems.isEmpty)
    #expect(
      try temporary.store.failures().map { "\($0.codingPath) \($0.occurrences)" }
        == ["b 200000000", "[][] 1", "a[] 1"])
    #expect(try temporary.found(in: "failures WHERE coding_path = 'a[]'") == ["object|-"])
  }
}
