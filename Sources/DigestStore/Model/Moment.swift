package import ResilientPlatform

/// A time in the form that the file stores: milliseconds since 1970, in the years 1970 to 9999.
struct Moment: Hashable, Comparable {
  static let earliest = Moment(milliseconds: 0)
  static let latest = Moment(milliseconds: 253_402_300_799_999)

  /// The day on which Swift was published: 2 June 2014. No app in Swift decoded anything before.
  ///
  /// A clock that shows an earlier time wasn't set: a device without a battery for its clock begins
  /// in 1970, 1980, 2000, 2001, or the year of its firmware.
  static let firstOfSwift = Moment(milliseconds: 1_401_667_200_000)

  let milliseconds: Int64

  init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Rounds a date to the nearest millisecond in the supported range.
  init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    let range = Double(Self.earliest.milliseconds)...Double(Self.latest.milliseconds)
    // The date may be NaN, for which each comparison is false.
    self.init(
      milliseconds: Int64(min(max(range.lowerBound, milliseconds), range.upperBound))
    )
  }

  var date: Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The hour since 1970 that contains the moment.
  var hour: Int64 { milliseconds / Self.hour }

  /// The length of an hour in milliseconds.
  static let hour: Int64 = 3_600_000

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.milliseconds < rhs.milliseconds
  }
}

extension Date {
  /// The day on which Swift was published: what was recorded before had a clock that wasn't set.
  package static var firstOfSwift: Date { Moment.firstOfSwift.date }
}

extension Moment {
  /// Appends the time in ISO 8601, UTC, with milliseconds: `2026-11-20T10:00:00.123Z`.
  ///
  /// A time that no store writes is limited to the supported range.
  func append(to bytes: inout [UInt8]) {
    let moment = min(max(self, .earliest), .latest)
    let (days, time) = moment.milliseconds.quotientAndRemainder(dividingBy: 24 * Self.hour)
    // If eras of 400 years begin in March, their leap days are at the end.
    let (era, day) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let number = month < 10 ? month + 3 : month - 9
    bytes.append(era * 400 + year + (number < 3 ? 1 : 0), digits: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(number, digits: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(dayOfYear - (153 * month + 2) / 5 + 1, digits: 2)
    bytes.append(UInt8(ascii: "T"))
    bytes.append(time / Self.hour, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(time / 60_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(time / 1_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: "."))
    bytes.append(time % 1_000, digits: 3)
    bytes.append(UInt8(ascii: "Z"))
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: Int64, digits: Int) {
    var divisor: Int64 = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
    while divisor > 0 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}

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
