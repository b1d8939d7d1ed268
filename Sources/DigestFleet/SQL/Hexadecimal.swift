extension [UInt8] {
  /// The bytes as hexadecimal digits.
  var hexadecimal: String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
