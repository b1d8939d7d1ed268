import ResilientDecoding

/// A type of the properties in random models.
protocol Specimen: Codable, Hashable {
  /// The default of providers.
  static var specimen: Self { get }

  var plain: PlainValue { get }
}

extension Int: Specimen {
  static var specimen: Self { 41 }
  var plain: PlainValue { .integer(self) }
}

extension UInt8: Specimen {
  static var specimen: Self { 41 }
  var plain: PlainValue { .integer(Int(self)) }
}

extension Double: Specimen {
  static var specimen: Self { 4.125 }
  var plain: PlainValue { .real(self) }
}

extension Bool: Specimen {
  static var specimen: Self { true }
  var plain: PlainValue { .boolean(self) }
}

extension String: Specimen {
  static var specimen: Self { "specimen" }
  var plain: PlainValue { .string(self) }
}

extension Kind: Specimen {
  static var specimen: Self { .house }
  var plain: PlainValue { .string(rawValue) }
}

extension Mood: Specimen {
  static var specimen: Self { .calm }
  var plain: PlainValue { .string(rawValue) }
}

extension Side: Specimen {
  static var specimen: Self { .right }
  var plain: PlainValue { .string(rawValue) }
}

extension Coin: Specimen {
  static var specimen: Self { .heads }
  var plain: PlainValue { .string(rawValue) }
}

extension Open: Specimen where Known: Specimen, Known.RawValue == String {
  static var specimen: Self { .known(Known.specimen) }
  var plain: PlainValue { .string(rawValue) }
}
