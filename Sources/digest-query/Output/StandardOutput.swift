import DigestStore
import ResilientPlatform

/// The reader of stdout has gone away, as in `digest-query … | head`.
struct ClosedPipe: Error {}

/// Buffered output to stdout.
struct StandardOutput: ~Copyable {
  private static let capacity = 1 << 16

  private var buffer: [UInt8] = []

  /// Whether stdout is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Whether to print colors (https://no-color.org).
  static var usesColor: Bool {
    isSteerable && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
  }

  /// Whether stdout is a terminal with cursor control.
  static var isSteerable: Bool {
    isTerminal && (getenv("TERM").map { String(cString: $0) != "dumb" } ?? false)
  }

  /// The columns of the terminal; nil if stdout is not a terminal.
  static var width: Int? { isTerminal ? TerminalSize(ofTerminal: STDOUT_FILENO).columns : nil }

  /// Writes a line without buffering.
  ///
  /// - Throws: ``ClosedPipe``, or an ``ExitFailure`` for another error such as a full disk.
  static func print(_ line: String) throws {
    var output = StandardOutput()
    output.write(line + "\n")
    try output.flush(force: true)
  }

  /// Writes a whole text, with its line breaks.
  ///
  /// - Throws: ``ClosedPipe``, or an ``ExitFailure`` for another error such as a full disk.
  static func write(_ text: String) throws {
    var output = StandardOutput()
    output.write(text)
    try output.flush(force: true)
  }

  mutating func write(_ string: String) {
    buffer += string.utf8
  }

  /// Flushes the buffer, and then writes many bytes without copying them.
  ///
  /// - Throws: ``ClosedPipe``, or an ``ExitFailure`` for another error such as a full disk.
  mutating func send(_ bytes: ArraySlice<UInt8>) throws {
    try flush(force: true)
    try bytes.withUnsafeBytes(Self.send)
  }

  /// Writes the buffer to stdout if it is large enough or `force` is true.
  ///
  /// - Throws: ``ClosedPipe``, or an ``ExitFailure`` for another error such as a full disk.
  mutating func flush(force: Bool = false) throws {
    guard force || buffer.count >= Self.capacity else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try buffer.withUnsafeBytes(Self.send)
  }

  /// Writes the output to the disk, if stdout is a file.
  ///
  /// - Throws: an ``ExitFailure`` if that fails.
  static func synchronize() throws {
    // Only a file can be synchronized.
    guard fsync(STDOUT_FILENO) == 0 || [EINVAL, EROFS, ENOTSUP].contains(errno) else {
      throw ExitFailure.output(errno)
    }
  }

  private static func send(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = systemWrite(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest))
      if count < 0 && RepeatableCall.write.canRepeat(on: STDOUT_FILENO) { continue }
      if count < 0 && errno == EPIPE { throw ClosedPipe() }
      if count < 0 {
        throw ExitFailure.output(errno)
      }
      rest = rest.dropFirst(count)
    }
  }
}

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

/// The size of a terminal, in characters.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// The size that the terminal reports, else $COLUMNS and $LINES, else 80 by 24.
  init(ofTerminal descriptor: Int32) {
    var size = winsize()
    _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    columns = size.ws_col > 0 ? Int(size.ws_col) : Self.number("COLUMNS") ?? 80
    rows = size.ws_row > 0 ? Int(size.ws_row) : Self.number("LINES") ?? 24
  }

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
