import Testing

@testable import DigestStore
@testable import digest_query

/// What a line of progress says, and when.
struct ProgressPaceTests {
  /// What is said of each step: its time, unit, how many are done and of how many.
  private func texts(
    _ steps: [(Double, DigestReader.Progress.Unit, Int, Int?)]
  ) -> [String?] {
    var pace = ProgressPace(work: "importing", now: 100)
    return steps.map { time, unit, done, total in
      pace.text(DigestReader.Progress(unit: unit, done: done, total: total), now: 100 + time)
    }
  }

  @Test func `short work is not spoken of, and long work ten times a second at most`() {
    let steps = [0, 0.4, 0.5, 0.55, 0.59, 0.625, 0.7, 0.75].map {
      ($0, DigestReader.Progress.Unit.digests, Int($0 * 1_000), Int?.none)
    }
    #expect(
      texts(steps) == [
        nil, nil, "importing: 500 digests, 1000/s", nil, nil, "importing: 625 digests, 1000/s", nil,
        "importing: 750 digests, 1000/s",
      ])
  }

  @Test func `the time left is estimated from the progress since counting began`() {
    #expect(
      texts([
        (1, .bytes, 1_000_000, 4_050_000), (2, .bytes, 4_000_000, 4_050_000),
        (2, .digests, 0, 1_000), (3, .digests, 0, 1_000), (4, .digests, 500, 1_000),
        (12, .digests, 501, 20_000), (13, .digests, 600, 2_000_000),
        (20, .digests, 1_000, 1_000), (21, .digests, 1_000, nil),
      ]) == [
        "reading: 1.0 of 4.0 MB (24 %), 1.0 MB/s, 4 s left",
        "reading: 4.0 of 4.0 MB (98 %), 2.0 MB/s, 1 s left",
        nil,
        "importing: 0 of 1000 digests (0 %)",
        "importing: 500 of 1000 digests (50 %), 250/s, 2 s left",
        "importing: 501 of 20000 digests (2 %), 50/s, 7 min left",
        "importing: 600 of 2000000 digests (0 %), 54/s, 11 h left",
        "importing: 1000 of 1000 digests (100 %), 55/s, 0 s left",
        "importing: 1000 digests, 52/s",
      ])
  }

  @Test func `time before the first item does not count`() {
    #expect(
      texts([(9, .digests, 0, 1_000), (10, .digests, 100, 1_000)]) == [
        "importing: 0 of 1000 digests (0 %)",
        "importing: 100 of 1000 digests (10 %), 100/s, 9 s left",
      ])
  }

  @Test func `work that goes back begins anew`() {
    #expect(
      texts([(1, .digests, 1_000, 1_000), (2, .digests, 100, 1_000), (3, .digests, 200, 1_000)])
        == [
          "importing: 1000 of 1000 digests (100 %), 1000/s, 0 s left",
          "importing: 100 of 1000 digests (10 %)",
          "importing: 200 of 1000 digests (20 %), 100/s, 8 s left",
        ])
  }

  @Test func `nothing of nothing isn't a share`() {
    #expect(texts([(1, .digests, 0, 0)]) == ["importing: 0 digests"])
  }
}
