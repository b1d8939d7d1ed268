import Foundation
import XMLCoder
import Yams

extension Format {
  /// Encodes a value and decodes it again.
  func decodeAgain<T: Codable>(_ value: T) throws -> T {
    switch self {
    case .json: return try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    case .plistXML, .plistBinary:
      let encoder = PropertyListEncoder()
      encoder.outputFormat = self == .plistXML ? .xml : .binary
      return try PropertyListDecoder().decode(T.self, from: encoder.encode(value))
    case .yaml: return try YAMLDecoder().decode(T.self, from: YAMLEncoder().encode(value))
    case .xml:
      return try XMLDecoder().decode(T.self, from: XMLEncoder().encode(value, withRootKey: "r"))
    }
  }
}
