extension UInt8 {
  /// Two digits.
  var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
