/// Reads rows in ClickHouse's format `RowBinary`: numbers with the lowest byte first, and texts after their
/// length in bytes, 7 bits a byte. A value is read as the type that its column has.
struct RowBinaryReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type = Integer.self
  ) throws -> Integer {
    let size = MemoryLayout<Integer>.size
    guard bytes.count - position >= size else { throw ClickHouseError.unreadable }
    defer { position += size }
    return bytes.withUnsafeBytes {
      Integer(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Integer.self))
    }
  }

  /// A count, at most the largest that a store has: rows may come from anyone who can write the tables.
  mutating func count() throws -> Int64 {
    Int64(min(try integer(UInt64.self), UInt64(ClickHouseSchema.maximumCount)))
  }

  mutating func string() throws -> ArraySlice<UInt8> {
    var length = 0
    var shift = 0
    while true {
      let byte = try integer(UInt8.self)
      length |= Int(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
      guard shift < 35 else { throw ClickHouseError.unreadable }
    }
    guard bytes.count - position >= length else { throw ClickHouseError.unreadable }
    defer { position += length }
    return bytes[position..<position + length]
  }

  mutating func text() throws -> String { String(decoding: try string(), as: UTF8.self) }

  mutating func optionalText() throws -> String? {
    try integer(UInt8.self) == 0 ? try text() : nil
  }

  mutating func id() throws -> FleetID {
    FleetID(try integer(UInt64.self), try integer(UInt64.self))
  }
}

extension ClickHouseError {
  /// The error for an answer that ends within a row.
  fileprivate static let unreadable = ClickHouseError(
    code: 0, message: "the answer of the server cannot be read")
}
