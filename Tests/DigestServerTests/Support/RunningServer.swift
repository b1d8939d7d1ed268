#if Server
  import Foundation
  import ResilientPlatform
  import Testing

  /// A `digest-query serve` in a folder of its own; it ends with the test.
  final class RunningServer: @unchecked Sendable {
    let folder: URL
    private let options: [String]
    private var process = Process()
    private(set) var port = 0

    /// The lines of the log.
    var log: String {
      (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
    }

    /// The executable, which lies beside the tests.
    static let tool = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
      .deletingLastPathComponent().appending(path: "digest-query")

    init(_ options: String = "", files: [String: String] = [:]) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "digest-server-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.options = options.split(separator: " ").map(String.init)
      for (name, text) in files { try write(text, to: name) }
      try start()
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file that only its owner may read.
    func write(_ text: String, to name: String) throws {
      let path = folder.appending(path: name).path
      try Data(text.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Starts the server, and waits for its address.
    func start() throws {
      process = Process()
      process.executableURL = Self.tool
      process.arguments =
        ["serve", "--listen", "127.0.0.1:\(port)", "--store", "s.sqlite"] + options
      process.currentDirectoryURL = folder
      let (output, log) = (Pipe(), folder.appending(path: "log").path)
      if !FileManager.default.fileExists(atPath: log) {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
      }
      let errors = try #require(FileHandle(forWritingAtPath: log))
      try errors.seekToEnd()
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
      var line = ""
      while !line.hasSuffix("\n") {
        let data = output.fileHandleForReading.availableData
        try #require(!data.isEmpty, "\(self.log)")
        line += String(decoding: data, as: UTF8.self)
      }
      port = try #require(Int(line.dropLast().split(separator: ":").last ?? ""))
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end of the process.
    func end() -> Int32 {
      process.waitUntilExit()
      return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Runs another command on the store.
    @discardableResult
    func run(_ arguments: String...) throws -> (status: Int32, output: Data, errors: String) {
      let process = Process()
      process.executableURL = Self.tool
      process.arguments =
        arguments + (arguments.contains("--store") ? [] : ["--store", "s.sqlite"])
      process.currentDirectoryURL = folder
      let (output, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, errors)
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, data, text)
    }
  }

  /// A connection to a server, by bytes.
  final class HTTPConnection {
    private let descriptor: Int32
    private var rest: [UInt8] = []

    init(_ port: Int) throws {
      descriptor = socket(AF_INET, streamSocket, 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard status == 0 else {
        _ = systemClose(descriptor)
        throw POSIXError(.ECONNREFUSED)
      }
    }

    deinit { _ = systemClose(descriptor) }

    @discardableResult
    func send(_ bytes: some Sequence<UInt8>) -> Bool {
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          systemSend(descriptor, $0.baseAddress, $0.count, noSignal)
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Ends what is sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads an answer; nil if the server has closed the connection.
    func answer() -> Answer? {
      while true {
        if let answer = Answer(&rest) {
          // It announces others.
          if answer.status == 100 { continue }
          return answer
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        rest += buffer[..<count]
      }
    }
  }

  struct Answer {
    let status: Int
    let head: String
    let body: String

    /// Takes an answer from the beginning of some bytes; nil if it is not complete.
    fileprivate init?(_ bytes: inout [UInt8]) {
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      let length = Self.header("Content-Length", in: head).flatMap { Int($0) } ?? 0
      guard bytes.count >= end.upperBound + length else { return nil }
      body = String(decoding: bytes[end.upperBound..<end.upperBound + length], as: UTF8.self)
      bytes.removeFirst(end.upperBound + length)
    }

    func header(_ name: String) -> String? { Self.header(name, in: head) }

    private static func header(_ name: String, in head: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  extension RunningServer {
    /// Sends a request on a connection of its own; nil if the server closes without an answer.
    func request(
      _ method: String = "GET", _ path: String, _ headers: [String] = [], _ body: String? = nil
    ) throws -> Answer? {
      let connection = try HTTPConnection(port)
      connection.send(Self.text(method, path, headers, body, port))
      return connection.answer()
    }

    static func text(
      _ method: String, _ path: String, _ headers: [String] = [], _ body: String? = nil, _ port: Int
    ) -> String {
      let host = headers.contains { $0.hasPrefix("Host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
      let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
      return (["\(method) \(path) HTTP/1.1"] + host + headers + length + ["", body ?? ""])
        .joined(separator: "\r\n")
    }

    func upload(_ body: String, _ headers: [String] = []) throws -> Answer? {
      try request("POST", "/v1/digests", ["Content-Type: application/x-ndjson"] + headers, body)
    }

    /// The number of recorded digests.
    func digests() throws -> Int {
      guard FileManager.default.fileExists(atPath: folder.appending(path: "s.sqlite").path) else {
        return 0
      }
      let text = try String(decoding: run("verify").output, as: UTF8.self)
      return text.firstMatch(of: /ok: (\d+) recorded/).flatMap { Int($0.output.1) } ?? -1
    }
  }

  /// The line of a digest of an app.
  func line(
    of app: Int = 1, _ number: Int = 1, release: String = "4.2.0", model: String = "App.Listing",
    value: String = "villa"
  ) -> String {
    """
    {"id":"\(String(format: "%032x", app))-\(number)-1795168800000",\
    "recordedAt":"2026-11-20T10:00:00.000Z","model":"\(model)","release":"\(release)",\
    "errors":[{"path":"items[3].kind","kind":"unknownNovelValue","novelValue":"\(value.replacing("\"", with: "\\\""))",\
    "novelValueType":"String","expectedType":"App.Kind"}]}

    """
  }
  /// `close(2)` and `send(2)`, whose names are hidden by methods; and what systems call differently.
  private let (systemClose, systemSend) = (close, send)
  #if os(Linux)
    private let (streamSocket, noSignal) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
  #else
    private let (streamSocket, noSignal) = (SOCK_STREAM, Int32(0))
  #endif
#endif
