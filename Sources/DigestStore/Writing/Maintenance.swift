import CResilientAtomics
import ResilientPlatform

/// Does what flushes do not wait for: folding, checkpoints, eviction, background writing, and
/// writing the number of decodes.
///
/// A separate thread performs these tasks. It starts when there is something to do, and
/// ``MaintenancePlan`` says what it does when.
final class Maintenance: Sendable {
  private let file: StoreFile
  private let queue: WriteQueue
  private let clock: @Sendable () -> Date

  private let plan = Condition(MaintenancePlan())

  init(_ file: StoreFile, _ queue: WriteQueue, clock: @escaping @Sendable () -> Date) {
    self.file = file
    self.queue = queue
    self.clock = clock
  }

  /// Plans tasks.
  func request(_ tasks: MaintenanceTasks) {
    switch plan.withLock({ $0.request(tasks, at: .now) }) {
    case .nothing: break
    case .wakeThread: plan.wakeAll()
    case .startThread:
      if startThread() { return }
      // Too many threads or too little memory: perform the tasks on the calling thread.
      let tasks = plan.withLock { $0.threadFailed() }
      plan.wakeAll()
      perform(tasks)
    }
  }

  /// Ends the thread once it has finished its current tasks and written the digests handed over,
  /// for which it waits while another process keeps the file busy.
  ///
  /// The thread does not wait for itself: it calls this when a closure of the configuration closes
  /// the store.
  func stop(andWait waits: Bool) {
    plan.withLock { $0.stop(at: .now) }
    plan.wakeAll()
    if waits { plan.waiting { $0.hasEnded(for: pthread_self()) ? () : nil } }
  }

  /// Performs due tasks on the calling thread, and folds the rest.
  func performDue() {
    perform(plan.withLock { $0.removeTasks(until: .now) }.union(.fold))
  }

  /// Runs one writing step, and checkpoints the log if it has become long.
  ///
  /// - Returns: the result of `body`.
  func step<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    let (value, isCheckpointDue) = try queue.withVisit {
      try file.write { (try body($0), $0.checkpointIfEarly()) }
    }
    if isCheckpointDue { checkpoint() }
    return value
  }

  /// The stack of the thread, which also runs closures of the app. Some platforms have 512 KB by
  /// default, and musl 128 KB.
  private static let stackSize = 1 << 20

  /// - Returns: false when the system cannot make another thread.
  private func startThread() -> Bool {
    let context = Unmanaged.passRetained(self)
    let status = resilient_start_thread(
      Self.stackSize,
      { context in
        if let context { Unmanaged<Maintenance>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    if status != 0 { context.release() }
    return status == 0
  }

  /// The body of the thread.
  private func run() {
    plan.withLock { $0.threadBegan(pthread_self()) }
    while true {
      let work = plan.waiting(
        until: { $0.nextTime }, { $0.next(at: .now, isBusy: queue.isBusy) })
      switch work {
      case nil: continue
      case .perform(let tasks)?: perform(tasks)
      case .end?: return plan.wakeAll()
      }
    }
  }
}

extension Maintenance {
  private func perform(_ tasks: MaintenanceTasks) {
    if tasks.contains(.write) || queue.isBusy {
      var due = queue.drain()
      let hasFailed = due.remove(.write) != nil
      plan.withLock { $0.attempted(hasFailed: hasFailed, at: .now) }
      request(due)
      // The other tasks would wait for the file, too.
      if queue.isBusy { return }
    }
    // First, because the other tasks make the log longer, and start a checkpoint themselves if
    // needed.
    if tasks.contains(.checkpoint) { checkpoint() }
    // One step a turn, so that digests are written in between.
    if tasks.contains(.fold) { attempt { while try step({ try $0.foldSome() }) {} } }
    if tasks.contains(.evict) {
      let now = Moment(clock())
      attempt { while try step({ try $0.retention.step(now: now) }) {} }
    }
  }

  /// Copies the log while others write, and then copies the rest while they wait.
  ///
  /// A checkpoint cannot see that there is more: SQLite counts the pages that the log had when the
  /// checkpoint began (SQLite, "sqlite3_wal_checkpoint_v2"). With nothing left, the last one costs
  /// nothing.
  private func checkpoint() {
    attempt {
      // Twice, so that little is left to copy while others wait.
      for _ in 0..<2 { try file.checkpoint() }
      try queue.withVisit { try file.write { _ = try $0.connection.checkpoint() } }
    }
  }

  /// Runs a task. If it fails, no digest is lost. The failure is recorded in the file, because one
  /// that lasts makes reports slow or the file too large.
  ///
  /// A full disk or a busy file also fails the next digest, which reports it.
  private func attempt(_ task: () throws -> Void) {
    do {
      try task()
    } catch {
      let error = DigestStoreError(error, path: file.path)
      guard !error.isTemporary, ![.suspended, .closed].contains(error.code) else { return }
      file.pendingLosses.add(
        .none,
        to: PendingLosses.LossKey(
          reason: .failedMaintenance, hour: Moment(clock()).hour, note: error.description))
    }
  }
}
