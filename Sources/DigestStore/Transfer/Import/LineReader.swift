import ResilientPlatform

/// Reads a file line by line, in bounded memory.
struct LineReader {
  /// The longest line to read, in bytes.
  static let maximumLength = 2 * DigestRecord.maximumLength

  /// The number of bytes per read.
  private static let chunk = 1 << 16

  private let descriptor: Int32
  private let copy: Int32?
  private let beforeReading: ((Int) throws -> Void)?
  private var buffer: [UInt8] = []
  private var start = 0
  private var left: Int?
  private var isAtEnd = false

  /// Whether the beginning of a line that is too long was dropped.
  private var isPassingOver = false

  /// The number of bytes read from the file.
  private(set) var length = 0

  /// - Parameters:
  ///   - descriptor: the open file, read from its current position.
  ///   - maximumLength: the most bytes to read; nil for all.
  ///   - copy: a file that everything read is copied to.
  ///   - beforeReading: called with the length so far before each read, which may take any time,
  ///     and after a signal has interrupted one. Its errors are rethrown.
  init(
    descriptor: Int32,
    upTo maximumLength: Int? = nil,
    copyingTo copy: Int32? = nil,
    beforeReading: ((Int) throws -> Void)? = nil
  ) {
    self.descriptor = descriptor
    self.copy = copy
    self.beforeReading = beforeReading
    left = maximumLength
  }

  /// Calls `body` with the first bytes of the file, before a line is read: with `count` bytes, or
  /// with all of a shorter file.
  mutating func peek<Result>(
    _ count: Int, _ body: (ArraySlice<UInt8>) throws -> Result
  ) throws -> Result {
    while buffer.count < count, !isAtEnd { try fill() }
    return try body(buffer.prefix(count))
  }

  /// Calls `body` with the next line without its line break, or with nil for a line that is too
  /// long.
  ///
  /// - Returns: the result of `body`, or nil at the end.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  mutating func next<Result>(
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result? {
    var searched = start
    while true {
      if let end = newline(from: searched) {
        defer { start = end + 1 }
        return try hand(start..<end, to: body)
      }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      if isAtEnd {
        guard !buffer.isEmpty || isPassingOver else { return nil }
        defer { buffer = [] }
        return try hand(0..<buffer.count, to: body)
      }
      if buffer.count > Self.maximumLength {
        isPassingOver = true
        buffer = []
        searched = 0
      }
      try fill()
    }
  }

  private mutating func hand<Result>(
    _ range: Range<Int>,
    to body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    guard !isPassingOver, range.count <= Self.maximumLength else {
      isPassingOver = false
      return try body(nil)
    }
    return try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  private func newline(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func fill() throws {
    let wanted = min(Self.chunk, left ?? Self.chunk)
    let chunk = try [UInt8](unsafeUninitializedCapacity: wanted) { bytes, count in
      guard wanted > 0 else { return }
      repeat {
        try beforeReading?(length)
        count = read(descriptor, bytes.baseAddress, wanted)
      } while count < 0 && RepeatableCall.read.canRepeat(on: descriptor)
      if count < 0 {
        count = 0
        let reason = String(cString: strerror(errno))
        throw DigestStoreError(.inputOutput, "the input cannot be read: \(reason)")
      }
    }
    if let copy { try Self.write(chunk, to: copy) }
    buffer += chunk
    length += chunk.count
    left = left.map { $0 - chunk.count }
    isAtEnd = chunk.isEmpty
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = systemWrite(descriptor, part.baseAddress, part.count)
        if count < 0 && RepeatableCall.write.canRepeat(on: descriptor) { continue }
        if count < 0 {
          let reason = String(cString: strerror(errno))
          throw DigestStoreError(
            .inputOutput,
            "the input cannot be kept in a temporary file: \(reason); import it from a file"
          )
        }
        rest = rest.dropFirst(count)
      }
    }
  }
}

/// `write(2)`, whose name is hidden by a method.
private let systemWrite = write
