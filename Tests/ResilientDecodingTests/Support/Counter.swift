import ResilientPlatform

/// Counts calls on any thread.
final class Counter: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }

  func increment() { count.withLock { $0 += 1 } }
}

extension CodingUserInfoKey {
  static let counter = CodingUserInfoKey(rawValue: "counter")!  // Never nil.
}

extension Decoder {
  /// Counts an attempt to decode a value here.
  func countAttempt() throws {
    let counter = userInfo[.counter] as? Counter
    counter?.increment()
    // Without a limit, a library that retries at each level would make a test run forever.
    guard counter?.value ?? 0 < 10_000 else { throw Mishap(description: "far too often") }
  }
}
