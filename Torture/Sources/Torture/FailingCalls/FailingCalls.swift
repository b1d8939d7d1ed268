import DigestStore
import Foundation

/// Fails one system call of a process that records, each in its turn, until time is up.
///
/// What the process acknowledges must be in the file, whatever failed, and so must what a killed
/// process left in the log. Nothing was damaged, so nothing may be set aside.
final class FailingCalls {
  /// A call that fails.
  private struct Case {
    let call: String
    let error: Int32
    /// Which of the calls on the store's files, counted from 1.
    let number: Int
    /// Whether other processes write to the file meanwhile.
    let hasOthers: Bool
  }

  private var cases: [Case]
  private let library: URL
  private var random: SeededGenerator
  private var processes = 0

  /// The number of processes in which the call failed. The others made fewer of these calls.
  private var failed = 0
  private var digests = 0

  /// A store with digests in its log, as a killed process leaves it, and what it acknowledged.
  private let template: URL
  private let known: [Ticket]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let calls = ["stat", "fstat", "open", "pread", "pwrite", "fsync", "ftruncate"]
    cases = calls.flatMap { call in
      [EIO, ENOSPC, EINTR, EACCES].flatMap { error in
        (1...200).flatMap { number in
          [false, true].map {
            Case(call: call, error: error, number: number, hasOthers: $0)
          }
        }
      }
    }
    cases.shuffle(using: &random)
    library = try WorkerProcess.executable().deletingLastPathComponent()
      .appending(path: "libFailingCalls.so")
    guard FileManager.default.fileExists(atPath: library.path) else {
      throw Finding("no \(library.path): build the whole package")
    }
    template = try makeScratchFolder()
    let worker = try WorkerProcess(
      WorkerOrder(role: .write, path: Self.path(in: template), worker: 99, threads: 2),
      folder: template)
    worker.waitForWords(200)
    worker.kill()
    known = try worker.acknowledgedTickets()
  }

  deinit {
    try? FileManager.default.removeItem(at: template)
  }

  var summary: String {
    "one call failed in \(failed) of \(processes) processes, \(digests) digests acknowledged and found"
  }

  func run(until end: ContinuousClock.Instant) throws {
    while .now < end, let some = cases.popLast() {
      do {
        try run(some)
      } catch {
        throw Finding("\(some): \(error)")
      }
    }
  }

  private func run(_ some: Case) throws {
    let folder = template.deletingLastPathComponent().appending(
      path: "\(template.lastPathComponent)-\(processes)")
    try FileManager.default.copyItem(at: template, to: folder)
    let path = Self.path(in: folder)
    let mark = folder.appending(path: "failed").path
    let workers = try (0..<(some.hasOthers ? 3 : 1)).map { worker in
      try WorkerProcess(
        WorkerOrder(role: .finish, path: path, worker: worker, threads: 2), folder: folder,
        environment: worker == 0 ? environment(some, path, mark) : [:])
    }
    let acknowledged = try workers.flatMap { try $0.acknowledgedTickets() }
    try check(known + acknowledged, at: path)
    processes += 1
    if FileManager.default.fileExists(atPath: mark) { failed += 1 }
    try FileManager.default.removeItem(at: folder)
    digests += acknowledged.count
  }

  private func environment(_ some: Case, _ path: String, _ mark: String) -> [String: String] {
    [
      "LD_PRELOAD": library.path, "FAILING_CALL": some.call, "FAILING_NUMBER": "\(some.number)",
      "FAILING_ERROR": "\(some.error)", "FAILING_PREFIX": path, "FAILING_MARK": mark,
    ]
  }

  private func check(_ acknowledged: [Ticket], at path: String) throws {
    let store = try DigestStore(path: path)
    var inspection = Inspection(store: store)
    // A process that could not open the file has recorded nothing. One that could not write a digest,
    // or maintain the file, has said so.
    inspection.isQuiet = true
    try inspection.checkSoundness(expecting: ["failed write", "failed maintenance"])
    let missing = Set(acknowledged).subtracting(try inspection.allTickets())
    guard missing.isEmpty else {
      throw Finding("\(missing.count) acknowledged digests are gone, such as \(missing.first!)")
    }
    try store.close()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path)
    guard let aside = names.first(where: { $0.contains(".broken-") || $0.contains(".left-") })
    else { return }
    throw Finding("a sound file was set aside: \(aside)")
  }

  private static func path(in folder: URL) -> String {
    folder.appending(path: "digests.sqlite").path
  }
}
