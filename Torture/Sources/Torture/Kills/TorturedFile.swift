import DigestStore
import Foundation

/// A store, the processes that are at it, and what is known of it.
final class TorturedFile {
  let folder: URL
  private let path: String
  private(set) var workers: [WorkerProcess] = []
  private var started = 0
  private var mayEvict = false

  /// How many digests are gone from it in the end, for they were old.
  private(set) var evicted = 0

  /// All that the dead have acknowledged.
  private var acknowledged: [(order: WorkerOrder, counts: [Int: Int])] = []

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "torture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "digests.sqlite").path
  }

  func start(_ role: Role, threads: Int) throws {
    let order = WorkerOrder(role: role, path: path, worker: started, threads: threads)
    started += 1
    if role == .evict { mayEvict = true }
    workers.append(try WorkerProcess(order, folder: folder))
  }

  /// Kills one and looks for its digests, while the others go on.
  ///
  /// - Returns: how many digests it has acknowledged.
  func kill(at index: Int) throws -> Int {
    let victim = workers.remove(at: index)
    victim.kill()
    let counts = try victim.acknowledged()
    acknowledged.append((victim.order, counts))
    // Before the first digest there need be no file.
    guard !counts.isEmpty else { return 0 }
    let inspection = Inspection(
      store: try DigestReader(path: path), mayEvict: mayEvict, isQuiet: false)
    try inspection.check(
      worker: victim.order.worker, acknowledged: counts, threads: victim.order.threads)
    return counts.values.reduce(0, +)
  }

  /// Checks the file while they all write.
  func checkSoundness() throws {
    guard acknowledged.contains(where: { !$0.counts.isEmpty }) else { return }
    try Inspection(store: try DigestReader(path: path), mayEvict: mayEvict, isQuiet: false)
      .checkSoundness()
  }

  /// Kills all at once, and checks what they leave, all of it.
  ///
  /// - Returns: how many digests they have acknowledged.
  func killAll() throws -> Int {
    for worker in workers { worker.kill() }
    let last = try workers.map { ($0.order, try $0.acknowledged()) }
    workers = []
    acknowledged += last
    let store = try DigestStore(path: path)
    let inspection = Inspection(store: store, mayEvict: mayEvict)
    try inspection.checkSoundness()
    for (order, counts) in acknowledged {
      try inspection.check(worker: order.worker, acknowledged: counts, threads: order.threads)
    }
    evicted = try store.losses().filter { $0.reason == "evicted" }.reduce(0) { $0 + $1.digests }
    try checkNothingWasSetAside()
    // Whoever comes next can write.
    try Ticket(worker: started, thread: 0, number: 0).record(in: store)
    try inspection.check(worker: started, acknowledged: [0: 1], threads: 1)
    try store.close()
    return last.reduce(0) { $0 + $1.1.values.reduce(0, +) }
  }

  /// No file is broken by the death of a process.
  private func checkNothingWasSetAside() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard !names.contains(where: { $0.contains("broken") }) else {
      throw Finding("a sound store was set aside: \(names.sorted())")
    }
  }

  /// Kills what is left after a finding.
  func stop() {
    for worker in workers { worker.kill() }
  }

  func delete() {
    // What stays in a temporary folder does no harm.
    try? FileManager.default.removeItem(at: folder)
  }
}
