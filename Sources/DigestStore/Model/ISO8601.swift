package import ResilientPlatform

/// Parses and formats times in the RFC 3339 profile of ISO 8601, strictly.
///
/// Foundation's own style reads 30 February as 2 March, ignores text after the time, truncates a
/// time that it should round, and slows the start of a short program.
package enum ISO8601 {
  /// Returns `2026-11-20T10:00:00.123Z`, rounded to the nearest millisecond that a store can
  /// contain.
  package static func text(_ date: Date) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    Moment(date).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses `2026-11-20T10:00:00.123Z` to milliseconds since 1970.
  ///
  /// Seconds and their fraction may be missing, a space may replace the `T`, and the zone may be
  /// `Z`, `+01:00`, `+0100` or `+01`. Digits after the milliseconds are ignored.
  ///
  /// - Returns: nil for other text, and for a date that does not exist.
  package static func milliseconds(ofTime text: String) -> Int64? {
    var scanner = Scanner(text)
    guard let day = scanner.day(), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let time = scanner.timeOfDay(), let zone = scanner.zone(), scanner.isAtEnd
    else { return nil }
    return day * 86_400_000 + time - zone
  }

  /// Parses `2026-11-20` to the milliseconds from 1970 to the beginning of that day in UTC.
  ///
  /// - Returns: nil for other text, and for a date that does not exist.
  package static func milliseconds(ofDay text: String) -> Int64? {
    var scanner = Scanner(text)
    guard let day = scanner.day(), scanner.isAtEnd else { return nil }
    return day * 86_400_000
  }
}

/// A cursor over the bytes of a text.
private struct Scanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads a date. Returns days since 1970 in the Gregorian calendar.
  mutating func day() -> Int64? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day
    else { return nil }
    // If years begin in March, their leap day is at the end.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// Reads a time. Returns milliseconds since midnight.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60
    else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    guard skip(":") else { return milliseconds }
    guard let second = number(2), second < 60 else { return nil }
    milliseconds += second * 1_000
    guard skip(".") || skip(",") else { return milliseconds }
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard !digits.isEmpty else { return nil }
    rest.removeFirst(digits.count)
    let thousandths = (digits.map { Int64($0) - 48 } + [0, 0]).prefix(3)
    return milliseconds + thousandths.reduce(0) { $0 * 10 + $1 }
  }

  /// Reads a zone. Returns its offset east of UTC in milliseconds.
  mutating func zone() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int64
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hour = number(2), hour < 24 else { return nil }
    let hasMinutes = skip(":") || !isAtEnd
    guard let minute = hasMinutes ? number(2) : 0, minute < 60 else { return nil }
    return sign * (hour * 60 + minute) * 60_000
  }

  /// Reads a number of exactly `count` digits.
  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1) - 48 }
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
