#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Nobody reads any more what we write: `digest-query … | head` has seen enough.
struct ClosedPipe: Error {}

/// What is written to stdout, in large pieces.
struct StandardOutput: ~Copyable {
  private static let capacity = 1 << 16

  private var buffer: [UInt8] = []

  /// Whether a person looks at it.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Whether that person wants colours (https://no-color.org).
  static var wantsColor: Bool {
    isSteerable && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
  }

  /// Whether it is a terminal that does more than print.
  static var isSteerable: Bool {
    isTerminal && (getenv("TERM").map { String(cString: $0) != "dumb" } ?? false)
  }

  /// How many columns the terminal has; nil where nobody looks.
  static var width: Int? { isTerminal ? TerminalSize(ofTerminal: STDOUT_FILENO).columns : nil }

  /// Writes a line, at once.
  ///
  /// - Throws: ``ClosedPipe``, or a ``Failure`` when the disk is full and the like.
  static func print(_ line: String) throws {
    var output = StandardOutput()
    output.write(line + "\n")
    try output.flush(force: true)
  }

  mutating func write(_ string: String) {
    buffer += string.utf8
  }

  /// Writes out what has come together, and many bytes behind it without a copy.
  ///
  /// - Throws: ``ClosedPipe``, or a ``Failure`` when the disk is full and the like.
  mutating func send(_ bytes: ArraySlice<UInt8>) throws {
    try flush(force: true)
    try bytes.withUnsafeBytes(Self.send)
  }

  /// Writes out what has come together, if it is enough or if it has to be.
  ///
  /// - Throws: ``ClosedPipe``, or a ``Failure`` when the disk is full and the like.
  mutating func flush(force: Bool = false) throws {
    guard force || buffer.count >= Self.capacity else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try buffer.withUnsafeBytes(Self.send)
  }

  /// Has what was written be on the disk, where stdout is a file.
  ///
  /// - Throws: a ``Failure`` when the disk does not take it.
  static func synchronize() throws {
    // What is no file has nothing to wait for.
    guard fsync(STDOUT_FILENO) == 0 || [EINVAL, EROFS, ENOTSUP].contains(errno) else {
      throw Failure.output(errno)
    }
  }

  private static func send(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = systemWrite(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest))
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EPIPE { throw ClosedPipe() }
      if count < 0 {
        throw Failure.output(errno)
      }
      rest = rest.dropFirst(count)
    }
  }
}
