/// A parameter of a statement.
struct PostgreSQLValue {
  /// The value in the server's input syntax; nil for NULL.
  let text: String?

  static func text(_ value: String?) -> Self { Self(text: value) }
  static func integer(_ value: Int64?) -> Self { Self(text: value.map { String($0) }) }

  /// An array of numbers. With `unnest` a statement handles many rows at once.
  static func integers(_ values: some Sequence<Int64>) -> Self {
    var text = "{"
    for value in values {
      if text.utf8.count > 1 { text += "," }
      text += String(value)
    }
    return Self(text: text + "}")
  }

  /// An array of texts (PostgreSQL manual, "8.15.6. Array Input and Output Syntax").
  static func texts(_ values: some Sequence<String?>) -> Self {
    var text = "{"
    for value in values {
      if text.utf8.count > 1 { text += "," }
      guard let value else {
        text += "NULL"
        continue
      }
      text += "\""
      for scalar in value.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
        text.unicodeScalars.append(scalar)
      }
      text += "\""
    }
    return Self(text: text + "}")
  }

  /// An array of `bytea`.
  static func byteStrings(_ values: some Sequence<[UInt8]>) -> Self {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = [UInt8(ascii: "{")]
    for value in values {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += Array("\"\\\\x".utf8)
      for byte in value {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
      text.append(UInt8(ascii: "\""))
    }
    return Self(text: String(decoding: text + [UInt8(ascii: "}")], as: UTF8.self))
  }
}
