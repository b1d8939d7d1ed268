import CResilientAtomics

/// An integer that threads and signal handlers share, for a static property.
// The standard library's `Atomic` needs newer platforms. Sendable: the memory is only accessed
// atomically.
package struct AtomicInteger: @unchecked Sendable {
  /// Never freed.
  package let address: UnsafeMutablePointer<Int>

  package init(_ value: Int) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  @inlinable package func load() -> Int { resilient_load(address) }

  @inlinable package func store(_ value: Int) { resilient_store(address, value) }

  /// Stores a value.
  ///
  /// - Returns: the value before.
  @inlinable package func exchange(_ value: Int) -> Int { resilient_exchange(address, value) }

  /// Adds a value.
  ///
  /// - Returns: the sum.
  @inlinable package func add(_ value: Int) -> Int { resilient_add(address, value) }
}
