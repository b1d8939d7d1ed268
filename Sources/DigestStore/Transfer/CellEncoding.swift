/// How to write text cells in a table with one occurrence per row.
package struct CellEncoding: Sendable {
  /// The byte between two cells.
  package let separator: UInt8

  /// Encodes the text of a cell. It must not change a nonempty text of only ASCII letters, digits
  /// and `_.:/[]`.
  package let text: @Sendable (String) -> String

  /// Makes an encoding from its properties.
  package init(separator: UInt8, text: @escaping @Sendable (String) -> String) {
    self.separator = separator
    self.text = text
  }
}

extension CellEncoding {
  /// Appends a row of ``ErrorQuery/occurrences(_:)``, with its line break.
  func append(_ row: any Row, to bytes: inout [UInt8]) {
    let first = ErrorQuery.firstColumn
    for column in first..<ErrorQuery.pattern {
      if column > first { bytes.append(separator) }
      if column == first + 1 {
        row.moment(at: column).append(to: &bytes)
      } else if let text = row.text(at: column) {
        // Nil is an empty cell; empty text may be encoded differently.
        bytes.append(contentsOf: text.isPlainCell ? text.utf8 : self.text(text).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension String {
  /// Whether the text is not empty, and neither JSON nor any table encoding changes it.
  package var isPlainCell: Bool {
    let isPlain = utf8.withContiguousStorageIfAvailable { $0.allSatisfy(\.isPlain) }
    return !isEmpty && isPlain ?? utf8.allSatisfy(\.isPlain)
  }
}

extension UInt8 {
  /// Whether neither JSON nor any table encoding changes this byte.
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
