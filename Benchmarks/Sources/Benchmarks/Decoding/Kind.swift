import ResilientDecoding

/// An enum that has a case for what it does not know.
enum Kind: String, ResilientRawRepresentable {
  case house, cabin, tent, unknown

  static var decodingFallback: Self { .unknown }
}

/// The same as plain models have it.
enum PlainKind: String, Decodable {
  case house, cabin, tent, unknown
}
