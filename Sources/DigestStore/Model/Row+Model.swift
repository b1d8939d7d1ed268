extension Row where Self: ~Copyable {
  /// Reads a count, limited to the range that a store can write.
  func count(at column: Int32) -> Int64 {
    min(max(0, integer(at: column)), Int64.maximumCount)
  }

  func moment(at column: Int32) -> Moment {
    Moment(milliseconds: integer(at: column))
  }
}
