import Foundation

/// Digests over 800 hours, at equal distances.
struct History {
  static let hours = 800

  /// 1 January 2026, 00:17 UTC, which is no boundary of a period.
  static let start: Int64 = 1_767_226_620_000

  let decodes: [FailedDecode]
  let digests: Int
  private let operations: Int

  init(_ shape: Shape, occurrences: Int) throws {
    decodes = try FailedDecode.all(of: shape, repetitions: shape == .few ? 60 : 6)
    digests = occurrences / FailedDecode.errors
    operations = shape.operations
  }

  /// Passes the index of each digest's decode, its time in milliseconds since 1970, its release, and
  /// its operation to `body`.
  func replay(_ body: (Int, Int64, String, String) throws -> Void) rethrows {
    var random = SplitMix(state: 7)
    for digest in 0..<digests {
      let decode = Int(random.next() % UInt64(decodes.count))
      let moment = moment(of: digest)
      try body(
        decode, moment, Self.release(at: moment), "GET /listings/\(digest % operations)")
    }
  }

  /// When a digest is recorded. Those beyond the last one continue the history.
  func moment(of digest: Int) -> Int64 {
    Self.start + Int64(digest) * Int64(Self.hours) * 3_600_000 / Int64(digests)
  }

  /// Returns the release: a new one every hundred hours.
  private static func release(at moment: Int64) -> String {
    "4.\((moment - start) / 360_000_000).0"
  }
}
