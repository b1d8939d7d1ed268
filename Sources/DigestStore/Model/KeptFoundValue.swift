import ResilientDecoding

/// A found value in the form that the file stores. Text equal to the failure's novel value is not
/// stored again.
struct KeptFoundValue: Equatable {
  enum Text: Equatable {
    case novelValue
    case own(BinaryString)

    /// The text was cleared from the file. It equals the text of no occurrence.
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
  /// The value of the column. The novel value is stored as the integer 1, which differs from any
  /// text.
  var column: SQLiteValue {
    switch text {
    case nil, .cleared: .null
    case .novelValue: .integer(1)
    case .own(let own): .text(own.text)
    }
  }

  /// Reads the two columns of a failure; nil if there is no found value.
  init?(type: String?, column: SQLiteValue) {
    guard let type else { return nil }
    self.type = type
    switch column {
    case .null: text = nil
    case .integer: text = .novelValue
    case .text(let own): text = .own(BinaryString(own))
    }
  }

  /// Returns the members of an entry's object for the found value. Empty if it equals the known
  /// one.
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
