/// A cache of recently used values, in bounded memory.
///
/// It has two generations. A full young generation becomes the old one, and a value found in the
/// old one moves back to the young one. So values in frequent use stay, and nothing has to be
/// sorted.
struct GenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]
  private var cost = 0
  private let costOf: @Sendable (Key, Value) -> Int

  /// - Parameters:
  ///   - limit: the most bytes that the values of one generation may take.
  ///   - cost: returns the size of a key and its value, in bytes.
  init(limit: Int, cost: @escaping @Sendable (Key, Value) -> Int) {
    self.limit = limit
    costOf = cost
  }

  /// The cached value of a key.
  subscript(key: Key) -> Value? {
    mutating get {
      if let value = young[key] { return value }
      guard let value = old[key] else { return nil }
      insert(value, for: key)
      return value
    }
  }

  /// Caches a value, in place of an earlier one.
  mutating func insert(_ value: Value, for key: Key) {
    let added = costOf(key, value)
    cost += added
    if cost > limit {
      old = young
      young = [:]
      cost = added
    }
    young[key] = value
  }

  /// Returns the cached value of a key, or reads and caches it.
  mutating func value(_ key: Key, _ read: () throws -> Value) rethrows -> Value {
    if let value = self[key] { return value }
    let value = try read()
    insert(value, for: key)
    return value
  }

  mutating func removeAll() {
    young = [:]
    old = [:]
    cost = 0
  }
}
