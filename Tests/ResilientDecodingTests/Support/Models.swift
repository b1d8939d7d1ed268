import ResilientDecoding

/// Neither frozen nor with a fallback.
enum Kind: String, ResilientRawRepresentable, Encodable {
  case flat
  case house
}

/// With a fallback.
enum Mood: String, ResilientRawRepresentable, Encodable {
  case calm
  case unknown

  static var decodingFallback: Self { .unknown }
}

/// Frozen, without a fallback.
enum Side: String, ResilientRawRepresentable, Encodable {
  case left
  case right

  static var isFrozen: Bool { true }
}

/// Frozen, with a fallback.
enum Coin: String, ResilientRawRepresentable, Encodable {
  case heads
  case edge

  static var decodingFallback: Self { .edge }
  static var isFrozen: Bool { true }
}

/// Two required members.
struct Point: Decodable, Hashable {
  let x: Int
  let y: Int
}

/// An error that is not about decoding.
struct Mishap: Error, CustomStringConvertible {
  let description: String
}

/// A key of any name.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ stringValue: String) { self.stringValue = stringValue }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// Always throws an error that is not about decoding.
struct Clumsy: Decodable, Equatable {
  init(from decoder: any Decoder) throws { throw Mishap(description: "fell over") }
}

/// Decodes within a checkpoint.
struct Checked<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    value = try decoder.withReportingCheckpoint { try Value(from: decoder) }
  }
}
