import CResilientAtomics

#if os(Windows)
  import WinSDK
#endif

/// The stack of the current thread.
package enum Stack {
  /// The bytes to keep for what runs between two checks: a model's initializer, Foundation's
  /// parsing of a date, and the report of an error.
  ///
  /// Foundation's `codingPath` is recursive and takes 160 bytes a level: 80 KB for the 512 levels
  /// that `JSONDecoder` parses. Everything else takes some 20 KB in a debug build, more under
  /// AddressSanitizer, and more where Swift's runtime looks up a type for the first time.
  private static let reserve: UInt = 160 << 10

  /// Whether so little is left that decoding another level might overflow it.
  ///
  /// Threads other than the main one have 512 KB on Apple's systems, and 128 KB with musl. Half of
  /// a stack can be used in any case. False on a stack that is not the thread's own, as that of a
  /// coroutine.
  package static var isLow: Bool { isLow(keeping: reserve) }

  /// Whether more than half of it is used.
  package static var isHalfUsed: Bool { isLow(keeping: .max) }

  @inline(__always)
  private static func isLow(keeping reserve: UInt) -> Bool {
    let stack = resilient_own_stack()
    if stack.pointee.size == 0 { stack.pointee = find() }
    let left = resilient_stack_address() &- stack.pointee.lowest
    return left < min(reserve, stack.pointee.size / 2)
  }

  /// Finds the stack of this thread; where there is no way to find it, a stack that is never low.
  private static func find() -> resilient_stack {
    #if canImport(Darwin)
      let size = UInt(pthread_get_stacksize_np(pthread_self()))
      let highest = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
      return resilient_stack(lowest: highest - size, size: size)
    #elseif os(Windows)
      var (lowest, highest): (ULONG_PTR, ULONG_PTR) = (0, 0)
      GetCurrentThreadStackLimits(&lowest, &highest)
      return resilient_stack(lowest: UInt(lowest), size: UInt(highest - lowest))
    #elseif os(WASI)
      return resilient_stack(lowest: 0, size: 1)
    #else
      var attributes = pthread_attr_t()
      var (lowest, size): (UnsafeMutableRawPointer?, Int) = (nil, 0)
      guard resilient_getattr(resilient_self(), &attributes) == 0 else {
        return resilient_stack(lowest: 0, size: 1)
      }
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_getstack(&attributes, &lowest, &size)
      return resilient_stack(lowest: UInt(bitPattern: lowest), size: max(1, UInt(size)))
    #endif
  }
}

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
