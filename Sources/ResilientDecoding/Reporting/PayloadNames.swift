import ResilientPlatform

extension ErrorDigest.Path {
  /// Returns the path with the payload's names of keys: `home_page`, where a model of a decoder with
  /// `convertFromSnakeCase` has `homePage`.
  ///
  /// A key gets its name in snake case if converting that name gives the key back. The name
  /// doesn't depend on the payload: a failure has the same name in each, even if its key is missing.
  func named(by decoder: (any Decoder)?) -> Self {
    let hasNames = components.contains { $0.payloadName != nil }
    guard hasNames, decoder?.convertsFromSnakeCase == true else { return self }
    return Self(components.map { $0.payloadName.map(Component.key) ?? $0 })
  }
}

extension ErrorDigest.Path.Component {
  /// The name in snake case of a model's key, if it has another one.
  fileprivate var payloadName: String? {
    guard case .key(let key) = self, key.contains(where: \.isUppercase) else { return nil }
    let name = SnakeCase.names.withLock { names in
      if let name = names[key] { return name }
      let name = SnakeCase.name(of: key) ?? key
      // The keys are those of the app's types, unless a type takes any key.
      if names.count < SnakeCase.maximumNames { names[key] = name }
      return name
    }
    return name == key ? nil : name
  }
}

extension Decoder {
  /// Whether this is a decoder of a `JSONDecoder` that converts the payload's keys from snake case.
  ///
  /// A `Decoder` doesn't tell the strategy. Foundation's stores the options of its `JSONDecoder`, and
  /// reflection reads them: where Foundation stores them elsewhere, keys keep the model's names.
  fileprivate var convertsFromSnakeCase: Bool {
    guard isFoundations else { return false }
    let strategy = Mirror(reflecting: untraced).descendant("options", "keyDecodingStrategy")
    guard case .convertFromSnakeCase = strategy as? JSONDecoder.KeyDecodingStrategy else {
      return false
    }
    return true
  }
}

/// The conversion of keys to snake case and back, by Foundation's encoder and decoder.
private enum SnakeCase {
  /// The maximum number of keys whose names are remembered.
  static let maximumNames = 1_000

  /// The names found before, each by its key: the key itself if it has no other name.
  static let names = Locked<[String: String]>([:])

  /// Returns the name in snake case of a key; nil if converting it doesn't give the key back.
  static func name(of key: String) -> String? {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    // A key that can't be encoded has no other name.
    let object = try? decoder.decode(ObjectNames.self, from: encoder.encode(ObjectNames(key: key)))
    return object?.key == key ? object?.name : nil
  }

  /// An object with one member, whose key the strategies convert.
  private struct ObjectNames: Codable {
    let key: String
    var name: String?

    init(key: String) {
      self.key = key
    }

    init(from decoder: any Decoder) throws {
      key = try decoder.container(keyedBy: DictionaryKey.self).allKeys.first?.stringValue ?? ""
      // The keys of a dictionary aren't converted.
      name = try decoder.singleValueContainer().decode([String: Int].self).keys.first
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: DictionaryKey.self)
      try container.encode(0, forKey: DictionaryKey(stringValue: key))
    }
  }
}
