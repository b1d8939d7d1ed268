import ResilientPlatform

/// A coding key that is data, such as an id, and not the name of a property.
///
/// Patterns contain `*` instead of the key, as for the keys of a dictionary, so that errors in all
/// objects under such keys are one failure. Conform the key type with which an `init(from:)` reads
/// an object over `allKeys`:
///
///     struct PageID: DynamicCodingKey {
///       let stringValue: String
///       var intValue: Int? { nil }
///       init(stringValue: String) { self.stringValue = stringValue }
///       init?(intValue: Int) { nil }
///     }
///
/// A property of type `[String: Page]` needs no such key.
public protocol DynamicCodingKey: CodingKey {}

// Coding keys of this library. Decoders keep their own types of keys private.

/// A key of any name. In a path it marks a dictionary's key, which is data.
struct DictionaryKey: DynamicCodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    self.intValue = Int(stringValue)
  }

  init(intValue: Int) {
    self.stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// A key of a path: an object's, without an integer value, or an array's index.
package struct PathKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  package init(_ stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  package init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}

extension ErrorDigest.Path {
  package init(_ codingPath: [any CodingKey]) {
    self.init(codingPath.withSingleIndices.map(Component.init))
  }
}

extension [any CodingKey] {
  /// The path with one key for each index that a decoder has written twice.
  ///
  /// XMLCoder writes two keys whose text is just the number, and a third one at the end if it found
  /// nothing there.
  var withSingleIndices: [any CodingKey] {
    guard zip(self, dropFirst()).contains(where: { $0.isSameIndex(as: $1) }) else { return self }
    var path: Self = []
    for (position, key) in enumerated() {
      if let last = path.last, last.isSameIndex(as: key), let index = key.intValue {
        path[path.count - 1] = PathKey(index: index)
      } else if position != count - 1 || !self[position - 1].isSameIndex(as: key) {
        path.append(key)
      }
    }
    return path
  }
}

extension CodingKey {
  fileprivate func isSameIndex(as other: any CodingKey) -> Bool {
    guard let index = intValue, index == other.intValue, type(of: other) == Self.self else {
      return false
    }
    // A key of a model can be a number too: `1.1` isn't an index.
    return stringValue == String(index) && other.stringValue == stringValue
      && typeName(Self.self).hasSuffix(".XMLKey")
  }
}

extension ErrorDigest.Path.Component {
  /// Distinguishes an index, a dictionary's key and a property's key.
  init(_ key: any CodingKey) {
    if let index = key.intValue, key.stringValue.hasPrefix("Index ") {
      self = .index(index)
    } else if key is any DynamicCodingKey {
      self = .dictionaryKey(key.stringValue)
    } else if KeyTypes.dictionaryKeys.contains(ObjectIdentifier(type(of: key))),
      key.stringValue != "super" || KeyTypes.superKey != ObjectIdentifier(type(of: key))
    {
      self = .dictionaryKey(key.stringValue)
    } else {
      self = .key(key.stringValue)
    }
  }
}

/// The types of the keys that decoders add to a path by themselves.
///
/// They are private to the standard library and Foundation, so trial decodes reveal them: decoding
/// a dictionary, resilient or not, with any decoder, adds one of them to the path. If a trial
/// fails, all keys count as a property's.
private enum KeyTypes {
  static let dictionaryKeys: [ObjectIdentifier] = {
    let converting = JSONDecoder()
    converting.keyDecodingStrategy = .convertFromSnakeCase
    let probes = [JSONDecoder(), converting].compactMap { decoder in
      try? decoder.decode([String: DecoderTypes].self, from: Data(#"{"a":{}}"#.utf8))
    }
    return probes.compactMap { $0["a"]?.lastKey }
  }()

  /// The type of the key named `super`, under which a class decodes its superclass.
  static let superKey = (try? JSONDecoder().decode(DecoderTypes.self, from: Data("{}".utf8)))?
    .superKey
}
