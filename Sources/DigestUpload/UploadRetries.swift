import ResilientPlatform

/// When a part is sent again. Has no clock: each failure is an event, and says how long to pause.
struct UploadRetries {
  /// How often a part is sent, and the longest pause that it waits for, in seconds.
  static let (attempts, longestPause, longestWait) = (8, 60, 600)

  private var failures = 0

  /// - Parameter random: a factor for the pause, so that apps that failed together do not come back
  ///   together.
  /// - Returns: nil if the part is not sent again.
  mutating func pause(
    after error: UploadError, random: Double = .random(in: 0.5...1)
  ) -> Duration? {
    failures += 1
    guard error.isTemporary, failures < Self.attempts else { return nil }
    if let wait = error.retryAfter {
      return wait <= Self.longestWait ? .seconds(Double(wait) + random) : nil
    }
    let pause = min(Self.longestPause, 1 << (failures - 1))
    return .seconds(Double(pause) * random)
  }
}
