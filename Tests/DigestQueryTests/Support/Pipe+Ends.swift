import Foundation
import Testing

extension Pipe {
  /// A pipe that nobody reads.
  static func closed() throws -> Pipe {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    return pipe
  }

  /// A pipe without room, so that whoever writes to it waits.
  static func full() throws -> Pipe {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    try #require(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0)
    // The last bytes one by one: a pipe takes all of a short piece or nothing.
    for size in [4_096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(descriptor, bytes, size) > 0 {}
    }
    try #require(fcntl(descriptor, F_SETFL, flags) >= 0)
    return pipe
  }

  /// A pipe from which these bytes come.
  static func from(_ data: Data) throws -> Pipe {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: data)
    try pipe.fileHandleForWriting.close()
    return pipe
  }
}
