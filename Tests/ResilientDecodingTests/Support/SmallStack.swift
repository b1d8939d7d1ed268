import Foundation
import ResilientPlatform

/// Runs a closure on a thread with a small stack, and waits for it.
///
/// - Parameter kilobytes: The size of the stack: 512 on threads of Apple's systems other than the
///   main one, 128 with musl.
func withStack<Result: Sendable>(
  ofKilobytes kilobytes: Int, _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
  let result = Locked<Swift.Result<Result, any Error>?>(nil)
  let finished = DispatchSemaphore(value: 0)
  let thread = Thread {
    let value = Swift.Result { try body() }
    result.withLock { $0 = value }
    finished.signal()
  }
  thread.stackSize = kilobytes << 10
  thread.start()
  finished.wait()
  guard let value = result.withLock({ $0 }) else { throw Mishap(description: "no result") }
  return try value.get()
}
