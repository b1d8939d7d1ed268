/// Remembers what was read last, in bounded memory.
///
/// Two generations: when the young one is full it becomes the old one, and what is asked for again
/// comes back from there. So whatever is used often stays, and nothing has to be sorted.
struct GenerationCache<Value: Sendable>: Sendable {
  private let limit: Int
  private var young: [Int64: Value] = [:]
  private var old: [Int64: Value] = [:]
  private var cost = 0
  private let costOf: @Sendable (Value) -> Int

  /// - Parameters:
  ///   - limit: what the values of one generation may cost.
  ///   - cost: how many bytes a value takes.
  init(limit: Int, cost: @escaping @Sendable (Value) -> Int) {
    self.limit = limit
    costOf = cost
  }

  /// The value for a key: the one that is remembered, or what `read` gives.
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
