extension String {
  /// The text as a Swift literal, with escapes for scalars that are invisible or look like a space.
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

  /// A case name for the text in lower camel case: `evCharger` for `ev_charger`.
  ///
  /// Letters and digits of any script are kept. Everything else separates words.
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

  /// The name in source: in backticks if it is a keyword.
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
    // The last of several capitals begins the next word.
    if capitals > 1, capitals < scalars.count, scalars[capitals].properties.isLowercase {
      capitals -= 1
    }
    return scalars.indices.map {
      $0 < capitals ? scalars[$0].properties.lowercaseMapping : "\(scalars[$0])"
    }.joined()
  }

  /// The word within a name: `Charger` for `charger` and for `CHARGER`.
  private var uppercasedFirst: String {
    let isShouted = !unicodeScalars.contains { $0.properties.isLowercase }
    let rest = unicodeScalars.dropFirst().map {
      isShouted ? $0.properties.lowercaseMapping : "\($0)"
    }
    return (unicodeScalars.first?.properties.titlecaseMapping ?? "") + rest.joined()
  }

  /// Keywords that need backticks (The Swift Programming Language, "Lexical Structure"), except
  /// those that begin with a capital.
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
  /// Whether the scalar is invisible or looks like a space.
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
      // Fillers are letters. So is the vertical tilde, which Swift does not accept.
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
