/// Writes rows in ClickHouse's format `RowBinary`; see ``RowBinaryReader``.
struct RowBinaryWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: some Collection<UInt8>) {
    append(length: text.count)
    bytes.append(contentsOf: text)
  }

  mutating func append(_ text: String) { append(text.utf8) }

  mutating func append(optional text: String?) {
    bytes.append(text == nil ? 1 : 0)
    if let text { append(text) }
  }

  mutating func append(_ id: FleetID) {
    append(id.low)
    append(id.high)
  }

  mutating func append(_ ids: [FleetID]) {
    append(length: ids.count)
    for id in ids { append(id) }
  }

  private mutating func append(length: Int) {
    var rest = length
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
