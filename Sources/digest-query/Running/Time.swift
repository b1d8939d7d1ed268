import ArgumentParser
import DigestStore
import ResilientPlatform

/// A time on the command line: an instant, a duration ago, or the beginning of a day.
struct Time {
  private enum Meaning {
    case instant(Date)
    case secondsAgo(Double)
    case dayAgo(Double)
  }

  /// The time as it was typed.
  let text: String
  private let meaning: Meaning

  /// The duration in seconds; nil for another time.
  var secondsAgo: Double? {
    if case .secondsAgo(let seconds) = meaning { seconds } else { nil }
  }

  /// Whether the time depends on the current one.
  var isRelative: Bool {
    if case .instant = meaning { false } else { true }
  }

  func date(before now: Date) -> Date {
    switch meaning {
    case .instant(let date): return date
    case .secondsAgo(let seconds): return now.addingTimeInterval(-seconds)
    case .dayAgo(let days):
      let today = (now.timeIntervalSince1970 / Self.day).rounded(.down)
      return Date(timeIntervalSince1970: (today - days) * Self.day)
    }
  }
}

extension Time {
  private static let day = 86_400.0

  /// In seconds; a month is 30 days, and a year 365.
  private static let units: [String: Double] = [
    "s": 1, "m": 60, "h": 3_600, "d": day, "w": 7 * day, "mo": 30 * day, "y": 365 * day,
  ]

  private static let days = ["today": 0.0, "yesterday": 1]

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
      meaning = .secondsAgo(min(Double(count) * unit, Self.longest))
    } else if let days = Self.days[argument] {
      meaning = .dayAgo(days)
    } else if let date = Date(iso8601: argument) {
      meaning = .instant(date)
    } else {
      throw ValidationError(
        Self.remedy(for: argument)
          ?? "write 30m, 24h, 7d, 2w, yesterday, 2026-11-20 or 2026-11-20T10:00:00Z")
    }
  }

  /// What to write in place of a text that is almost a time; nil if it is not.
  private static func remedy(for text: String) -> String? {
    if Date(iso8601: "\(text)Z") != nil { return "add Z for UTC: \(text)Z" }
    let lowercased = text.lowercased()
    // M may mean minutes or months. Of the others it matters only whether they can be read.
    if lowercased != text, !text.hasSuffix("M"), (try? Self(argument: lowercased)) != nil {
      return "write \(lowercased)"
    }
    let month = text.prefix(7)
    guard text.contains(/^[0-9]{4}-[0-9]{2}-[0-9]{2}/), Date(iso8601: "\(text.prefix(10))") == nil,
      let length = (28...31).last(where: { Date(iso8601: "\(month)-\($0)") != nil })
    else { return nil }
    return "\(month) has \(length) days"
  }
}

/// One side of a comparison: a release or a period.
struct DiffSide {
  let text: String

  /// The period; nil if the text is the name of a release.
  let period: Period?

  /// A window of time; nil for an open end.
  struct Period {
    let since: Time?
    let until: Time?
  }

  /// The filter of this side.
  ///
  /// - Parameter filter: the filter of both sides.
  func filter(narrowing filter: DigestFilter, before now: Date) -> DigestFilter {
    var filter = filter
    if let period {
      filter.since = period.since?.date(before: now)
      filter.until = period.until?.date(before: now)
    } else {
      filter.releases = [text]
    }
    return filter
  }
}

extension DiffSide {
  /// Reads `FROM..TO` as a period, and anything else as the name of a release.
  ///
  /// - Throws: a `ValidationError` with examples.
  init(argument: String) throws {
    text = argument
    guard let dots = argument.firstRange(of: "..") else {
      guard !argument.isEmpty else { throw Self.invalid }
      period = nil
      return
    }
    let since = try Self.time(argument[..<dots.lowerBound])
    let until = try Self.time(argument[dots.upperBound...])
    let now = Date()
    if let since, let until, since.date(before: now) >= until.date(before: now) {
      throw ValidationError("the older time comes first")
    }
    period = Period(since: since, until: until)
  }

  private static func time(_ text: Substring) throws -> Time? {
    do {
      return text.isEmpty ? nil : try Time(argument: String(text))
    } catch is ValidationError {
      throw invalid
    }
  }

  private static let invalid = ValidationError(
    "write a release such as 4.2.0, or a period such as 14d..7d, 7d.. or 2026-11-01..2026-11-08")
}

extension DiffSide.Period {
  /// The length in seconds, to the millisecond; up to now if the end is open.
  ///
  /// - Returns: nil if the beginning is open.
  func length(before now: Date) -> Double? {
    guard let since = since?.date(before: now) else { return nil }
    let length = (until?.date(before: now) ?? now).timeIntervalSince(since)
    return length > 0 ? (length * 1_000).rounded() / 1_000 : nil
  }
}

/// A share of decodes on the command line: `0.5%` or `0.005`.
struct Rate {
  /// From 0 to 1.
  let value: Double

  /// Reads a percentage, or a fraction below 1: a `1` may be meant as either.
  ///
  /// - Throws: a `ValidationError` with examples.
  init(argument: String) throws {
    let isPercent = argument.hasSuffix("%")
    let number = Double(isPercent ? String(argument.dropLast()) : argument)
    guard let number, isPercent ? 0...100 ~= number : 0..<1 ~= number else {
      throw ValidationError("write a percentage such as 0.5%, or a fraction below 1 such as 0.005")
    }
    // 0.7 / 100 is not the number nearest to 0.007; 0.7e-2 is.
    value = isPercent ? Double("\(argument.dropLast())e-2") ?? number / 100 : number
  }
}
