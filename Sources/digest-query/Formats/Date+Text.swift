import DigestStore
import ResilientPlatform

extension Date {
  /// The time in ISO 8601, UTC, exact to the millisecond.
  var iso8601: String { ISO8601.text(self) }

  /// The second in UTC, as in `2026-11-20 10:00:00Z`.
  var second: String {
    let text = iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))Z"
  }

  /// The minute in UTC, as in `2026-11-20 10:00`.
  var minute: String {
    let text = iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  /// The day in UTC, as in `2026-11-20`.
  var day: String { String(iso8601.prefix(10)) }
}
