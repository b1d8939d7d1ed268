#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A point in time as the file has it: milliseconds since 1970, of the years 1970 to 9999.
struct Moment: Hashable, Comparable {
  static let earliest = Moment(milliseconds: 0)
  static let latest = Moment(milliseconds: 253_402_300_799_999)

  let milliseconds: Int64

  init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The millisecond of a date, or the nearest one that the file can have.
  init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    let range = Double(Self.earliest.milliseconds)...Double(Self.latest.milliseconds)
    // A date may be anything, not a number included, and comparing with that is always false.
    self.init(
      milliseconds: Int64(min(max(range.lowerBound, milliseconds), range.upperBound))
    )
  }

  var date: Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }

  /// The hour since 1970 that it is in.
  var hour: Int64 { milliseconds / Self.hour }

  /// Milliseconds in an hour.
  static let hour: Int64 = 3_600_000

  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.milliseconds < rhs.milliseconds
  }
}
