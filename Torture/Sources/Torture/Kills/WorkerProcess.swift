import Foundation

/// A worker as the one sees it who kills it.
final class WorkerProcess {
  let order: WorkerOrder
  private let process = Process()
  private let output: URL

  /// - Parameter environment: variables in addition to those of this process.
  init(_ order: WorkerOrder, folder: URL, environment: [String: String] = [:]) throws {
    self.order = order
    // A file and no pipe: a pipe that no one empties would stop the worker.
    output = folder.appending(path: "said-\(order.worker)")
    try Data().write(to: output)
    process.executableURL = try Self.executable()
    process.arguments = order.arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
  }

  /// Waits for a first word, for at most so many milliseconds.
  func waitForWord(atMost milliseconds: Int) {
    for _ in 0..<milliseconds {
      if let said = try? Data(contentsOf: output), !said.isEmpty { return }
      usleep(1_000)
    }
  }

  /// Waits until it has acknowledged some more digests than it has now, or some seconds.
  func waitForWords(_ count: Int, seconds: Int = 20) {
    let aim = words + count
    for _ in 0..<seconds * 1_000 {
      guard process.isRunning, words < aim else { return }
      usleep(1_000)
    }
  }

  private var words: Int {
    (try? Data(contentsOf: output))?.count { $0 == UInt8(ascii: "\n") } ?? 0
  }

  func stop() { _ = Foundation.kill(process.processIdentifier, SIGSTOP) }

  func resume() { _ = Foundation.kill(process.processIdentifier, SIGCONT) }

  func kill() {
    // Foundation's own `terminate` asks politely.
    if process.isRunning { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for its death.
  ///
  /// - Returns: of each thread how many digests it has acknowledged.
  /// - Throws: ``Finding`` when it has complained, or has died of something else.
  func acknowledged() throws -> [Int: Int] {
    try acknowledgedTickets().reduce(into: [:]) { $0[$1.thread, default: 0] += 1 }
  }

  /// Waits for its death.
  ///
  /// - Returns: the digests that it has acknowledged.
  /// - Throws: ``Finding`` when it has complained, or has died of something else.
  func acknowledgedTickets() throws -> [Ticket] {
    process.waitUntilExit()
    let said = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    // Without a last line that is not complete.
    var lines = said.split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    if let complaint = lines.first(where: { $0.hasPrefix("!") }) {
      throw Finding("worker \(order.worker) (\(order.role)): \(complaint)")
    }
    let isExpected =
      order.role == .finish
      ? process.terminationReason == .exit && process.terminationStatus == 0
      : process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    guard isExpected else {
      throw Finding(
        "worker \(order.worker) (\(order.role)) ended by itself: \(process.terminationStatus)")
    }
    try FileManager.default.removeItem(at: output)
    return try lines.map { line in
      guard let ticket = Ticket(line) else { throw Finding("unheard of: \(line)") }
      return ticket
    }
  }

  static func executable() throws -> URL {
    guard let url = Bundle.main.executableURL else { throw Finding("where is this program?") }
    return url
  }
}
