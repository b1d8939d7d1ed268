extension String {
  /// Whether both strings have the same Unicode scalars.
  ///
  /// `==` compares by canonical equivalence: a precomposed é equals an e with a combining accent.
  /// Payloads, stores and files distinguish the two.
  func hasSameScalars(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// The string in quotes, with the escapes of JSON (RFC 8259, section 7).
  package var jsonQuoted: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      if scalar == "\"" || scalar == "\\" {
        text += "\\"
        text.unicodeScalars.append(scalar)
      } else if scalar.properties.generalCategory == .control {
        text += scalar.escaped
      } else {
        text.unicodeScalars.append(scalar)
      }
    } + "\""
  }

  /// The text with line breaks and other control characters escaped, so that data cannot start a
  /// line.
  package var onOneLine: String {
    let isControl = { (scalar: Unicode.Scalar) in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return unicodeScalars.map { isControl($0) ? $0.escaped : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  /// The JSON escape of a scalar of the Basic Multilingual Plane (RFC 8259, section 7).
  package var escaped: String {
    switch self {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
