/// Reads times and counts within the range that a store writes. A file may contain any number there,
/// and arithmetic on one at the ends of 64 bits would trap or never end.
extension Row where Self: ~Copyable {
  /// Reads a count: 0 to ``Swift/Int64/maximumCount``.
  func count(at column: Int32) -> Int64 {
    min(max(0, integer(at: column)), Int64.maximumCount)
  }

  /// Reads milliseconds since 1970: ``Moment/earliest`` to ``Moment/latest``.
  func moment(at column: Int32) -> Moment {
    let moment = Moment(milliseconds: integer(at: column))
    return min(max(.earliest, moment), .latest)
  }

  /// Reads milliseconds since 1970; nil for null.
  func optionalMoment(at column: Int32) -> Moment? {
    optionalInteger(at: column).map { _ in moment(at: column) }
  }

  /// Reads periods since 1970, such as hours, and returns the start of the period.
  ///
  /// - Parameter length: the length of a period in milliseconds.
  func moment(at column: Int32, inPeriodsOf length: Int64) -> Moment {
    let last = Moment.latest.milliseconds / length
    return Moment(milliseconds: min(max(0, integer(at: column)), last) * length)
  }

  /// Reads periods since 1970; nil for null.
  func optionalMoment(at column: Int32, inPeriodsOf length: Int64) -> Moment? {
    optionalInteger(at: column).map { _ in moment(at: column, inPeriodsOf: length) }
  }
}
