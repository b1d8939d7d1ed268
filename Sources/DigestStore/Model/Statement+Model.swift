extension Statement {
  /// A count, or the nearest one that a store could have written.
  func count(at column: Int32) -> Int64 {
    min(max(0, integer(at: column)), Int64.maximumCount)
  }

  func moment(at column: Int32) -> Moment {
    Moment(milliseconds: integer(at: column))
  }
}
