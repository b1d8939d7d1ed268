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
    isTerminal && (getenv("TERM").map { String(cString: $0) != "dumb" } ?? false)
      && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
  }

  /// The columns of the terminal; nil if stdout is not a terminal.
  static var width: Int? { isTerminal ? width(ofTerminal: STDOUT_FILENO) : nil }

  /// The columns that a terminal reports, else $COLUMNS, else 80.
  static func width(ofTerminal descriptor: Int32) -> Int {
    var size = winsize()
    _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    if size.ws_col > 0 { return Int(size.ws_col) }
    let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 0
    return columns > 0 ? columns : 80
  }

  /// Writes a line without buffering.
  ///
  /// - Throws: ``ClosedPipe``, or an ``ExitFailure`` for another error such as a full disk.
  static func print(_ line: String) throws {
    try write(line + "\n")
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

  private static func send(_ bytes: UnsafeRawBufferPointer) throws {
    guard !writeAll(bytes, to: STDOUT_FILENO) else { return }
    if errno == EPIPE { throw ClosedPipe() }
    throw ExitFailure.output(errno)
  }
}
