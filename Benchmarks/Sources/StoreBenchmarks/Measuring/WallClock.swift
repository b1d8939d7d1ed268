import Foundation

/// Measures elapsed time, because a flush waits for disks and other threads, which processor time
/// leaves out.
enum WallClock {
  /// Seconds since a fixed moment.
  static var now: Double { seconds(CLOCK_MONOTONIC) }

  /// Seconds of processor time of all threads of this process.
  static var processor: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  /// Seconds of processor time of this thread.
  static var thread: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns how many seconds a piece of work takes.
  static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = now
    try work()
    return now - start
  }
}
