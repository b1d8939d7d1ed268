import DigestStore
import Foundation

/// Damages, moves and closes files that several processes and threads write to, until time is up.
final class FileFaults {
  private var random: SeededGenerator
  private var damaged = 0
  private var moved = 0
  private var closed = 0
  private var digests = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  var summary: String {
    "\(damaged) damaged files opened together, \(moved) files moved away and back, \(closed) stores "
      + "closed while threads flushed, \(digests) digests acknowledged and found"
  }

  /// Gives each fault its turn, however short the time is.
  func run(until end: ContinuousClock.Instant) throws {
    repeat {
      try inFolder { try openDamagedFile(in: $0) }
      try inFolder { try moveAwayAndBack(in: $0) }
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

  /// Each digest that is acknowledged is in the file that is moved or in one of those in between.
  private func moveAwayAndBack(in folder: URL) throws {
    let path = folder.appending(path: "digests.sqlite").path
    let aside = folder.appending(path: "aside.sqlite").path
    var workers: [WorkerProcess] = []
    for worker in 0..<Int.random(in: 2...3, using: &random) {
      let order = WorkerOrder(
        role: .endure, path: path, worker: worker, threads: .random(in: 1...2, using: &random))
      workers.append(try WorkerProcess(order, folder: folder))
    }
    for worker in workers { worker.waitForWords(20) }
    var replaced: [String] = []
    for round in 0..<3 {
      // One may be stopped at any point of what it does.
      let stopped = Bool.random(using: &random) ? workers.randomElement(using: &random) : nil
      stopped?.stop()
      try rename(path, to: aside)
      for worker in workers where worker !== stopped {
        worker.waitForWords(.random(in: 10...200, using: &random), seconds: 4)
      }
      // A process that was stopped while it copied the log, or read it for the first time, keeps the
      // others from leaving the file.
      if let stopped, access(path, F_OK) != 0 {
        stopped.resume()
        for worker in workers { worker.waitForWords(20) }
      }
      // The file in between keeps a name, so that its digests can be counted.
      let between = folder.appending(path: "between-\(round).sqlite").path
      guard link(path, between) == 0 else { throw Finding("no new file was made at \(path)") }
      replaced.append(between)
      try rename(aside, to: path)
      stopped?.resume()
      // All have noticed once they have written again.
      for worker in workers { worker.waitForWords(5) }
    }
    for worker in workers { worker.kill() }
    let acknowledged = try workers.flatMap { try $0.acknowledgedTickets() }

    var present: Set<Ticket> = []
    for path in [path] + replaced {
      let store = try DigestStore(path: path)
      let verification = try store.verify()
      guard verification.isSound else { throw Finding("\(path): \(verification.problems)") }
      present.formUnion(try Inspection(store: store).allTickets())
    }
    if let lost = acknowledged.first(where: { !present.contains($0) }) {
      throw Finding("\(lost) was acknowledged, and is gone")
    }
    digests += acknowledged.count
    let broken = try files(in: folder, containing: ".broken-")
    guard broken.isEmpty else { throw Finding("a sound file was set aside: \(broken)") }
    moved += 1
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

  private func rename(_ old: String, to new: String) throws {
    guard Foundation.rename(old, new) == 0 else { throw Finding("\(old) cannot be renamed") }
  }

  /// The databases among the files whose names contain a text.
  private func files(in folder: URL, containing text: String) throws -> [String] {
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
