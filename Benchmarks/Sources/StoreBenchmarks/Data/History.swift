import Foundation

/// Digests over 800 hours, one after the other at equal distances.
struct History {
  static let hours = 800

  /// 1 January 2026, 00:17 UTC: no period begins here.
  static let start: Int64 = 1_767_226_620_000

  let incidents: [Incident]
  let digests: Int

  init(_ shape: Shape, occurrences: Int) throws {
    incidents = try Incident.all(of: shape, repetitions: shape == .few ? 60 : 6)
    digests = occurrences / Incident.errors
  }

  /// Hands over which incident each digest is, its moment in milliseconds since 1970, its release.
  func replay(_ body: (Int, Int64, String) throws -> Void) rethrows {
    var random = SplitMix(state: 7)
    let length = Int64(Self.hours) * 3_600_000
    for digest in 0..<digests {
      let offset = Int64(digest) * length / Int64(digests)
      let incident = Int(random.next() % UInt64(incidents.count))
      try body(incident, Self.start + offset, Self.release(at: offset))
    }
  }

  /// A release lives for a hundred hours.
  private static func release(at offset: Int64) -> String {
    "4.\(offset / 360_000_000).0"
  }
}
