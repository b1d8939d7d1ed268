import Foundation

extension Format {
  /// Encodes a value; the keys of JSON are sorted.
  func encode(_ value: some Encodable) throws -> Data {
    if self == .json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(value)
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = self == .xml ? .xml : .binary
    return try encoder.encode(value)
  }

  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    self == .json
      ? try JSONDecoder().decode(type, from: data)
      : try PropertyListDecoder().decode(type, from: data)
  }
}
