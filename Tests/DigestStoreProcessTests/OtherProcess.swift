import Foundation

@testable import DigestStore
@testable import DigestStoreTests

/// A child process with a store of its own, which does what it is told.
///
/// To be made in a process that runs a single test, before it opens a store: the child is a fork.
struct OtherProcess {
  struct Complaint: Error {
    let text: String
  }

  private let child: pid_t
  private let orders: FileHandle
  private let answers: FileHandle

  init(path: String) throws {
    let (orders, answers) = (Pipe(), Pipe())
    let child = forkProcess()
    if child == 0 {
      try? orders.fileHandleForWriting.close()
      try? answers.fileHandleForReading.close()
      Self.obey(path, orders.fileHandleForReading, answers.fileHandleForWriting)
    }
    self.child = child
    self.orders = orders.fileHandleForWriting
    self.answers = answers.fileHandleForReading
    // When this process ends, the child reads the end of its orders.
    try orders.fileHandleForReading.close()
    try answers.fileHandleForWriting.close()
  }

  /// Records digests with a novel value, and returns when they are committed.
  func see(_ value: String, times: Int = 1) throws { try order("see \(value) \(times)") }

  /// Copies the log into the file.
  func checkpoint() throws { try order("checkpoint") }

  /// Begins a report, which goes on until ``endReport()``.
  func beginReport() throws { try order("begin") }

  func endReport() throws { try order("end") }

  /// Closes the store; the next order opens one.
  func close() throws { try order("close") }

  /// Has several processes record digests at the same time.
  static func see(_ value: String, times: Int, in processes: [OtherProcess]) throws {
    let text = "see \(value) \(times)"
    for process in processes { try process.send(text) }
    for process in processes { try process.expectDone(text) }
  }

  /// Ends the process as it is.
  func kill() {
    Foundation.kill(child, SIGKILL)
    waitpid(child, nil, 0)
  }

  private func order(_ text: String) throws {
    try send(text)
    try expectDone(text)
  }

  private func send(_ text: String) throws {
    try orders.write(contentsOf: Data("\(text)\n".utf8))
  }

  private func expectDone(_ text: String) throws {
    let answer = Self.line(of: answers)
    guard answer == "done" else { throw Complaint(text: "\(text): \(answer ?? "no answer")") }
  }

  private static func obey(_ path: String, _ orders: FileHandle, _ answers: FileHandle) -> Never {
    let failures = FailureLog()
    var store: DigestStore?
    while let order = line(of: orders) {
      let words = order.split(separator: " ").map(String.init)
      do {
        if words[0] == "close" {
          try store?.close()
          store = nil
        } else {
          let opened =
            try store
            ?? DigestStore(
              path: path,
              configuration: DigestStore.Configuration(onWriteFailure: { failures.append($0) }))
          store = opened
          switch words[0] {
          case "checkpoint": try opened.file.checkpoint()
          case "begin":
            try opened.read {
              try $0.beginSnapshot()
              _ = try $0.integer("SELECT count(*) FROM digest")
            }
          case "end": try opened.fileConnections.endMoment()
          default: try opened.see(words[1], times: Int(words[2]) ?? 0)
          }
        }
        let answer = failures.all.first.map { "\($0.error)" } ?? "done"
        try answers.write(contentsOf: Data("\(answer)\n".utf8))
      } catch {
        try? answers.write(contentsOf: Data("\(error)\n".utf8))
      }
    }
    _exit(0)
  }

  private static func line(of file: FileHandle) -> String? {
    var bytes: [UInt8] = []
    while let byte = try? file.read(upToCount: 1), let first = byte.first {
      if first == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(first)
    }
    return nil
  }
}
