#if PostgreSQL
  import CPostgreSQL

  /// What a statement has returned.
  ///
  /// Values are read when they are asked for, out of what libpq has received.
  struct PostgreSQLRows {
    fileprivate let result: PostgreSQLResult

    init(_ result: PostgreSQLResult) { self.result = result }
  }

  extension PostgreSQLRows: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { Int(PQntuples(result.handle)) }
    subscript(position: Int) -> PostgreSQLRow {
      PostgreSQLRow(result: result, row: Int32(position))
    }
  }

  /// What libpq has received, for as long as someone reads of it.
  final class PostgreSQLResult {
    let handle: OpaquePointer?

    init(_ handle: OpaquePointer?) { self.handle = handle }

    deinit { PQclear(handle) }
  }

  struct PostgreSQLRow {
    fileprivate let result: PostgreSQLResult
    fileprivate let row: Int32

    func text(_ column: Int) -> String? {
      withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// A number; 0 for what is none.
    func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }

    func optionalInteger(_ column: Int) -> Int64? {
      guard PQfformat(result.handle, Int32(column)) == 1 else {
        return text(column).flatMap { Int64($0) }
      }
      return withBytes(column) { bytes in
        // In the order of the network, of 2, 4 or 8 bytes.
        let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
      }
    }

    /// The index that an ordinal stands for; nil for one that the statement was not given.
    func place(_ column: Int, in values: [some Any]) -> Int? {
      let place = Int(integer(column) &- 1)
      return values.indices.contains(place) ? place : nil
    }

    /// A value of type `bytea`, of a statement with parameters.
    func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } ?? [] }

    /// A value of type `bigint[]` without NULL, of a statement with parameters: dimensions, a flag and
    /// the type of the elements, length and lower bound, and for each its length and itself.
    func integers(_ column: Int) -> [Int64] {
      withBytes(column) { bytes in
        guard bytes.count > 20 else { return [] }
        return stride(from: 24, to: bytes.count - 7, by: 12).map { start in
          Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
        }
      } ?? []
    }

    /// - Returns: nil for NULL.
    func withBytes<Value>(
      _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value? {
      let column = Int32(column)
      guard PQgetisnull(result.handle, row, column) == 0 else { return nil }
      let length = Int(PQgetlength(result.handle, row, column))
      return try body(
        UnsafeRawBufferPointer(start: PQgetvalue(result.handle, row, column), count: length))
    }
  }
#endif
