import Foundation

@testable import DigestStore
@testable import DigestStoreTests

/// A child process with a store of its own, which records on command.
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

  /// Has several processes record digests with a novel value at the same time, and returns when
  /// they are committed.
  static func see(_ value: String, times: Int, in processes: [OtherProcess]) throws {
    for process in processes {
      try process.orders.write(contentsOf: Data("\(value) \(times)\n".utf8))
    }
    for process in processes {
      let answer = line(of: process.answers)
      guard answer == "done" else { throw Complaint(text: answer ?? "no answer") }
    }
  }

  /// Ends the process as it is.
  func kill() {
    Foundation.kill(child, SIGKILL)
    waitpid(child, nil, 0)
  }

  private static func obey(_ path: String, _ orders: FileHandle, _ answers: FileHandle) -> Never {
    let failures = FailureLog()
    var store: DigestStore?
    while let order = line(of: orders)?.split(separator: " ") {
      let answer: String
      do {
        let opened =
          try store
          ?? DigestStore(
            path: path,
            configuration: DigestStore.Configuration(onWriteFailure: { failures.append($0) }))
        store = opened
        try opened.see(String(order[0]), times: Int(order[1]) ?? 0)
        answer = failures.all.first.map { "\($0.error)" } ?? "done"
      } catch {
        answer = "\(error)"
      }
      try? answers.write(contentsOf: Data("\(answer)\n".utf8))
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
