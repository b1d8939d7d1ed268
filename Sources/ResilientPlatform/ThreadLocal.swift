import CResilientAtomics

/// An object that belongs to the current thread while it runs a closure.
///
/// A task local would be inherited by tasks that the closure starts, which outlive it.
package enum ThreadLocal {
  /// The object of the innermost closure that this thread runs; nil outside.
  package static var object: AnyObject? {
    resilient_own_object().pointee.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` with an object.
  package static func withObject<Result>(
    _ object: AnyObject, _ body: () throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(object) {
      let place = resilient_own_object()
      let outer = place.pointee
      place.pointee = Unmanaged.passUnretained(object).toOpaque()
      defer { place.pointee = outer }
      return try body()
    }
  }
}
