#if PostgreSQL
  import CPostgreSQL

  /// What a statement has returned.
  struct PostgreSQLRows {
    private var rows: [[String?]] = []

    init(_ result: OpaquePointer?) {
      let columns = PQnfields(result)
      rows.reserveCapacity(Int(PQntuples(result)))
      for row in 0..<PQntuples(result) {
        rows.append(
          (0..<columns).map { column in
            PQgetisnull(result, row, column) != 0
              ? nil : String(cString: PQgetvalue(result, row, column))
          })
      }
    }
  }

  extension PostgreSQLRows: RandomAccessCollection {
    var startIndex: Int { rows.startIndex }
    var endIndex: Int { rows.endIndex }
    subscript(position: Int) -> PostgreSQLRow { PostgreSQLRow(columns: rows[position]) }
  }

  struct PostgreSQLRow {
    fileprivate let columns: [String?]

    func text(_ column: Int) -> String? { columns[column] }

    /// A number; 0 for what is none.
    func integer(_ column: Int) -> Int64 { columns[column].flatMap { Int64($0) } ?? 0 }

    func optionalInteger(_ column: Int) -> Int64? { columns[column].flatMap { Int64($0) } }

    /// A value of type `bytea`, which comes in hexadecimal digits behind `\x` (PostgreSQL manual,
    /// "8.4.1. bytea Hex Format").
    func bytes(_ column: Int) -> [UInt8] {
      guard let text = columns[column] else { return [] }
      let digits = text.utf8.dropFirst(2)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(digits.count / 2)
      var high: UInt8?
      for digit in digits {
        let value =
          digit < UInt8(ascii: "a") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
        if let first = high {
          bytes.append(first << 4 | value)
          high = nil
        } else {
          high = value
        }
      }
      return bytes
    }
  }
#endif
