/// A cache of recently read values, in bounded memory.
///
/// It has two generations. A full young generation becomes the old one, and a value found in the
/// old one moves back to the young one. So values in frequent use stay, and nothing has to be
/// sorted.
struct GenerationCache<Value: Sendable>: Sendable {
  private let limit: Int
  private var young: [Int64: Value] = [:]
  private var old: [Int64: Value] = [:]
  private var cost = 0
  private let costOf: @Sendable (Value) -> Int

  /// - Parameters:
  ///   - limit: the most bytes that the values of one generation may take.
  ///   - cost: returns the size of a value, in bytes.
  init(limit: Int, cost: @escaping @Sendable (Value) -> Int) {
    self.limit = limit
    costOf = cost
  }

  /// Returns the cached value of a key, or reads and caches it.
  mutating func value(_ key: Int64, _ read: () throws -> Value) rethrows -> Value {
    if let value = young[key] { return value }
    let value = try old[key] ?? read()
    cost += costOf(value)
    if cost > limit {
      old = young
      young = [:]
      cost = costOf(value)
    }
    young[key] = value
    return value
  }
}
