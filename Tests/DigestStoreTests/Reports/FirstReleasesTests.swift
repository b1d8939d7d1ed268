import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// In which release a failure occurred first. `ExactCountsTests` compares it with a recount.
struct FirstReleasesTests {
  private static let start = Moment(milliseconds: 1_763_632_800_123)

  private func later(_ milliseconds: Int64) -> Moment {
    Moment(milliseconds: Self.start.milliseconds + milliseconds)
  }

  /// The first releases of the only novel value and the only failure of a store.
  private func releases(
    _ store: DigestReader, _ filter: DigestFilter = DigestFilter()
  ) throws -> [String?] {
    try store.novelValues(matching: filter).map(\.firstRelease)
      + store.failures(matching: filter).map(\.firstRelease)
  }

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
    for name in names { try temporary.store.append(.make(at: Self.start, release: name)) }

    #expect(try releases(temporary.store) == [first, first])
    try temporary.foldAll()
    #expect(try releases(temporary.store) == [first, first])
  }

  @Test func `the first is that of all time of the filter's releases, in whatever order they came`()
    throws
  {
    let temporary = try TemporaryStore()
    let hour = Moment.hour
    for (release, moment) in [("3", 50 * hour), ("2", 1), ("1", 30 * hour), ("1", 70 * hour)] {
      try temporary.store.append(.make(at: later(moment), release: release))
    }
    for _ in 0..<2 {
      for (since, until) in [
        (nil, nil), (1, nil), (2, nil), (30 * hour + 1, nil), (nil, 2), (50 * hour + 1, 90 * hour),
        (2, 50 * hour),
      ] as [(Int64?, Int64?)] {
        let filter = DigestFilter(
          since: since.map { later($0).date }, until: until.map { later($0).date })
        #expect(try releases(temporary.store, filter) == ["2", "2"], "\(filter)")
      }
      for name in ["1", "2", "3"] {
        #expect(try releases(temporary.store, DigestFilter(release: name)) == [name, name])
      }
      try temporary.foldAll()
    }
  }
}
