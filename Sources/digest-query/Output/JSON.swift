import ResilientDecoding

/// JSON (RFC 8259) with its members in the order of the columns.
enum JSON {
  static func object(_ columns: [String], _ cells: [Cell]) -> String {
    let members = zip(columns, cells).map { column, cell in
      "\(column.jsonQuoted): \(value(cell))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// The same document for a terminal, with an escape for what would steer it.
  ///
  /// Such a scalar stands in a string, where its escape means the same; line breaks stay.
  static func forTerminal(_ document: String) -> String {
    document.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isUnprintable, scalar != "\n" {
        text += scalar.escaped
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func value(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text?.jsonQuoted ?? "null"
    case .number(let number): "\(number)"
    case .decimal(let number): number?.decimal ?? "null"
    case .flag(let flag): "\(flag)"
    case .time(let date): date.iso8601.jsonQuoted
    }
  }
}
