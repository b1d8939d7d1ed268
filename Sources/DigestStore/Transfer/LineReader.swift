#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a file line by line, in bounded memory.
struct LineReader {
  /// The longest line that is read: no digest comes near it.
  static let maximumLength = 64 << 20

  private static let newline = UInt8(ascii: "\n")

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next line without its break, or nil at the end.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read or a line is too long.
  mutating func next() throws -> Data? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: Self.newline) {
        defer { start = end + 1 }
        return Data(buffer[start..<end])
      }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      if isAtEnd {
        guard !buffer.isEmpty else { return nil }
        defer { buffer = [] }
        return Data(buffer)
      }
      guard buffer.count <= Self.maximumLength else {
        throw DigestStoreError(
          .invalidInput,
          "a line is longer than \(Self.maximumLength) bytes: this is no NDJSON"
        )
      }
      try fill()
    }
  }

  private mutating func fill() throws {
    let chunk = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
      repeat {
        count = read(descriptor, bytes.baseAddress, bytes.count)
      } while count < 0 && errno == EINTR
      if count < 0 {
        count = 0
        let reason = String(cString: strerror(errno))
        throw DigestStoreError(.inputOutput, "the input cannot be read: \(reason)")
      }
    }
    buffer += chunk
    isAtEnd = chunk.isEmpty
  }
}
