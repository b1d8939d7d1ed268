import ResilientDecoding

/// What was found, as the file has it: a text that is the failure's novel value is not kept again.
struct KeptFoundValue: Equatable {
  enum Text: Equatable {
    case novelValue
    case own(BinaryString)

    /// One that is gone from the file, and of no occurrence.
    case cleared
  }

  /// The raw value of an `ErrorDigest.FoundValue.ValueType`.
  let type: String
  var text: Text?

  init(type: String, text: Text?) {
    self.type = type
    self.text = text
  }

  init(_ found: ErrorDigest.FoundValue, novelValue: String?) {
    type = found.type.rawValue
    text = found.text.map { text in
      let own = BinaryString(text)
      return novelValue.map(BinaryString.init) == own ? .novelValue : .own(own)
    }
  }
}

extension KeptFoundValue {
  /// The text for a column: of the novel value the number 1, which is no text.
  var column: SQLiteValue {
    switch text {
    case nil, .cleared: .null
    case .novelValue: .integer(1)
    case .own(let own): .text(own.text)
    }
  }

  /// Reads the two columns of a failure; nil where nothing was found.
  init?(type: String?, column: SQLiteValue) {
    guard let type else { return nil }
    self.type = type
    switch column {
    case .null: text = nil
    case .integer: text = .novelValue
    case .text(let own): text = .own(BinaryString(own))
    }
  }

  /// The members of an entry's object that say what was found, unless it is what is known anyway.
  static func members(of own: Self?, besides known: Self?) -> [String] {
    guard own != known else { return [] }
    guard let own else { return ["\"t\":null"] }
    let type = own.type == known?.type ? nil : "\"t\":\(own.type.jsonQuoted)"
    let text: String? =
      switch own.text {
      case nil, .cleared: type == nil ? "\"f\":null" : nil
      case .novelValue: "\"f\":1"
      case .own(let own): "\"f\":\(own.text.jsonQuoted)"
      }
    return [type, text].compactMap { $0 }
  }
}
