import DigestStore
import Foundation

/// How a file is taken away from those who write to it.
private enum Removal: CaseIterable {
  /// The file is renamed, and its log stays behind.
  case moved
  /// The file is renamed with its log while no one writes, as by `mv digests.sqlite* elsewhere`.
  case movedWithLog
  case deleted
}

extension FileFaults {
  /// Each digest that is acknowledged is in a file that was taken away, or in the one at the path.
  func takeAway(in folder: URL) throws {
    let path = folder.appending(path: "digests.sqlite").path
    let workers = try (0..<3).map { worker in
      try WorkerProcess(
        WorkerOrder(
          role: .endure, path: path, worker: worker, threads: .random(in: 1...2, using: &random)),
        folder: folder)
    }
    for worker in workers { worker.waitForWords(20) }
    // An open file keeps what is in it after it is deleted.
    var taken: [(path: String, file: FileHandle)] = []
    // A worker that is stopped may keep the file locked for the others.
    var reasons: Set<DigestStore.Loss.Reason> = ["moved away"]
    for round in 0..<3 {
      let aside = folder.appending(path: "taken-\(round).sqlite").path
      taken.append((aside, try FileHandle(forReadingFrom: URL(filePath: path))))
      if try take(path, to: aside, from: workers) {
        reasons.formUnion(["failed write", "overflow"])
      }
      // All have noticed once they have written again.
      for worker in workers { worker.waitForWords(.random(in: 20...100, using: &random)) }
      guard access(path, F_OK) == 0 else { throw Finding("no new file was made at \(path)") }
    }
    for worker in workers { worker.kill() }
    let acknowledged = try workers.flatMap { try $0.acknowledgedTickets() }

    var present: Set<Ticket> = []
    for (path, file) in taken where access(path, F_OK) != 0 {
      try file.readToEnd()?.write(to: URL(filePath: path))
    }
    for path in taken.map(\.path) + [path] {
      let inspection = Inspection(store: try DigestStore(path: path))
      do { try inspection.checkSoundness(expecting: reasons) } catch {
        throw Finding("\(path): \(error)")
      }
      present.formUnion(try inspection.allTickets())
    }
    try check(acknowledged, in: present)
    let broken = try files(in: folder, containing: ".broken-")
    guard broken.isEmpty else { throw Finding("a sound file was set aside: \(broken)") }
    removed += taken.count
  }

  /// - Returns: whether others wrote while a worker was stopped.
  private func take(
    _ path: String, to aside: String, from workers: [WorkerProcess]
  ) throws -> Bool {
    let removal = Removal.allCases.randomElement(using: &random) ?? .moved
    // One may be stopped at any point of what it does.
    let stopped =
      removal == .movedWithLog
      ? workers : workers.filter { _ in .random(using: &random) }.prefix(1).map(\.self)
    for worker in stopped { worker.stop() }
    switch removal {
    case .moved: try rename(path, to: aside)
    case .movedWithLog:
      for suffix in ["", "-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
        try rename(path + suffix, to: aside + suffix)
      }
    case .deleted: try FileManager.default.removeItem(atPath: path)
    }
    let others = workers.filter { worker in !stopped.contains { $0 === worker } }
    for worker in others { worker.waitForWords(.random(in: 10...100, using: &random), seconds: 4) }
    for worker in stopped { worker.resume() }
    return !stopped.isEmpty && !others.isEmpty
  }
}
