import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// In which release a failure occurred first. `ExactCountsTests` compares it with a recount.
struct FirstReleasesTests {
  @Test(arguments: [
    (["4.10.0", "4.9.0"], "4.10.0"), (["4.9.0", "4.10.0"], "4.10.0"), (["4.9.0", nil], nil),
    (["nightly", "4.9.0"], "4.9.0"), (["4.9", "4.9.0"], "4.9"), (["4.9.0", "4.9"], "4.9"),
    (["beta", "alpha"], "alpha"), (["(other releases)", "9"], "9"),
    (["9", "(other releases)"], "9"), (["(other releases)", nil], nil),
    (["(other releases)"], "(other releases)"),
  ])
  func `of several releases at the same moment the first by name is the first`(
    _ names: [String?], _ first: String?
  ) throws {
    let temporary = try TemporaryStore()
    for name in names { try temporary.store.append(.make(release: name)) }

    #expect(try temporary.store.failures().map(\.firstRelease) == [first])
    try temporary.foldAll()
    #expect(try temporary.store.failures().map(\.firstRelease) == [first])
  }
}
