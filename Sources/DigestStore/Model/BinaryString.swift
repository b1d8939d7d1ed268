import ResilientPlatform

/// A string that compares by its UTF-8 bytes, as SQLite does: a composed é differs from a
/// decomposed one.
package struct BinaryString: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    // The bytes of a bridged string are not contiguous and cannot be hashed at once.
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    // Compared strings usually have equal bytes, and so equal lengths.
    guard lhs.text.utf8.count == rhs.text.utf8.count else { return false }
    return lhs.text.utf8.withContiguousStorageIfAvailable { lhs in
      rhs.text.utf8.withContiguousStorageIfAvailable { rhs in
        guard let left = lhs.baseAddress, let right = rhs.baseAddress else { return true }
        return memcmp(left, right, lhs.count) == 0
      }
    } == true
  }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // The end, which separates texts that are hashed one after the other.
    hasher.combine(0xFF as UInt8)
  }
}
