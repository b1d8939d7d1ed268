import Testing

@testable import DigestFleet

/// ClickHouse's format of rows.
struct RowBinaryTests {
  @Test func `a row is read as it was written`() throws {
    let long = String(repeating: "é", count: 20_000)
    var row = RowBinaryWriter()
    row.append(UInt8(1))
    row.append(Int64.min)
    row.append(UInt32.max)
    for text in ["", "a\0b\n", long] { row.append(text) }
    row.append(optional: nil)
    row.append(optional: "x")
    row.append(FleetID(of: ["a"]))

    var reader = RowBinaryReader(row.bytes)
    #expect(try reader.integer(UInt8.self) == 1)
    #expect(try reader.integer(Int64.self) == .min)
    #expect(try reader.integer(UInt32.self) == .max)
    #expect(try [reader.text(), reader.text(), reader.text()] == ["", "a\0b\n", long])
    #expect(try reader.optionalText() == nil)
    #expect(try reader.optionalText() == "x")
    #expect(try reader.id() == FleetID(of: ["a"]))
    #expect(reader.isAtEnd)
  }

  @Test func `numbers have the lowest byte first, and texts their length before them`() {
    var row = RowBinaryWriter()
    row.append(UInt32(0x0102_0304))
    row.append(String(repeating: "a", count: 300))
    row.append([FleetID(1, 2)])
    #expect(row.bytes.prefix(6) == [4, 3, 2, 1, 0xac, 2])
    #expect(row.bytes.suffix(17) == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test(
    arguments: [
      [], [5, 0x61], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], [0x80],
      [0xff, 0xff, 0xff, 0xff, 0x0f],
    ] as [[UInt8]])
  func `an answer that is cut off is an error`(bytes: [UInt8]) {
    var reader = RowBinaryReader(bytes)
    #expect(throws: ClickHouseError.self) { try reader.text() }
    var other = RowBinaryReader(Array(bytes.prefix(7)))
    #expect(throws: ClickHouseError.self) { try other.integer(Int64.self) }
  }

  @Test func `a count is at most the largest that a store has`() throws {
    var row = RowBinaryWriter()
    row.append(UInt64.max)
    var reader = RowBinaryReader(row.bytes)
    #expect(try reader.count() == 1 << 53)
  }

  @Test(arguments: [
    ("villa", "'villa'"), ("it's", #"'it\'s'"#), (#"a\"#, #"'a\\'"#), ("\0", #"'\0'"#),
    (#"\'; DROP"#, #"'\\\'; DROP'"#), ("e\u{301}'\u{301}", "'e\u{301}\\'\u{301}'"), ("", "''"),
  ])
  func `a text from outside stays within its literal`(text: String, literal: String) {
    #expect(text.sqlLiteral.unicodeScalars.elementsEqual(literal.unicodeScalars))
  }
}
