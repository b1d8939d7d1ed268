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
  private let allowsJSON5: Bool

  /// Nil if the decoder does not convert keys from snake case.
  ///
  /// A custom strategy can depend on anything.
  package init?(of payload: Data, for decoder: JSONDecoder) {
    guard case .convertFromSnakeCase = decoder.keyDecodingStrategy else { return nil }
    self.payload = payload
    allowsJSON5 = decoder.allowsJSON5
  }

  /// Returns the digest with the payload's names in its paths.
  func renamed(_ digest: ErrorDigest) -> ErrorDigest {
    // If the keys cannot be read, all keep the model's names: a guess could be wrong.
    guard let keys = PayloadKeys.names(in: payload, allowsJSON5: allowsJSON5),
      let present = try? ConvertedKey.all(of: keys, as: .useDefaultKeys)
    else { return digest }
    let paths =
      digest.entries.flatMap { [$0.codingPath, $0.recoveryPath] }
      + digest.omissions.map(\.failure.codingPath)
    let modelKeys = Set(paths.flatMap(\.components).compactMap(\.modelKey))
    let names = NameTable(of: modelKeys, present: present)
    return ErrorDigest(
      entries: digest.entries.map { entry in
        if entry.hasFinalNames { return entry }
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

  init(of keys: Set<String>, present: [ConvertedKey]) {
    presentNames = Dictionary(
      present.map { ($0.converted, Optional($0.name)) }, uniquingKeysWith: { _, _ in nil })
    let missing = keys.subtracting(presentNames.keys)
    // A name that cannot be converted stays the same.
    let names = (try? ConvertedKey.all(of: missing, as: .convertToSnakeCase)) ?? []
    missingNames = Dictionary(
      names.filter { missing.contains($0.converted) }.map { ($0.converted, $0.name) },
      uniquingKeysWith: { first, _ in first }
    )
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

extension ErrorDigest {
  /// The digest with names that an enclosing decode does not convert.
  var withFinalNames: Self {
    Self(
      entries: entries.map { entry in
        var entry = entry
        entry.hasFinalNames = true
        return entry
      }, omissions: omissions)
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

  /// Writes names by a strategy, and converts them from snake case.
  static func all(
    of names: Set<String>, as strategy: JSONEncoder.KeyEncodingStrategy
  ) throws -> [Self] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = strategy
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Self].self, from: encoder.encode(names.map(ObjectWithKey.init)))
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
