import ResilientDecoding

/// The parts that models are made of.
enum PlainKind: String, Decodable {
  case house, cabin, tent, unknown
}

enum Kind: String, ResilientRawRepresentable {
  case house, cabin, tent, unknown

  static var decodingFallback: Self { .unknown }
}

struct Point: Decodable, Hashable {
  let x: Int
  let y: Int
}
