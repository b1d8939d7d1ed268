extension String {
  /// The text as a literal of Swift, with an escape for what does not look like what it is.
  var swiftLiteral: String {
    let text = unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isInvisible:
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "\"\(text)\""
  }

  /// A name for a case of the text, in lower camel case: `evCharger` for `ev_charger`.
  ///
  /// Letters and digits are kept, of any script, and all else stands between words.
  var swiftCaseName: String {
    guard !isEmpty else { return "empty" }
    let name = words.reduce(into: "") { name, word in
      // 1.5 is not 15.
      if name.endsWithDigit, word.unicodeScalars.first?.isDigit == true { name += "_" }
      name += name.isEmpty ? word.lowercasedFirst : word.uppercasedFirst
    }
    guard let first = name.unicodeScalars.first else { return "value" }
    return first.isDigit ? "value\(name)" : name
  }

  /// The name as source has it: in backticks where it is a keyword.
  var swiftIdentifier: String { Self.swiftKeywords.contains(self) ? "`\(self)`" : self }

  var endsWithDigit: Bool { unicodeScalars.last?.isDigit == true }

  private var words: [String] {
    var words: [String] = []
    var isInWord = false
    for scalar in unicodeScalars {
      guard scalar.isLetter || scalar.isDigit || isInWord && scalar.isMark else {
        isInWord = false
        continue
      }
      if !isInWord { words.append("") }
      isInWord = true
      words[words.count - 1].unicodeScalars.append(scalar)
    }
    return words
  }

  /// The word at the beginning of a name: `http`, `httpError` and `iPhone`.
  private var lowercasedFirst: String {
    let scalars = Array(unicodeScalars)
    var capitals = scalars.prefix { $0.properties.isUppercase }.count
    // The last one of several is the first one of the next word.
    if capitals > 1, capitals < scalars.count, scalars[capitals].properties.isLowercase {
      capitals -= 1
    }
    return scalars.indices.map {
      $0 < capitals ? scalars[$0].properties.lowercaseMapping : "\(scalars[$0])"
    }.joined()
  }

  /// The word inside of a name: `Charger` for `charger` and for `CHARGER`.
  private var uppercasedFirst: String {
    let isShouted = !unicodeScalars.contains { $0.properties.isLowercase }
    let rest = unicodeScalars.dropFirst().map {
      isShouted ? $0.properties.lowercaseMapping : "\($0)"
    }
    return (unicodeScalars.first?.properties.titlecaseMapping ?? "") + rest.joined()
  }

  /// What is no name of a case (The Swift Programming Language, "Lexical Structure"), without what
  /// begins with a capital.
  private static let swiftKeywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}

extension Unicode.Scalar {
  /// Whether a reader would not see it, or take it for a space.
  fileprivate var isInvisible: Bool {
    if isHidden { return true }
    return switch properties.generalCategory {
    case .spaceSeparator: self != " "
    case .format, .privateUse, .unassigned: true
    default: false
    }
  }

  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      // Fillers are letters; so is a vertical tilde, and Swift does not take it.
      !properties.isDefaultIgnorableCodePoint && self != "\u{2E2F}"
    default: false
    }
  }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark: !properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  fileprivate var isDigit: Bool { properties.generalCategory == .decimalNumber }
}
