import Foundation

/// How often a test with random data repeats.
enum Repetitions {
  /// `make test-long` sets `LONG_TESTS`. Some tests take many seconds, and run only there.
  static let areLong = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil

  static func count(_ short: Int, long: Int) -> Int { areLong ? long : short }
}
