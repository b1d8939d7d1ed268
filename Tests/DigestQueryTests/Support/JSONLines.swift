import Foundation
import Testing

/// The objects of NDJSON, each as JSON reads it, with the ids of ``Digest``.
func jsonObjects(_ ndjson: String) throws -> [[String: Any]] {
  try ndjson.split(separator: "\n").map { line in
    let line = Digest.withGivenIDs(String(line))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

/// One member of every object of NDJSON.
func jsonStrings(_ member: String, in ndjson: String) throws -> [String] {
  try jsonObjects(ndjson).map { try #require($0[member] as? String) }
}

extension JSONDecoder {
  /// A decoder for rows of output, whose columns have names such as `coding_path`.
  static var ofRows: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}
