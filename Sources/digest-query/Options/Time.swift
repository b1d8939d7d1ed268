import ArgumentParser
import DigestStore
import ResilientPlatform

/// A time on the command line: an instant, or a duration ago.
struct Time {
  /// The time as it was typed.
  let text: String

  /// The duration in seconds; nil for an instant.
  let secondsAgo: Double?
  private let instant: Date

  func date(before now: Date) -> Date {
    secondsAgo.map { now.addingTimeInterval(-$0) } ?? instant
  }
}

extension Time {
  /// In seconds; a month is 30 days, and a year 365.
  private static let units: [String: Double] = [
    "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400, "mo": 30 * 86_400, "y": 365 * 86_400,
  ]

  /// The longest duration, some 300 years: no store contains anything older, as time there begins
  /// in 1970.
  private static let longest = 1e10

  /// Reads a time.
  ///
  /// - Throws: a `ValidationError` with examples.
  init(argument: String) throws {
    text = argument
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    if let unit = Self.units[String(argument.dropFirst(digits.count))], let count = Int(digits) {
      secondsAgo = min(Double(count) * unit, Self.longest)
      instant = .distantPast
    } else if let date = Self.date(argument) {
      secondsAgo = nil
      instant = date
    } else {
      throw ValidationError("write 30m, 24h, 7d, 2w, 2026-11-20 or 2026-11-20T10:00:00Z")
    }
  }

  /// Reads ISO 8601: a day in UTC, or a time with its zone.
  private static func date(_ text: String) -> Date? {
    let milliseconds = ISO8601.milliseconds(ofTime: text) ?? ISO8601.milliseconds(ofDay: text)
    return milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
  }
}
