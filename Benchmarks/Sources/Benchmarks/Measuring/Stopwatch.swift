import Foundation

/// Tells how long a piece of work takes.
enum Stopwatch {
  /// Runs the work once, and leaves what it has returned to be freed after the clock has stopped.
  ///
  /// - Returns: what the work has returned, and the nanoseconds of processor time it took on this
  ///   thread. Time on the wall would count what others do on the machine as well.
  static func time(_ work: Comparison.Work) throws -> (outcome: Outcome, nanoseconds: Double) {
    let start = now()
    let outcome = try work()
    let end = now()
    blackHole(outcome)
    return (outcome, Double(end - start))
  }

  private static func now() -> UInt64 {
    var time = timespec()
    let status = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    precondition(status == 0, "This thread has no clock")
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Uses a value, as far as the optimiser knows.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: borrowing Value) {}
