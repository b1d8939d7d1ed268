/// The rows that a statement has returned. A value is read when it is asked for.
struct PostgreSQLRows: RandomAccessCollection {
  private let result: LibPQResult

  init(_ result: LibPQResult) { self.result = result }

  var startIndex: Int { 0 }
  var endIndex: Int { result.count }
  subscript(position: Int) -> PostgreSQLRow { PostgreSQLRow(result: result, row: position) }
}

struct PostgreSQLRow {
  private let result: LibPQResult
  private let row: Int

  init(result: LibPQResult, row: Int) {
    self.result = result
    self.row = row
  }

  func text(_ column: Int) -> String? {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A number; 0 for NULL.
  func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }

  func optionalInteger(_ column: Int) -> Int64? {
    guard result.isBinary(column: column) else { return text(column).flatMap { Int64($0) } }
    return withBytes(column) { bytes in
      // 2, 4 or 8 bytes in network order.
      let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
      return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }
  }

  /// The index of the value with an ordinal, which counts from 1; nil for an ordinal out of range.
  func place(_ column: Int, in values: [some Any]) -> Int? {
    let place = Int(integer(column) &- 1)
    return values.indices.contains(place) ? place : nil
  }

  /// A value of type `bytea`. The statement must have parameters.
  func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } ?? [] }

  /// A value of type `bigint[]` without NULL. The statement must have parameters.
  ///
  /// The header is the number of dimensions, a flag, the type of the elements, the length and the lower
  /// bound. Each element follows its length.
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
    try result.withBytes(row: row, column: column, body)
  }
}
