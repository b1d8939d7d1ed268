import Foundation
import Testing

/// A pipe with no room: who writes to it waits.
struct FullPipe {
  let pipe = Pipe()

  init() throws {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    try #require(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0)
    // The last bytes one by one: a pipe takes all of a short piece or nothing.
    for size in [4_096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(descriptor, bytes, size) > 0 {}
    }
    try #require(fcntl(descriptor, F_SETFL, flags) >= 0)
  }
}
