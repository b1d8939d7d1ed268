/// Maps the numbers of a store, or the ids of the server, to the numbers of a report; 0 for an unknown one.
struct IDMap: Sendable {
  /// Backed by an array where the keys are dense, as they nearly always are.
  private var values: [Int64] = []
  private var sparseValues: [Int64: Int64] = [:]

  init(_ pairs: some Collection<(Int64, Int64)>) {
    let last = max(0, pairs.lazy.map { $0.0 }.max() ?? 0)
    if last <= Int64(4 * pairs.count + 1_000) {
      values = [Int64](repeating: 0, count: Int(last) + 1)
      for (key, value) in pairs where key >= 0 { values[Int(key)] = value }
    } else {
      sparseValues = Dictionary(pairs) { first, _ in first }
    }
  }

  /// Maps each id to its position, counted from 1.
  init(positionsOf ids: [Int64]) { self.init(Array(zip(ids, Int64(1)...))) }

  subscript(key: Int64) -> Int64 {
    if sparseValues.isEmpty { return values.indices.contains(Int(key)) ? values[Int(key)] : 0 }
    return sparseValues[key] ?? 0
  }
}
