import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Signals as bytes that can be waited for together with keys.
struct SignalPipe: ~Copyable {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

  /// What a handler writes to; -1 while there is no pipe.
  private static let writing = Atomic<Int32>(-1)

  /// What becomes readable with a signal.
  let reading: Int32

  /// Has the signals come here; of these there is one at a time.
  ///
  /// - Throws: a ``Failure`` when the process may not open more files.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure.io("no pipe for signals: \(String(cString: strerror(errno)))")
    }
    reading = ends[0]
    // A handler must not wait, whatever comes.
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Self.writing.store(ends[1], ordering: .sequentiallyConsistent)
    for number in Self.numbers { signal(number, Self.handler) }
  }

  deinit {
    for number in Self.numbers { signal(number, SIG_DFL) }
    close(Self.writing.exchange(-1, ordering: .sequentiallyConsistent))
    close(reading)
  }

  /// The number of the next signal; nil when there is none.
  func next() -> Int32? {
    var number: UInt8 = 0
    return read(reading, &number, 1) == 1 ? Int32(number) : nil
  }

  /// Ends the process as a signal does that nobody waits for.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
  }

  /// No memory and no locks (POSIX, "Signal Concepts").
  private static let handler: @convention(c) (Int32) -> Void = { number in
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writing.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = error
  }
}
