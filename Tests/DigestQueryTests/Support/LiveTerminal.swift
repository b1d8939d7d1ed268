import Foundation
import Testing

/// The tool on a terminal, while it runs: what it draws can be seen, and keys can be pressed.
final class LiveTerminal {
  private let sandbox: Sandbox
  private let process = Process()
  private let keyboard = Pipe()
  private let display = Pipe()

  /// All that was written to the terminal so far.
  private(set) var written = ""
  private var unread = Data()

  init(
    _ sandbox: Sandbox,
    _ line: String = "watch",
    _ more: [String] = [],
    columns: Int = 80,
    rows: Int = 24,
    environment: [String: String] = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
  ) throws {
    self.sandbox = sandbox
    // In the place of the shell, so that its process is the tool's.
    let start = "stty cols \(columns) rows \(rows); echo $$ > pid; exec \"$@\""
    let (executable, words) = Terminal.command(
      ["/bin/sh", "-c", start, "sh", try Tool.url().path] + line.words + more)
    process.executableURL = executable
    process.arguments = words
    process.currentDirectoryURL = sandbox.directory
    process.environment = environment.merging(["SHELL": "/bin/sh"]) { $1 }
    process.standardInput = keyboard
    process.standardOutput = display
    process.standardError = FileHandle.nullDevice
    try withSignals { try process.run() }
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// What was drawn, a frame each, in its lines.
  var frames: [[String]] {
    written.components(separatedBy: "\u{1B}[?2026h\u{1B}[H").dropFirst().compactMap { text in
      guard let end = text.range(of: "\u{1B}[J\u{1B}[?2026l") else { return nil }
      // The terminal puts a CR before every LF.
      return text[..<end.lowerBound].components(separatedBy: "\u{1B}[K\r\r\n").map {
        $0.replacing("\u{1B}[K", with: "")
      }
    }
  }

  /// The first frame, or the first one in which a text can be read.
  func frame(with text: String? = nil) throws -> [String] {
    while true {
      let frame = frames.first { frame in
        text.map { frame.joined(separator: "\n").contains($0) } ?? true
      }
      if let frame { return frame }
      try #require(read(), "\(text ?? "a frame"): \(written)")
    }
  }

  /// Waits until more is written.
  ///
  /// - Returns: whether there will be more.
  private func read() -> Bool {
    // What does not come in some minutes never does.
    var display = [
      pollfd(fd: display.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    ]
    guard poll(&display, 1, 300_000) > 0 else {
      process.terminate()
      return false
    }
    let data = self.display.fileHandleForReading.availableData
    unread += data
    // What ends in the middle of a character is read with its end.
    if let text = String(data: unread, encoding: .utf8) {
      written += text
      unread = Data()
    }
    return !data.isEmpty
  }

  func press(_ keys: String) throws {
    try keyboard.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
  }

  /// Sends the tool a signal.
  func send(_ signal: Int32) throws {
    let pid = sandbox.text("pid").flatMap { pid_t($0.filter { !$0.isNewline }) }
    kill(try #require(pid), signal)
  }

  /// The first frame in which a text can be read, once a key has ended the tool.
  func lastFrame(with text: String? = nil) throws -> [String] {
    let frame = try frame(with: text)
    try press("q")
    #expect(end() == 0)
    return frame
  }

  /// Waits for the end.
  ///
  /// - Returns: the exit status; of a tool that a signal has ended 128 and the signal.
  func end() -> Int32 {
    while read() {}
    process.waitUntilExit()
    return process.terminationStatus
  }
}
