import ArgumentParser
import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A time on the command line: a moment, or so long ago.
enum Time: Equatable {
  case moment(Date)
  case ago(seconds: Double)

  func date(before now: Date) -> Date {
    switch self {
    case .moment(let date): date
    case .ago(let seconds): now.addingTimeInterval(-seconds)
    }
  }
}

extension Time {
  private static let units: [Character: Double] = [
    "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
  ]

  /// The longest time ago, some 300 years: no store has anything older, as time there begins in 1970.
  private static let longest = 1e10

  /// Reads a time.
  ///
  /// - Throws: a `ValidationError` with examples.
  init(argument: String) throws {
    if let unit = argument.last.flatMap({ Self.units[$0] }),
      argument.first != "+", let count = Int(argument.dropLast()), count >= 0
    {
      self = .ago(seconds: min(Double(count) * unit, Self.longest))
    } else if let date = Self.date(argument) {
      self = .moment(date)
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
