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
