#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ErrorDigest.Path {
  package init(_ codingPath: [any CodingKey]) {
    self.init(codingPath.map(Component.init))
  }
}

extension ErrorDigest.Path.Component {
  /// Tells an index, a dictionary's key and a property's key apart.
  init(_ key: any CodingKey) {
    if let index = key.intValue, key.stringValue.hasPrefix("Index ") {
      self = .index(index)
    } else if dictionaryKeyTypes.contains(ObjectIdentifier(type(of: key))),
      key.stringValue != "super"
    {
      self = .dictionaryKey(key.stringValue)
    } else {
      self = .key(key.stringValue)
    }
  }
}

/// The types of the keys that decoders put into a path for a dictionary's entries.
///
/// They are private to the standard library and to Foundation, so they are learned from a decode:
/// whoever decodes a dictionary, resilient or not, on any decoder, puts one of them into the path.
private let dictionaryKeyTypes: Set<ObjectIdentifier> = {
  let converting = JSONDecoder()
  converting.keyDecodingStrategy = .convertFromSnakeCase
  let documents = [JSONDecoder(), converting].compactMap {
    try? $0.decode([String: LastKeyType].self, from: Data(#"{"a":0}"#.utf8))
  }
  return Set(documents.compactMap { $0["a"]?.identifier })
}()

/// Decodes to the type of the key under which it stands.
private struct LastKeyType: Decodable {
  let identifier: ObjectIdentifier?

  init(from decoder: any Decoder) throws {
    identifier = decoder.codingPath.last.map { ObjectIdentifier(type(of: $0)) }
  }
}
