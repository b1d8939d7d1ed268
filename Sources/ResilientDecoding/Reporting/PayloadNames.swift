package import ResilientPlatform

/// The payload's names of the keys in a digest, if its decoder converts keys.
///
/// A path has `homePage` where the payload has `home_page`, because decoders report the key that
/// they were asked for. `convertFromSnakeCase` cannot be inverted: `imageUrl` can come from
/// `image_url` and `imageUrl`. So Foundation converts the payload's keys, and a key gets a name
/// only if the name is unambiguous. That takes one pass over the payload, made only if there is a
/// digest.
package struct PayloadNames: Sendable {
  private let payload: Data

  /// Nil if the decoder does not convert keys from snake case, or the payload may be JSON5.
  ///
  /// A custom strategy can depend on anything. JSON5 has keys without quotes.
  package init?(of payload: Data, for decoder: JSONDecoder) {
    guard case .convertFromSnakeCase = decoder.keyDecodingStrategy, !decoder.allowsJSON5 else {
      return nil
    }
    self.payload = payload
  }

  /// Returns the digest with the payload's names in its paths.
  func renamed(_ digest: ErrorDigest) -> ErrorDigest {
    let bytes = [UInt8](payload)
    // Not UTF-8: the keys could not be found.
    guard !bytes.contains(0) else { return digest }
    let paths =
      digest.entries.flatMap { [$0.codingPath, $0.recoveryPath] }
      + digest.omissions.map(\.failure.codingPath)
    let keys = Set(paths.flatMap(\.components).compactMap(\.modelKey))
    let names = NameTable(of: keys, in: bytes)
    return ErrorDigest(
      entries: digest.entries.map { entry in
        let codingPath = names.renamed(entry.codingPath)
        // The message names the key too.
        var renamed = entry.kind == .unknownKey ? .init(unknownKey: codingPath) : entry
        renamed.codingPath = codingPath
        renamed.recoveryPath = names.renamed(entry.recoveryPath)
        renamed.foundValue = entry.foundValue
        renamed.isObserved = entry.isObserved
        return renamed
      },
      omissions: digest.omissions.map { omission in
        var failure = omission.failure
        failure.codingPath = names.renamed(failure.codingPath)
        return ErrorDigest.Omission(
          failure: failure, message: omission.message, count: omission.count)
      }
    )
  }
}

/// The names of keys in one payload.
private struct NameTable {
  /// The payload's names by converted key; nil if several names become one key.
  private let presentNames: [String: String?]

  /// The snake case names of missing keys, if converting a name gives the key back.
  private let missingNames: [String: String]

  init(of keys: Set<String>, in payload: [UInt8]) {
    guard let present = try? ConvertedKey.all(of: payload.keys) else {
      // A key cannot be read: keep the model's names rather than guess.
      (presentNames, missingNames) = ([:], [:])
      return
    }
    let presentNames = Dictionary(
      present.map { ($0.converted, Optional($0.name)) },
      uniquingKeysWith: { $0?.hasSameScalars(as: $1 ?? "") == true ? $0 : nil }
    )
    let missing = keys.filter { presentNames[$0] == nil }
    // A name that cannot be converted stays the same.
    let names = (try? ConvertedKey.snakeCased(missing)) ?? []
    missingNames = Dictionary(
      names.filter { missing.contains($0.converted) }.map { ($0.converted, $0.name) },
      uniquingKeysWith: { first, _ in first }
    )
    self.presentNames = presentNames
  }

  func renamed(_ path: ErrorDigest.Path) -> ErrorDigest.Path {
    ErrorDigest.Path(
      path.components.map { component in
        switch component {
        case .key(let key):
          .key((presentNames[key] ?? missingNames[key]) ?? key)
        case .dictionaryKey(let key):
          // A key that the decoder has not converted is the payload's name already.
          .dictionaryKey((presentNames[key] ?? nil) ?? key)
        case .index, .anyIndex, .anyDictionaryKey: component
        }
      })
  }
}

extension ErrorDigest.Path.Component {
  fileprivate var modelKey: String? {
    if case .key(let key) = self { key } else { nil }
  }
}

/// A payload's key, and the key to which a decoder converts it.
private struct ConvertedKey: Decodable {
  let name: String
  let converted: String

  init(from decoder: any Decoder) throws {
    // The keys of a dictionary are not converted.
    let names = try decoder.singleValueContainer().decode([String: Int].self).keys
    let keys = try decoder.container(keyedBy: DictionaryKey.self).allKeys
    guard let name = names.first, let key = keys.first else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "There is no key"))
    }
    self.name = name
    converted = key.stringValue
  }

  /// Converts keys, each of which is a JSON string.
  static func all(of keys: Set<ArraySlice<UInt8>>) throws -> [Self] {
    let objects = keys.map { Array("{".utf8) + $0 + Array(":0}".utf8) }
    return try all(in: Data("[".utf8) + objects.joined(separator: ",".utf8) + Data("]".utf8))
  }

  /// Converts keys to snake case and back.
  static func snakeCased(_ keys: Set<String>) throws -> [Self] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try all(in: encoder.encode(keys.map(ObjectWithKey.init)))
  }

  private static func all(in objects: Data) throws -> [Self] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Self].self, from: objects)
  }
}

/// An object with one member, whose key the encoder converts.
private struct ObjectWithKey: Encodable {
  let key: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DictionaryKey.self)
    try container.encode(0, forKey: DictionaryKey(stringValue: key))
  }
}

extension [UInt8] {
  /// The keys of all objects in JSON, in quotes (RFC 8259, section 4).
  ///
  /// A string is a key if a colon follows it.
  fileprivate var keys: Set<ArraySlice<UInt8>> {
    var keys: Set<ArraySlice<UInt8>> = []
    var position = startIndex
    while let start = self[position...].firstIndex(of: UInt8(ascii: "\"")),
      let end = endOfString(from: start + 1)
    {
      position = end + 1
      let next = self[position...].first { !" \t\r\n".utf8.contains($0) }
      if next == UInt8(ascii: ":") { keys.insert(self[start...end]) }
    }
    return keys
  }

  private func endOfString(from start: Int) -> Int? {
    var position = start
    while position < endIndex {
      switch self[position] {
      case UInt8(ascii: "\""): return position
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return nil
  }
}
