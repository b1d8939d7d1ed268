import DigestStore
import Foundation

/// Damages, moves, deletes, reads and closes files that several processes and threads write to,
/// until time is up.
final class FileFaults {
  var random: SeededGenerator
  private var damaged = 0
  var removed = 0
  private var read = 0
  private var closed = 0
  private var digests = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  var summary: String {
    "\(damaged) damaged files opened together, \(removed) files moved or deleted, \(read) files read "
      + "by their app, \(closed) stores closed while threads flushed, \(digests) digests "
      + "acknowledged and found"
  }

  /// Gives each fault its turn, however short the time is.
  func run(until end: ContinuousClock.Instant) throws {
    repeat {
      try inFolder { try openDamagedFile(in: $0) }
      try inFolder { try takeAway(in: $0) }
      try inFolder { try readOwnFile(in: $0) }
      try inFolder { try closeWhileFlushing(in: $0) }
    } while .now < end
  }

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = try makeScratchFolder()
    do {
      try body(folder)
    } catch {
      throw Finding("\(error)\nkept for a look: \(folder.path)")
    }
    try FileManager.default.removeItem(at: folder)
  }

  /// One process sets a damaged file aside, and all of them write to the same new one.
  private func openDamagedFile(in folder: URL) throws {
    let path = folder.appending(path: "digests.sqlite").path
    let store = try DigestStore(path: path)
    for number in 0..<Int.random(in: 1...400, using: &random) {
      try Ticket(worker: 99, thread: 0, number: number).record(in: store)
    }
    try store.close()
    try damage(path)
    let workers = try (0..<Int.random(in: 2...4, using: &random)).map { worker in
      try WorkerProcess(
        WorkerOrder(role: .write, path: path, worker: worker, threads: 1), folder: folder)
    }
    for worker in workers { worker.waitForWords(5) }
    let acknowledged = try kill(workers)

    let inspection = Inspection(store: try DigestStore(path: path))
    for (worker, counts) in acknowledged.enumerated() {
      try inspection.check(worker: worker, acknowledged: counts, threads: 1)
    }
    let losses = try inspection.store.losses()
    let broken = try files(in: folder, containing: ".broken-")
    guard try inspection.store.verify().isSound, losses.map(\.reason) == ["quarantined"],
      broken.count == 1, losses.first?.note == broken.first
    else { throw Finding("one damaged file, and now: \(losses), \(broken)") }
    damaged += 1
  }

  /// Makes the schema or the table of digests unreadable.
  private func damage(_ path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    try file.seek(toOffset: 100)
    try file.write(
      contentsOf: Data(repeating: UInt8.random(in: 0...255, using: &random), count: 3_900))
  }

  /// An app reads its own file, which releases its locks, while others open the file and close it.
  private func readOwnFile(in folder: URL) throws {
    let path = folder.appending(path: "digests.sqlite").path
    let app = WorkerOrder(
      role: .upload, path: path, worker: 0, threads: .random(in: 1...3, using: &random))
    let others = (1...Int.random(in: 1...3, using: &random)).map {
      WorkerOrder(role: .visit, path: path, worker: $0, threads: 1)
    }
    let workers = try ([app] + others).map { try WorkerProcess($0, folder: folder) }
    for worker in workers { worker.waitForWords(.random(in: 10...60, using: &random)) }
    for worker in workers { worker.kill() }
    let acknowledged = try workers.map { try $0.acknowledgedTickets() }

    let inspection = Inspection(store: try DigestStore(path: path))
    try inspection.checkSoundness()
    let counts = acknowledged[0].reduce(into: [:]) { $0[$1.thread, default: 0] += 1 }
    try inspection.check(worker: 0, acknowledged: counts, threads: app.threads)
    try check(acknowledged.flatMap(\.self), in: try inspection.allTickets())
    read += 1
  }

  func check(_ acknowledged: [Ticket], in present: Set<Ticket>) throws {
    let lost = acknowledged.filter { !present.contains($0) }
    guard lost.isEmpty else {
      throw Finding(
        "\(lost.count) of \(acknowledged.count) digests were acknowledged, and are gone: "
          + lost.prefix(10).map(\.description).joined(separator: " "))
    }
    digests += acknowledged.count
  }

  /// Each digest is written or reported.
  private func closeWhileFlushing(in folder: URL) throws {
    let path = folder.appending(path: "digests.sqlite").path
    let reported = Reports()
    let store = try DigestStore(
      path: path,
      configuration: DigestStore.Configuration(
        writing: Bool.random(using: &random) ? .inBackground() : .beforeReturning,
        onWriteFailure: { failure in
          reported.add("\(failure.error.code.rawValue)")
        }))
    let (threads, each) = (Int.random(in: 1...4, using: &random), 100)
    let instant = Int.random(in: 0..<each, using: &random)
    let suspends = Bool.random(using: &random)
    let reached = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for thread in 0..<threads {
      done.enter()
      Thread.detachNewThread {
        for number in 0..<each {
          if number == instant { reached.signal() }
          // It throws nothing that is about the store.
          try? Ticket(worker: 0, thread: thread, number: number).record(in: store)
        }
        done.leave()
      }
    }
    reached.wait()
    if suspends { store.suspend() }
    try store.close()
    done.wait()

    let written = try DigestReader(path: path).verify().digests
    guard written + reported.all.count == threads * each,
      Set(reported.all).isSubset(of: ["closed"])
    else {
      throw Finding(
        "\(threads * each) digests, \(written) written, \(reported.all.count) reported: "
          + "\(Set(reported.all))")
    }
    digests += written
    closed += 1
  }

  private func kill(_ workers: [WorkerProcess]) throws -> [[Int: Int]] {
    for worker in workers { worker.kill() }
    let acknowledged = try workers.map { try $0.acknowledged() }
    digests += acknowledged.reduce(0) { $0 + $1.values.reduce(0, +) }
    return acknowledged
  }

  func rename(_ old: String, to new: String) throws {
    guard Foundation.rename(old, new) == 0 else { throw Finding("\(old) cannot be renamed") }
  }

  /// The databases among the files whose names contain a text.
  func files(in folder: URL, containing text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.contains(text) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }
}

/// The codes of reported failures.
private final class Reports: @unchecked Sendable {
  // Sendable: only touched with the lock.
  private let lock = NSLock()
  private var codes: [String] = []

  var all: [String] { lock.withLock { codes } }

  func add(_ code: String) { lock.withLock { codes.append(code) } }
}
