import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Passes bytes on to a server on this machine until a client has sent some, and then closes its
/// connections, as a network that is cut does.
final class CuttingProxy: Sendable {
  let port: UInt16
  private let listener: Int32

  /// - Parameter limit: the number of bytes from clients that are passed on.
  init(to server: UInt16, after limit: Int) throws {
    let listener = try Self.socket()
    self.listener = listener
    var address = Self.address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard result else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      var left = limit
      while left > 0 {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        left = Self.pass(from: client, to: server, limit: left)
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// - Returns: how many bytes more may be passed on.
  private static func pass(from client: Int32, to port: UInt16, limit: Int) -> Int {
    defer { close(client) }
    guard let server = try? socket() else { return limit }
    defer { close(server) }
    var address = address(port)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return limit }
    var left = limit
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var files = [
      pollfd(fd: client, events: Int16(POLLIN), revents: 0),
      pollfd(fd: server, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&files, 2, -1) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where files[from].revents != 0 {
        let count = read(files[from].fd, &buffer, buffer.count)
        guard count > 0 else { return left }
        if from == 0 {
          left -= count
          guard left > 0 else { return 0 }
        }
        var sent = 0
        while sent < count {
          let result = buffer.withUnsafeBytes {
            send(
              files[to].fd, $0.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
          }
          guard result > 0 else { return left }
          sent += result
        }
      }
    }
    return left
  }

  private static func socket() throws -> Int32 {
    let file = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { throw POSIXError(.EMFILE) }
    return file
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}
