/// An hour, a day or all time, for which the tallies of a release are packed.
struct Period: Hashable {
  /// The span of what is no period, but the releases that are counted as one with others: each is a
  /// cell, whose failure is the release's number. See ``ReleaseMerger``.
  static let merged: Int64 = -1

  /// Its length in hours: 1 or 24, or 0 for all time.
  let span: Int64

  /// Its first hour since 1970; 0 for all time.
  let start: Int64

  /// Whether a store can have counted in it.
  var isSound: Bool {
    switch span {
    case 0, Self.merged: start == 0
    case 1, 24: 0...Moment.latest.hour ~= start && start.isMultiple(of: span)
    default: false
    }
  }

  /// Its first moment, in milliseconds since 1970; 1970 where it is not sound.
  var begin: Int64 { isSound ? start * Moment.hour : 0 }

  /// Its length in milliseconds.
  var length: Int64 {
    switch span {
    case 0, Self.merged: Moment.latest.milliseconds + 1
    case 1: Moment.hour
    default: 24 * Moment.hour
    }
  }

  /// How many bytes a moment in it takes.
  var momentWidth: Int {
    switch span {
    case 0, Self.merged: 6
    case 1: 3
    default: 4
    }
  }

  /// The period of a length, in hours, that has a moment.
  static func of(_ span: Int64, at moment: Int64) -> Period {
    Period(span: span, start: moment / Moment.hour / span * span)
  }
}
