/// The keys of all objects at one place in a document, such as `items[]`: those that models ask
/// for, and those that the objects have.
///
/// An unknown key is one that a decoded object has and that no model asks for in the whole
/// document. So a key is known however often, in whatever order and by how many types an object is
/// decoded.
final class ObjectKeys {
  /// An object with its path.
  struct Object {
    let members: KeyedDecodingContainer<DictionaryKey>

    /// The string of the payload that has the object, if one has.
    let string: PayloadString?

    let path: ErrorDigest.Path

    init(members: KeyedDecodingContainer<DictionaryKey>, string: PayloadString?) {
      self.members = members
      self.string = string
      path = (string?.place ?? ErrorDigest.Path()).appending(members.codingPath)
    }
  }

  /// The maximum number of unknown keys that are reported for one place.
  private static let maximumReports = 100

  /// The maximum number of keys of one place to remember before it is known whether a model asks
  /// for them.
  private static let maximumKeys = 1_000

  /// The maximum number of places directly below one. Further ones are searched as one.
  private static let maximumPlaces = 1_000

  /// The maximum number of objects of one place to keep until they are decoded.
  private static let maximumPending = 1_000

  /// The number of levels above the objects.
  let depth: Int

  private var asked: Set<String> = []

  /// The types of keys that models may ask for without naming each key.
  private var accepted: [ObjectIdentifier: (String) -> Bool] = [:]

  /// The objects that have been read and are not decoded yet.
  private var pending: [(members: KeyedDecodingContainer<DictionaryKey>, string: PayloadString?)] =
    []

  /// The keys that no model had asked for when their object was decoded, each with the first object
  /// that has it.
  private var found: [String: Object] = [:]

  /// Whether there are more of these keys than can be remembered.
  private var hasMore = false

  private var places: [ErrorDigest.Path.Component: ObjectKeys] = [:]

  /// The places below that are read through containers of the current object.
  private var opened: [ObjectKeys] = []

  /// The number of values that are being decoded from the current object.
  private var level = 0

  /// Whether the last value decoded from the current object failed, and no other one has read the
  /// object since.
  private var hasFailed = false

  /// Whether some object was decoded without an error. Only then have models asked for all keys
  /// that they know.
  private var isDecoded = false

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
  func accept<Key: CodingKey>(_ type: Key.Type) {
    let id = ObjectIdentifier(type)
    guard accepted[id] == nil else { return }
    // All names are data where one is, also those that the key type refuses.
    let isDynamic = type is any DynamicCodingKey.Type
    accepted[id] = { isDynamic || Key(stringValue: $0) != nil }
  }

  /// Adds the keys of an object, once it is decoded.
  ///
  /// - Parameter string: The string of the payload that has the object, if one has.
  func find(in members: KeyedDecodingContainer<DictionaryKey>, of string: PayloadString?) {
    hasFailed = false
    if pending.count == Self.maximumPending { findPending() }
    pending.append((members, string))
  }

  private func findPending() {
    for (members, string) in pending { findKeys(of: members, in: string) }
    pending = []
  }

  private func findKeys(
    of members: KeyedDecodingContainer<DictionaryKey>, in string: PayloadString?
  ) {
    let keys = members.allKeys.lazy.map(\.stringValue).filter { !self.asked.contains($0) }
    // The paths of keys that no model asks for are compared once for each object.
    lazy var object = Object(members: members, string: string)
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

  /// Returns the keys at a place below that a container of the current object reads.
  func opening(_ component: ErrorDigest.Path.Component) -> ObjectKeys {
    let place = at(component)
    if !opened.contains(where: { $0 === place }) { opened.append(place) }
    return place
  }

  /// Decodes a value from an object with these keys.
  ///
  /// - Throws: The error of `decode`.
  func decoding<Value>(_ decode: () throws -> Value) throws -> Value {
    let openedBefore = opened.count
    let pendingBefore = pending.count
    level += 1
    defer {
      level -= 1
      if level == 0 {
        closeOpened(from: 0)
        // Those that remain belong to a value that has failed.
        pending.removeSubrange(min(pendingBefore, pending.count)...)
        hasFailed = false
      }
    }
    do {
      let value = try decode()
      // A single value container gives the object to another type, after which this one may fail.
      if level > 1 { hasFailed = false } else if !hasFailed { setDecoded() }
      return value
    } catch {
      closeOpened(from: openedBefore)
      pending.removeSubrange(min(pendingBefore, pending.count)...)
      hasFailed = true
      throw error
    }
  }

  /// Notes that the value decoded last failed, although its error was not thrown further.
  func noteFailure() {
    hasFailed = true
  }

  private func setDecoded() {
    isDecoded = true
    findPending()
    let places = opened
    opened = []
    for place in places { place.setDecoded() }
  }

  /// Forgets the places that a failed value has read through containers.
  private func closeOpened(from index: Int) {
    let places = opened[min(index, opened.count)...]
    opened.removeSubrange(places.indices)
    for place in places {
      place.closeOpened(from: 0)
      place.pending = []
    }
  }

  /// The unknown keys at this place and below, sorted by path.
  func unknown() -> [UnknownKey] {
    unknownHere() + places.sorted { $0.key.precedes($1.key) }.flatMap { $0.value.unknown() }
  }

  private func unknownHere() -> [UnknownKey] {
    guard isDecoded, !asked.isEmpty || !accepted.isEmpty else { return [] }
    let accepted = accepted.values
    let keys = found.filter { key, _ in !accepted.contains { $0(key) } }
      .map { UnknownKey(name: $0.key, of: $0.value) }
      .sorted { $0.path.precedes($1.path) }
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
