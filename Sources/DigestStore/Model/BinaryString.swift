#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Text that is equal when its bytes are, as SQLite has it: é is not e with an accent.
package struct BinaryString: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    // A bridged string has no bytes to hash at once.
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    // Equal bytes are the rule where two are compared, and then so are their lengths.
    guard lhs.text.utf8.count == rhs.text.utf8.count else { return false }
    return lhs.text.utf8.withContiguousStorageIfAvailable { lhs in
      rhs.text.utf8.withContiguousStorageIfAvailable { rhs in
        guard let left = lhs.baseAddress, let right = rhs.baseAddress else { return true }
        return memcmp(left, right, lhs.count) == 0
      }
    } == true
  }

  package func hash(into hasher: inout Hasher) {
    text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
