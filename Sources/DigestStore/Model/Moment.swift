import ResilientPlatform

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
