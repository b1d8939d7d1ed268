import ResilientPlatform

extension Date {
  /// A moment within the range of a clock, whatever the server says.
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: min(max(Double(milliseconds), -1e15), 1e15) / 1_000)
  }

  /// Milliseconds since 1970, within the range of the server.
  var milliseconds: Int64 {
    Int64(min(max((timeIntervalSince1970 * 1_000).rounded(.down), -1e15), 1e15))
  }

  /// Milliseconds since 1970 within the range that a store has, whatever the server says.
  static func clamped(milliseconds: Int64) -> Int64 {
    min(max(milliseconds, 0), 253_402_300_799_999)
  }
}
