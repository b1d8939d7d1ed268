import Testing

@testable import DigestStore
@testable import digest_query

struct ProgressLineTests {
  @Test(
    arguments: [
      (.bytes, 1_000_000, 4_050_000, "reading: 1.0 of 4.0 MB (24 %)"),
      (.bytes, 1_270_000, nil, "reading: 1.2 MB"),
      (.digests, 0, 1_000, "importing: 0 of 1000 digests (0 %)"),
      (.digests, 1_001, 1_000, "importing: 1001 of 1000 digests (100 %)"),
      (.digests, 500, nil, "importing: 500 digests"),
      // Nothing of nothing isn't a share.
      (.rows, 0, 0, "importing: 0 rows"),
    ] as [(DigestReader.Progress.Unit, Int, Int?, String)])
  func `a line says how much is done, and of how much`(
    unit: DigestReader.Progress.Unit, done: Int, total: Int?, text: String
  ) {
    #expect(
      DigestReader.Progress(unit: unit, done: done, total: total).text(of: "importing") == text)
  }
}
