import Foundation
import ResilientPlatform

@testable import DigestStoreTests

/// A server on loopback that does with each request what a script says, and then goes on to answer as
/// a collector.
final class ScriptedServer: Sendable {
  enum Step: Sendable {
    /// Sends these bytes, and closes.
    case send(String)

    /// Closes without an answer, or resets the connection.
    case close
    case reset

    /// Adds the body to the store, and closes without an answer, or with a part of it.
    case loseAnswer
    case sendHalf

    /// Never answers.
    case hang

    /// What a collector does.
    case collect
  }

  private struct State {
    var script: [Step]
    var bodies: [String] = []
    var heads: [String] = []
    var isClosed = false
  }

  private let state: Locked<State>
  private let listener: Int32

  /// Imports a body, and returns the answer.
  private let collect: @Sendable (Data) throws -> String

  let url: URL

  init(_ script: [Step], collect: @escaping @Sendable (Data) throws -> String) throws {
    state = Locked(State(script: script))
    self.collect = collect
    let listener = socket(AF_INET, streamSocket, 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, length) == 0, listen(listener, 64) == 0,
          getsockname(listener, address, &length) == 0
        else { throw POSIXError(.EADDRINUSE) }
      }
    }
    url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!
    let state = state
    Thread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, !state.withLock({ $0.isClosed }) else { return }
        Self.serve(connection, state, collect)
      }
    }.start()
  }

  deinit {
    state.withLock { $0.isClosed = true }
    shutdown(listener, Int32(SHUT_RDWR))
    _ = systemClose(listener)
  }

  /// The bodies that came, and the lines before them.
  var bodies: [String] { state.withLock { $0.bodies } }
  var heads: [String] { state.withLock { $0.heads } }

  private static func serve(
    _ connection: Int32, _ state: Locked<State>, _ collect: (Data) throws -> String
  ) {
    guard let (head, body) = request(on: connection) else {
      _ = systemClose(connection)
      return
    }
    let step = state.withLock { state in
      state.heads.append(head)
      state.bodies.append(String(decoding: body, as: UTF8.self))
      return state.script.isEmpty ? .collect : state.script.removeFirst()
    }
    let answer = (try? collect(body)).map(Self.answer) ?? Self.answer("{}", status: "503 Busy")
    switch step {
    case .send(let text): write(text, to: connection)
    case .close, .loseAnswer: break
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    case .sendHalf: write(String(answer.prefix(answer.count / 2)), to: connection)
    case .hang:
      // Until the client has closed.
      var byte: UInt8 = 0
      while read(connection, &byte, 1) > 0 {}
    case .collect: write(answer, to: connection)
    }
    _ = systemClose(connection)
  }

  static func answer(_ body: String, status: String = "200 OK") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  static func answer(_ body: String) -> String { answer(body, status: "200 OK") }

  /// Reads a request with its body.
  private static func request(on connection: Int32) -> (head: String, body: Data)? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length =
          head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) } ?? 0
        if bytes.count >= end.upperBound + length {
          return (head, Data(bytes[end.upperBound..<end.upperBound + length]))
        }
      }
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  private static func write(_ text: String, to connection: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        systemSend(connection, $0.baseAddress, $0.count, noSignal)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// `close(2)` and `send(2)`, whose names are hidden by methods; and what systems call differently.
private let (systemClose, systemSend) = (close, send)
#if os(Linux)
  private let (streamSocket, noSignal) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
#else
  private let (streamSocket, noSignal) = (SOCK_STREAM, Int32(0))
#endif
