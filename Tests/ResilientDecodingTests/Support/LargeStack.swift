import ResilientPlatform
import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that goes deeper than 512 KiB allow in a debug build: in a payload, or by its own
  /// code.
  ///
  /// Threads of Apple's systems have no more, but for the main one, which runs no test.
  static var needsLargeStack: Self { .enabled(if: hasLargeStack, "threads have 512 KiB") }
}

/// Whether threads have the stack that Linux gives them, unless the process is started with less.
private let hasLargeStack: Bool = {
  #if canImport(Darwin)
    false
  #else
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else {
        return false
      }
      defer { pthread_attr_destroy(attributes) }
      var size = 0
      return pthread_attr_getstacksize(attributes, &size) == 0 && size >= 4 << 20
    }
  #endif
}()
