import Foundation

/// How often a test with random data repeats.
enum Repetitions {
  /// `make test-release` sets `LONG_TESTS`. Some tests take seconds unless they are optimized, and
  /// run only there.
  static let areLong = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil

  static func count(_ short: Int, long: Int) -> Int { areLong ? long : short }
}
