import ResilientPlatform

extension Date {
  /// The length of an hour in milliseconds.
  static let hour: Int64 = 3_600_000

  /// Milliseconds since 1970, rounded down.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
