extension Connection {
  /// Reads all rows of a query.
  func rows<Row>(
    _ sql: String,
    _ values: [String: SQLiteValue] = [:],
    _ read: (borrowing Statement) throws -> Row
  ) throws -> [Row] {
    let statement = try Statement(self, sql)
    try statement.bind(named: values)
    var rows: [Row] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }
}

extension Statement {
  /// A count, or the nearest one that a store could have written.
  func count(at column: Int32) -> Int64 {
    min(max(0, integer(at: column)), CellEncoder.maximumCount)
  }

  func moment(at column: Int32) -> Moment {
    Moment(milliseconds: integer(at: column))
  }
}
