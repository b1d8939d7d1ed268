import DigestStore

/// A row whose values a server sends as text.
protocol TextRow: Row {}

extension TextRow {
  func integer(at column: Int32) -> Int64 { optionalInteger(at: column) ?? 0 }

  func optionalInteger(at column: Int32) -> Int64? {
    text(at: column).map { text in
      // A sum may be larger than any count. A boolean of PostgreSQL is t or f.
      Int64(text)
        ?? Double(text).map { Int64(exactly: $0.rounded(.towardZero)) ?? ($0 > 0 ? .max : .min) }
        ?? (text == "t" ? 1 : 0)
    }
  }

  func real(at column: Int32) -> Double? { text(at: column).map { Double($0) ?? 0 } }
}

/// Reads rows of ClickHouse's format `TabSeparated`.
struct TabSeparatedRows {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> TabSeparatedRow? {
    guard position < bytes.count else { return nil }
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    defer { position = end + 1 }
    return TabSeparatedRow(
      fields: bytes[position..<end].split(
        separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false))
  }
}

struct TabSeparatedRow: TextRow {
  fileprivate let fields: [ArraySlice<UInt8>]

  func text(at column: Int32) -> String? {
    let field = fields[Int(column)]
    if field.elementsEqual(#"\N"#.utf8) { return nil }
    guard field.contains(UInt8(ascii: "\\")) else { return String(decoding: field, as: UTF8.self) }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in field {
      if isEscaped {
        text.append(Self.escapes[byte] ?? byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The characters after a backslash that stand for others.
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
    UInt8(ascii: "t"): 9, UInt8(ascii: "0"): 0,
  ]
}

extension [UInt8] {
  /// Appends a row in the format `TabSeparated` of ClickHouse, or the text format of COPY
  /// (PostgreSQL manual, "COPY"), with blobs as they are.
  mutating func append(tabSeparated row: [SQLValue]) {
    for (index, value) in row.enumerated() {
      if index > 0 { append(UInt8(ascii: "\t")) }
      switch value {
      case .null: self += #"\N"#.utf8
      case .integer(let integer): self += String(integer).utf8
      case .blob(let bytes): append(escaped: bytes)
      case .text(let text), .pattern(let text): append(escaped: text.utf8)
      case .integers, .texts: preconditionFailure("a list is a parameter, and no column")
      }
    }
    append(UInt8(ascii: "\n"))
  }

  private mutating func append(escaped bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\\"): self += #"\\"#.utf8
      case UInt8(ascii: "\t"): self += #"\t"#.utf8
      case UInt8(ascii: "\n"): self += #"\n"#.utf8
      case UInt8(ascii: "\r"): self += #"\r"#.utf8
      case 0: self += #"\0"#.utf8
      default: append(byte)
      }
    }
  }
}
