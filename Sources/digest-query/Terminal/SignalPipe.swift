import ResilientPlatform

/// A pipe that receives signals as bytes, so that one `poll` waits for signals and keys.
struct SignalPipe: ~Copyable {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

  /// The end that the handler writes to; -1 without a pipe.
  private static let writing = AtomicInteger(-1)

  /// The end that becomes readable with a signal.
  let reading: Int32

  /// Directs the signals to this pipe. Only one pipe may exist at a time.
  ///
  /// - Throws: an ``ExitFailure`` if the process may not open more files.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw ExitFailure.io("no pipe for signals: \(String(cString: strerror(errno)))")
    }
    reading = ends[0]
    // A handler must never block.
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Self.writing.store(Int(ends[1]))
    for number in Self.numbers { signal(number, Self.handler) }
  }

  deinit {
    for number in Self.numbers { signal(number, SIG_DFL) }
    close(Int32(Self.writing.exchange(-1)))
    close(reading)
  }

  /// The number of the next signal; nil without one.
  func next() -> Int32? {
    var number: UInt8 = 0
    return read(reading, &number, 1) == 1 ? Int32(number) : nil
  }

  /// Ends the process by the default action of a signal.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Allocates nothing and takes no locks (POSIX, "Signal Concepts").
  private static let handler: @convention(c) (Int32) -> Void = { number in
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(Int32(writing.load()), &byte, 1)
    errno = error
  }
}
