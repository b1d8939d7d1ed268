import Foundation
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Stands between a push and the server, on a loopback port of its own, and cuts their connection.
final class CutProxy: Sendable {
  enum Cut: Sendable {
    case never
    /// After so many bytes, of both directions together.
    case afterBytes(Int)
    /// The requests before arrive, and so does this one; its answer, counted from 1, does not.
    case insteadOfAnswer(Int)
    /// After so many bytes of one request nothing is read any more, and the connection stays.
    case silenceWithinRequest(Int)
  }

  /// What has passed.
  struct Traffic: Sendable {
    var bytes = 0
    var answers = 0
    var isCut = false
  }

  let port: UInt16

  private let cut: Cut
  /// Whether a cut is one that resets, rather than one that ends.
  private let resets: Bool
  private let onCut: @Sendable () -> Void
  private let listener: Int32
  private let stop: (reading: Int32, writing: Int32)
  private let ended = DispatchSemaphore(value: 0)
  private let traffic = Mutex(Traffic())

  /// Runs `body` with a proxy, which is gone when this returns.
  ///
  /// - Parameter onCut: is run at the cut, before either of the two hears of it.
  static func run<Value>(
    _ cut: Cut, resets: Bool = false, onCut: @escaping @Sendable () -> Void = {},
    _ body: (CutProxy) throws -> Value
  ) throws -> (Value, Traffic) {
    let proxy = try CutProxy(cut, resets, onCut)
    let thread = Thread { proxy.serve() }
    thread.start()
    let value = Result { try body(proxy) }
    close(proxy.stop.writing)
    proxy.ended.wait()
    return (try value.get(), proxy.traffic.withLock { $0 })
  }

  private init(_ cut: Cut, _ resets: Bool, _ onCut: @escaping @Sendable () -> Void) throws {
    self.cut = cut
    self.resets = resets
    self.onCut = onCut
    let listener = try Socket.opened()
    // What is left of a request fits into no buffer.
    if case .silenceWithinRequest = cut { Socket.set(SO_RCVBUF, Int32(4_096), of: listener) }
    do {
      port = try Socket.beginListening(listener)
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      stop = (ends[0], ends[1])
    } catch {
      close(listener)
      throw error
    }
    for end in [stop.reading, stop.writing] { Socket.keep(end) }
    self.listener = listener
  }

  private func serve() {
    defer {
      for descriptor in [listener, stop.reading] { close(descriptor) }
      ended.signal()
    }
    while !traffic.withLock({ $0.isCut }), let ready = wait(for: [(listener, POLLIN)]), ready[0] {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { continue }
      Socket.keep(client)
      defer { close(client) }
      guard let server = try? Socket.opened() else { continue }
      defer { close(server) }
      guard Socket.reach(UInt16(Server.port) ?? 0, by: server) else { continue }
      pass(client, server)
      guard traffic.withLock({ $0.isCut && resets }) else { continue }
      for socket in [client, server] {
        Socket.set(SO_LINGER, linger(l_onoff: 1, l_linger: 0), of: socket)
      }
    }
  }

  /// Passes on what the two say, until one of them ends, or the cut comes.
  private func pass(_ client: Int32, _ server: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var request = 0
    while let ready = wait(for: [(client, POLLIN), (server, POLLIN)]) {
      for (source, target) in [(client, server), (server, client)]
      where ready[source == client ? 0 : 1] {
        let count = recv(source, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        let isAnswer = source == server
        let allowed = traffic.withLock { traffic in
          if isAnswer, request > 0 { traffic.answers += 1 }
          request = isAnswer ? 0 : request + count
          let allowed = self.allowed(count, isAnswer, request, traffic)
          traffic.bytes += min(count, allowed)
          traffic.isCut = allowed < count
          return allowed
        }
        guard send(bytes[..<min(count, allowed)], to: target) else { return }
        guard allowed < count else { continue }
        onCut()
        if case .silenceWithinRequest = cut { _ = wait(for: []) }
        return
      }
    }
  }

  /// How many of the bytes that have come are passed on.
  private func allowed(
    _ count: Int, _ isAnswer: Bool, _ request: Int, _ traffic: Traffic
  ) -> Int {
    switch cut {
    case .never: count
    case .afterBytes(let limit): max(0, limit - traffic.bytes)
    case .insteadOfAnswer(let number): isAnswer && traffic.answers == number ? 0 : count
    case .silenceWithinRequest(let limit): request > limit ? 0 : count
    }
  }

  private func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard wait(for: [(socket, POLLOUT)]) != nil else { return false }
      let count = rest.withUnsafeBytes { Socket.write($0, to: socket) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits until one of some descriptors is ready.
  ///
  /// - Returns: which of them are; nil where the proxy is to stop.
  private func wait(for descriptors: [(Int32, Int32)]) -> [Bool]? {
    var polled = [pollfd(fd: stop.reading, events: Int16(POLLIN), revents: 0)]
    polled += descriptors.map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
    while poll(&polled, nfds_t(polled.count), -1) < 0 {
      guard errno == EINTR else { return nil }
    }
    return polled[0].revents == 0 ? polled[1...].map { $0.revents != 0 } : nil
  }
}

extension Database {
  /// Its URL by way of a proxy.
  func url(through proxy: CutProxy, _ parameters: String = "sslmode=require") -> String {
    "\(display(through: proxy))\(Server.isPostgreSQL ? "?\(parameters)" : "")"
  }

  /// How the tool names it then.
  func display(through proxy: CutProxy) -> String {
    display.replacing(":\(Server.port)/", with: ":\(proxy.port)/")
  }
}
