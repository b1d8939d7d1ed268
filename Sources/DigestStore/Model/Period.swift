/// An hour, a day or all time: the period of a row of packed counts.
struct Period: Hashable {
  /// The span of a list of merged releases, which is not a period. Each count in it has the id of a
  /// release instead of a failure. See ``ReleaseMerger``.
  static let merged: Int64 = -1

  /// The length in hours: 1 or 24, or 0 for all time.
  let span: Int64

  /// The first hour since 1970; 0 for all time.
  let start: Int64

  /// Whether a store can have written this period.
  var isSound: Bool {
    switch span {
    case 0, Self.merged: start == 0
    case 1, 24: 0...Moment.latest.hour ~= start && start.isMultiple(of: span)
    default: false
    }
  }

  /// The first moment in milliseconds since 1970; 0 if the period is not sound.
  var begin: Int64 { isSound ? start * Moment.hour : 0 }

  /// The length in milliseconds.
  var length: Int64 {
    switch span {
    case 0, Self.merged: Moment.latest.milliseconds + 1
    case 1: Moment.hour
    default: 24 * Moment.hour
    }
  }

  /// The number of bytes of a packed moment.
  var momentWidth: Int {
    switch span {
    case 0, Self.merged: 6
    case 1: 3
    default: 4
    }
  }

  /// Returns the period of `span` hours that contains a moment.
  static func of(_ span: Int64, at moment: Int64) -> Period {
    Period(span: span, start: moment / Moment.hour / span * span)
  }
}
