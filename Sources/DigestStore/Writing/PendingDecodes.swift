import ResilientPlatform

/// Counts clean decodes, which had no error, in memory until a transaction writes them. A decode
/// with errors is counted by its digest.
///
/// All threads share one lock and one dictionary. Eight threads that do nothing else take 0.4 µs of CPU
/// a decode; with a dictionary for each thread it was 0.3 µs.
final class PendingDecodes: Sendable {
  struct DecodeKey: Hashable {
    let hour: Int64
    let model: String
    var context: DigestContext
  }

  /// The most operations. One may have an id in its path, and a suspended store writes nothing for
  /// hours.
  private static let maximumOperations = 2_000

  private struct CountedDecodes {
    var counts: [DecodeKey: Int] = [:]
    var operations: Set<BinaryString> = [BinaryString("")]
  }

  private let state = Locked(CountedDecodes())

  /// Counts a decode.
  ///
  /// - Returns: whether it is the first one since ``take()``.
  func add(_ key: DecodeKey, count: Int = 1) -> Bool {
    state.withLock { state in
      if let index = state.counts.index(forKey: key) {
        state.counts.values[index] = state.counts.values[index].adding(count: count)
        return false
      }
      let isFirst = state.counts.isEmpty
      var key = key
      let operation = BinaryString(key.context.operation)
      if state.operations.count < Self.maximumOperations {
        state.operations.insert(operation)
      } else if !state.operations.contains(operation) {
        key.context.operation = Overflow.operation
      }
      state.counts[key] = (state.counts[key] ?? 0).adding(count: count)
      return isFirst
    }
  }

  var isEmpty: Bool { state.withLock { $0.counts.isEmpty } }

  /// Removes and returns all counts.
  func take() -> [DecodeKey: Int] {
    state.withLock { state in
      defer { state = CountedDecodes() }
      return state.counts
    }
  }

  /// Adds counts again that could not be written.
  func restore(_ counts: [DecodeKey: Int]) {
    for (key, count) in counts { _ = add(key, count: count) }
  }
}
