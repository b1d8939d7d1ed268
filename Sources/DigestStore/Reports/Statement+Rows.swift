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
  func moment(at column: Int32) -> Moment {
    Moment(milliseconds: integer(at: column))
  }
}
