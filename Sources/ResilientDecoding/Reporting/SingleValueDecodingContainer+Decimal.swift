package import ResilientPlatform

extension SingleValueDecodingContainer {
  /// Decodes a `Decimal` with the digits of the payload.
  ///
  /// Before iOS 17 and macOS 14, `JSONDecoder` makes it from a `Double`: 3.133 becomes
  /// 3.132999999999999488. The shortest text of that `Double` has the payload's digits, of which a
  /// `Double` keeps at most 17.
  ///
  /// - Parameter losesDigits: Whether the decoder may do that. Where it does not, a payload can
  ///   have the number 3.132999999999999488.
  package func decodeDecimal(
    losingDigits losesDigits: Bool = DecimalDecoding.losesDigits
  ) throws -> Decimal {
    let decimal = try decode(Decimal.self)
    // Beyond the range of `Decimal`, its initializer traps.
    guard losesDigits, let double = try? decode(Double.self),
      (1e-100...1e100).contains(double.magnitude), decimal == Decimal(double),
      let shortest = Decimal(string: double.description)
    else { return decimal }
    return shortest
  }
}

/// How `JSONDecoder` decodes a `Decimal`; a trial decode shows it.
package enum DecimalDecoding {
  package static let losesDigits: Bool = {
    let decoded = try? JSONDecoder().decode([Decimal].self, from: Data("[3.133]".utf8))
    return decoded?.first != Decimal(string: "3.133")
  }()
}
