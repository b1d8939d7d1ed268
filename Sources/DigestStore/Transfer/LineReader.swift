import CSQLite
import ResilientPlatform

/// Reads a file line by line, in bounded memory.
struct LineReader {
  /// The longest line to read, in bytes.
  static let maximumLength = 2 * DigestRecord.maximumLength

  /// The number of bytes per read.
  private static let chunk = 1 << 16

  private let descriptor: Int32

  /// Called with the number of bytes read so far before each read.
  private let beforeReading: ((Int) throws -> Void)?

  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// Whether the beginning of a line that is too long was dropped.
  private var isPassingOver = false

  /// The number of bytes read from the file.
  private var length = 0

  /// Reads an open file from its current position to its end.
  ///
  /// - Parameter progress: called with the number of bytes read so far before each read, which may
  ///   take any time, and after a signal has interrupted one. Its errors are rethrown.
  /// - Throws: ``DigestStoreError`` when the file isn't open.
  init(
    descriptor: Int32, _ progress: ((DigestReader.Progress) throws -> Void)? = nil
  ) throws {
    var status = stat()
    // The next file to be opened would get the number of a closed descriptor.
    guard fstat(descriptor, &status) == 0 else { throw Self.unreadable }
    let position = lseek(descriptor, 0, SEEK_CUR)
    // Linux gives the files in /proc no size.
    let isFile = status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 && position >= 0
    let total = isFile ? Int(max(0, status.st_size - position)) : nil
    self.descriptor = descriptor
    beforeReading = progress.map { progress in
      { try progress(DigestReader.Progress(unit: .bytes, done: $0, total: total)) }
    }
  }

  /// Reads data in memory.
  init(_ data: Data) {
    descriptor = -1
    beforeReading = nil
    buffer = Array(data)
    isAtEnd = true
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
    let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
      repeat {
        try beforeReading?(length)
        count = read(descriptor, bytes.baseAddress, Self.chunk)
      } while count < 0 && RepeatableCall.read.canRepeat(on: descriptor)
      if count < 0 {
        count = 0
        throw Self.unreadable
      }
    }
    buffer += chunk
    length += chunk.count
    isAtEnd = chunk.isEmpty
  }

  /// The error of the last call that failed.
  private static var unreadable: DigestStoreError {
    let reason = String(cString: strerror(errno))
    return DigestStoreError(
      .inputOutput, "the input cannot be read: \(reason); name a file, or pipe one into it")
  }
}

/// A format that an import cannot read, found by the first bytes of the input.
enum ForeignFormat {
  /// The number of bytes to look at.
  static let prefix = 1 << 10

  /// The format and the remedy; nil if the input may be NDJSON.
  ///
  /// - Parameter bytes: the first bytes of the input, up to ``prefix`` if it is that long.
  static func problem(in bytes: some Collection<UInt8>) -> String? {
    // Without a byte order mark, a digest begins with `{`.
    let isUTF16 = [[0xFF, 0xFE], [0xFE, 0xFF], [0x7B, 0], [0, 0x7B]].contains(
      Array(bytes.prefix(2)))
    if isUTF16 {
      return "this is not UTF-8: convert it first, as iconv -f UTF-16 -t UTF-8 does"
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      return "this is compressed with gzip: decompress it first, as gunzip -c does"
    }
    if bytes.starts(with: "SQLite format 3\0".utf8) {
      return "this is a SQLite database: add a store with digest-query push"
    }
    // A message of another program may begin with a bracket, too.
    let text = bytes.lazy.filter { $0 != 0x20 && !(0x09...0x0D ~= $0) }.prefix(2)
    let isArray =
      text.first == UInt8(ascii: "[")
      && text.dropFirst().allSatisfy { "{[]".utf8.contains($0) }
    return isArray
      ? "this is a JSON array: write one object a line, as jq -c '.[]' does" : nil
  }
}

/// A problem with a line, described without quoting the line, which belongs to someone else.
struct LineProblem: Error {
  let description: String

  static let tooLong = Self(
    description: "it is longer than \(LineReader.maximumLength) bytes; write one digest a line")
}
