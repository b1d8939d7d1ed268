/// The keys of all objects at one place in a document, such as `items[]`: those that models ask
/// for, and those that the objects have.
///
/// An unknown key is one that an object has and that no model asks for or lists in the whole
/// document. So a key is known however often, in whatever order and by how many types an object is
/// decoded. The objects of a model that fails are searched, too: a key that was renamed may be why
/// it fails.
final class ObjectKeys {
  /// An object with its path.
  struct Object {
    let members: KeyedDecodingContainer<DictionaryKey>
    let path: ErrorDigest.Path

    init(members: KeyedDecodingContainer<DictionaryKey>) {
      self.members = members
      path = ErrorDigest.Path(members.codingPath)
    }
  }

  /// The maximum number of unknown keys that are reported for one place.
  private static let maximumReports = 100

  /// The maximum number of keys of one place to remember before it is known whether a model asks
  /// for them.
  private static let maximumKeys = 1_000

  /// The maximum number of places directly below one. Further ones are searched as one.
  private static let maximumPlaces = 1_000

  /// The number of levels above the objects.
  let depth: Int

  private var asked: Set<String> = []

  /// The types of keys that models may ask for without naming each key.
  private var accepted: [any CodingKey.Type] = []

  /// The keys that no model has asked for yet, each with the first object that has it.
  private var found: [String: Object] = [:]

  /// Whether there are more of these keys than can be remembered.
  private var hasMore = false

  private var places: [ErrorDigest.Path.Component: ObjectKeys] = [:]

  init(depth: Int = 0) {
    self.depth = depth
  }

  /// Adds a key that a model asks for; all keys if it is data.
  func ask(for key: any CodingKey) {
    if let type = type(of: key) as? any DynamicCodingKey.Type { return accept(type) }
    guard asked.insert(key.stringValue).inserted else { return }
    found[key.stringValue] = nil
  }

  /// Adds all keys of a type: a model lists them, or may have stopped at an error before it asked
  /// for all.
  func accept(_ type: any CodingKey.Type) {
    if !accepts(type) { accepted.append(type) }
  }

  private func accepts(_ type: any CodingKey.Type) -> Bool { accepted.contains { $0 == type } }

  /// Adds the keys of an object, which a model reads with a type of keys.
  func find<Key: CodingKey>(
    in members: KeyedDecodingContainer<DictionaryKey>, keyedBy type: Key.Type
  ) {
    // A type that takes any name lists none.
    if !accepts(type), Key(stringValue: "\0") == nil { accept(type) }
    let keys = members.allKeys.lazy.map(\.stringValue).filter { !self.asked.contains($0) }
    // The paths of keys that no model asks for are compared once for each object.
    lazy var object = Object(members: members)
    for key in keys {
      if let known = found[key] {
        // Dictionaries are read in hash order. The first in order is the same in every run.
        if object.path.precedes(known.path) { found[key] = object }
      } else if found.count < Self.maximumKeys {
        found[key] = object
      } else {
        hasMore = true
      }
    }
  }

  /// Returns the keys at a place below.
  func at(_ component: ErrorDigest.Path.Component) -> ObjectKeys {
    let component =
      places[component] == nil && places.count >= Self.maximumPlaces
      ? .anyDictionaryKey : component.generalized
    if let place = places[component] { return place }
    let place = ObjectKeys(depth: depth + 1)
    places[component] = place
    return place
  }

  /// The unknown keys at this place and below, sorted by path.
  func unknown() -> [UnknownKey] {
    let places = Array(places).sorted { ErrorDigest.Path([$0.key]) }
    return unknownHere() + places.flatMap { $0.value.unknown() }
  }

  private func unknownHere() -> [UnknownKey] {
    guard !asked.isEmpty || !accepted.isEmpty else { return [] }
    // All names are data where one is, also those that the key type refuses.
    if accepted.contains(where: { $0 is any DynamicCodingKey.Type }) { return [] }
    let keys =
      found
      .compactMap { key, object in
        accepted.contains { $0.init(stringValue: key) != nil }
          ? nil : UnknownKey(name: key, of: object)
      }
      .sorted { $0.path }
    guard keys.count > Self.maximumReports || hasMore && keys.count == Self.maximumReports else {
      return keys
    }
    let others = UnknownKey(name: nil, of: keys[Self.maximumReports - 1].object)
    return keys.prefix(Self.maximumReports) + [others]
  }
}

/// A key of an object that no model asks for.
struct UnknownKey {
  /// Nil for all keys of the objects at this place beyond a limit.
  let name: String?

  let object: ObjectKeys.Object

  /// The path of the key.
  let path: ErrorDigest.Path

  init(name: String?, of object: ObjectKeys.Object) {
    self.name = name
    self.object = object
    path = ErrorDigest.Path(
      object.path.components + [name.map(ErrorDigest.Path.Component.key) ?? .anyDictionaryKey])
  }

  /// A decoder of the key's value, if there is one.
  var decoder: (any Decoder)? {
    name.flatMap { object.members.decoder(at: DictionaryKey(stringValue: $0)) }
  }
}
