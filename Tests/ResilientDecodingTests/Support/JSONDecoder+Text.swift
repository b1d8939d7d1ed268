import Foundation
import ResilientDecoding

extension JSONDecoder {
  /// Decodes JSON, and returns the value with its digest.
  func decodeReporting<T: Decodable>(_ type: T.Type, _ json: String) throws -> (T, ErrorDigest?) {
    try decode(type, from: Data(json.utf8), reportResilientDecodingErrors: true)
  }

  /// A decoder that converts keys from snake case.
  static var snakeCase: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}
