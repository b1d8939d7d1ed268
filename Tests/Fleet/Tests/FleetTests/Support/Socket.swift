import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// TCP on the loopback interface.
enum Socket {
  static func opened() throws -> Int32 {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    try #require(descriptor >= 0)
    keep(descriptor)
    return descriptor
  }

  /// Keeps a descriptor from the processes that are started: a connection that they have is not cut.
  static func keep(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      set(SO_NOSIGPIPE, Int32(1), of: descriptor)
    #endif
  }

  static func set<Value>(_ option: Int32, _ value: Value, of socket: Int32) {
    _ = withUnsafeBytes(of: value) {
      setsockopt(socket, SOL_SOCKET, option, $0.baseAddress, socklen_t($0.count))
    }
  }

  /// Listens on a port that is free.
  static func beginListening(_ socket: Int32) throws -> UInt16 {
    let isBound = withAddress(port: 0) { bind(socket, $0, $1) == 0 }
    try #require(isBound && listen(socket, 16) == 0)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
    }
    try #require(isNamed)
    return UInt16(bigEndian: address.sin_port)
  }

  static func reach(_ port: UInt16, by socket: Int32) -> Bool {
    withAddress(port: port) { connect(socket, $0, $1) == 0 }
  }

  /// Sends what can be sent without waiting.
  static func write(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
    #if canImport(Darwin)
      let flags = MSG_DONTWAIT
    #else
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    #endif
    return send(socket, bytes.baseAddress, bytes.count, flags)
  }

  private static func withAddress<Value>(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
