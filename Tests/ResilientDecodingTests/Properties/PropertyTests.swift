import Foundation
import Testing

/// Compares decodes of random payloads into random models with an oracle.
///
/// `make properties` runs more of them, from another seed.
@Suite(.needsLargeStack)
struct PropertyTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["PROPERTY_CASES"].flatMap { Int($0) } ?? 600
  private static let seed = environment["PROPERTY_SEED"].flatMap { UInt64($0) } ?? 1

  /// The number of failures after which a run stops.
  private static let maximumFailures = 5

  @Test(arguments: 0..<2)
  func `good values are kept and every loss is reported once, in every format`(half: Int) {
    var failures = 0
    for number in stride(from: half, to: Self.count, by: 2) {
      let example = PropertyCase(seed: Self.seed &+ UInt64(number))
      let complaints = example.complaints()
      guard !complaints.isEmpty else { continue }
      Issue.record(
        """
        \(example)
        \(complaints.joined(separator: "\n"))
        Again: make properties PROPERTY_SEED=\(example.seed) PROPERTY_CASES=1
        """
      )
      failures += 1
      if failures == Self.maximumFailures { return }
    }
  }
}
