import ResilientDecoding
import ResilientPlatform

/// Counts clean decodes, which had no error, in memory until a transaction writes them.
///
/// Threads count in different parts, so that they rarely wait for each other. A decode with errors
/// is counted by its digest.
final class PendingDecodes: Sendable {
  struct Key: Hashable {
    let hour: Int64
    let model: String
    var context: DigestContext
  }

  private struct Part {
    /// The most keys to search one by one, which is faster than hashing their texts.
    private static let maximumRecent = 16

    /// The most operations. One may have an id in its path, and a suspended store writes nothing for
    /// hours.
    private static let maximumOperations = 2_000

    private var recent: [(key: Key, count: Int)] = []
    private var others: [Key: Int] = [:]
    private var operations: Set<BinaryString> = [BinaryString("")]

    var isEmpty: Bool { recent.isEmpty && others.isEmpty }

    mutating func add(_ count: Int, to key: Key) {
      if let index = recent.firstIndex(where: { $0.key == key }) {
        recent[index].count = recent[index].count.adding(count: count)
      } else {
        if recent.count == Self.maximumRecent { moveRecent() }
        recent.append((key, count))
      }
    }

    /// Removes and returns all counts.
    mutating func take() -> [Key: Int] {
      moveRecent()
      defer { (others, operations) = ([:], [BinaryString("")]) }
      return others
    }

    private mutating func moveRecent() {
      for (var key, count) in recent {
        let operation = BinaryString(key.context.operation)
        if operations.count < Self.maximumOperations {
          operations.insert(operation)
        } else if !operations.contains(operation) {
          key.context.operation = Overflow.operation
        }
        others[key] = (others[key] ?? 0).adding(count: count)
      }
      recent.removeAll(keepingCapacity: true)
    }
  }

  private let parts = (0..<32).map { _ in Locked(Part()) }

  /// Whether any part may have counts.
  private let hasCounts = Locked(false)

  /// Counts a decode.
  ///
  /// - Returns: whether it is the first one of its part since ``take()``.
  func add(_ key: Key, count: Int = 1) -> Bool {
    parts[Self.partOfThisThread].withLock { part in
      let isFirst = part.isEmpty
      part.add(count, to: key)
      // Within the part's lock, so that a thread that sees the count also sees this flag.
      if isFirst { hasCounts.withLock { $0 = true } }
      return isFirst
    }
  }

  var isEmpty: Bool { !hasCounts.withLock { $0 } }

  /// Removes and returns all counts.
  func take() -> [Key: Int] {
    let mayHaveCounts = hasCounts.withLock { hasCounts in
      defer { hasCounts = false }
      return hasCounts
    }
    guard mayHaveCounts else { return [:] }
    return parts.reduce(into: [:]) { sums, part in
      sums.merge(part.withLock { $0.take() }) { $0.adding(count: $1) }
    }
  }

  /// Adds counts again that could not be written.
  func restore(_ counts: [Key: Int]) {
    for (key, count) in counts { _ = add(key, count: count) }
  }

  private static var partOfThisThread: Int {
    // The address of the thread's memory, or its number.
    let thread = withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) }
    return Int(truncatingIfNeeded: (UInt64(thread) &* 0x9e37_79b9_7f4a_7c15) >> 59)
  }
}
