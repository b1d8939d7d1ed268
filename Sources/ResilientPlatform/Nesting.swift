import CResilientAtomics

/// The values that the current thread decodes inside each other.
package enum Nesting {
  /// Counts a value until ``leave()``.
  package static func enter() {
    resilient_own_nesting().pointee.depth += 1
  }

  /// Forgets the cost where the outermost value ends.
  package static func leave() {
    let nesting = resilient_own_nesting()
    nesting.pointee.depth -= 1
    if nesting.pointee.depth == 0 { nesting.pointee.cost = 0 }
  }

  package static var depth: Int { resilient_own_nesting().pointee.depth }

  /// Adds a cost, and returns the sum of this outermost value.
  package static func add(cost: Int) -> Int {
    let nesting = resilient_own_nesting()
    nesting.pointee.cost += cost
    return nesting.pointee.cost
  }
}
