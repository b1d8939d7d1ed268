import CResilientAtomics
import ResilientPlatform

/// The tasks that flushes do not wait for: folding, checkpoints, eviction, background writing, and
/// writing the number of decodes.
///
/// They run on a separate thread, which starts when there is something to do.
final class Maintenance: Sendable {
  struct Tasks: OptionSet, Sendable {
    let rawValue: Int

    /// Write the digests handed over.
    static let write = Tasks(rawValue: 1)
    /// Add digests to the counts.
    static let fold = Tasks(rawValue: 2)
    /// Copy the write-ahead log into the file.
    static let checkpoint = Tasks(rawValue: 4)
    /// Delete data that exceeds the limits.
    static let evict = Tasks(rawValue: 8)
    /// Add digests to the counts within a second.
    static let foldSoon = Tasks(rawValue: 16)
    /// Add all digests to the counts.
    static let foldAll = Tasks(rawValue: 32)
  }

  /// The number of digests at which a flush folds some itself, because the thread falls behind.
  static let mostUnfolded: Int64 = 10_000

  /// How long fewer digests wait to be folded.
  private static let foldDelay = Duration.seconds(1)

  /// How long the number of decodes waits for a digest to be written with.
  private static let decodesDelay = Duration.seconds(3)

  /// How long a failed attempt to write waits for the next one. Each further failure doubles the
  /// wait, up to the longest one: shorter for digests that wait for a busy file.
  private static let retryDelay = Duration.milliseconds(250)
  private static let longestRetryDelay = Duration.seconds(300)
  private static let longestBusyDelay = Duration.seconds(4)

  private struct State {
    var due: Tasks = []

    /// When to fold digests that are too few to be folded at once.
    var foldDue: ContinuousClock.Instant?

    /// When to write the number of decodes, unless a digest does so first, and to retry digests that
    /// could not be written.
    var writeDue: ContinuousClock.Instant?
    var retryDelay = Maintenance.retryDelay
    var hasThread = false
    var isStopping = false

    /// The thread, while it runs.
    var thread: pthread_t?

    /// Removes and returns the tasks that are due.
    ///
    /// - Parameter now: nil for all tasks, including those that are due later.
    mutating func removeDueTasks(at now: ContinuousClock.Instant?) -> Tasks {
      for (time, tasks) in Self.times {
        guard let end = self[keyPath: time], now.map({ end <= $0 }) != false else { continue }
        self[keyPath: time] = nil
        due.formUnion(tasks)
      }
      defer { due = [] }
      return due
    }

    /// The time at which the next tasks are due; nil if none are scheduled.
    var next: ContinuousClock.Instant? { Self.times.compactMap { self[keyPath: $0.0] }.min() }

    private static var times: [(WritableKeyPath<State, ContinuousClock.Instant?>, Tasks)] {
      [(\.foldDue, [.foldAll, .evict]), (\.writeDue, .write)]
    }
  }

  private let file: StoreFile
  private let queue: WriteQueue
  private let clock: @Sendable () -> Date

  private let state = Condition(State())

  init(_ file: StoreFile, _ queue: WriteQueue, clock: @escaping @Sendable () -> Date) {
    self.file = file
    self.queue = queue
    self.clock = clock
  }

  /// Schedules tasks.
  func request(_ tasks: Tasks) {
    if tasks.contains(.foldSoon) { schedule(\.foldDue, after: Self.foldDelay) }
    let due = tasks.subtracting(.foldSoon)
    if !due.isEmpty { start(with: due) }
  }

  /// Schedules writing the number of decodes, unless it is scheduled already.
  func requestDecodes() {
    schedule(\.writeDue, after: Self.decodesDelay)
  }

  /// Schedules tasks for later, unless they are scheduled already.
  private func schedule(
    _ time: WritableKeyPath<State, ContinuousClock.Instant?>, after delay: Duration
  ) {
    let isNew = state.withLock { state in
      guard state[keyPath: time] == nil, !state.isStopping else { return false }
      state[keyPath: time] = .now + delay
      return true
    }
    guard isNew else { return }
    start(with: [])
    state.wakeAll()
  }

  /// Schedules tasks, and starts the thread even if there are none.
  func start(with tasks: Tasks) {
    // After a stop, due tasks wait for the thread that stops the maintenance.
    let (isNew, needsThread) = state.withLock { state in
      let isNew = !state.due.isSuperset(of: tasks)
      state.due.formUnion(tasks)
      guard !state.isStopping else { return (false, false) }
      defer { state.hasThread = true }
      return (isNew, !state.hasThread)
    }
    if needsThread, !startThread({ self.run() }) {
      // Too many threads or too little memory: do the tasks on the calling thread.
      let tasks = state.withLock { state in
        state.hasThread = false
        return state.removeDueTasks(at: nil)
      }
      state.wakeAll()
      perform(tasks.union(.foldAll))
    } else if isNew {
      state.wakeAll()
    }
  }

  /// Ends the thread once it has finished its current tasks and written the digests handed over,
  /// for which it waits while another process keeps the file busy.
  ///
  /// The thread does not wait for itself: it calls this when a closure of the configuration closes
  /// the store.
  func stop(andWait waits: Bool) {
    state.withLock { $0.isStopping = true }
    state.wakeAll()
    guard waits else { return }
    state.waiting { state -> Void? in
      let isThisThread = state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
      return state.hasThread && !isThisThread ? nil : ()
    }
  }

  /// Performs due tasks on the calling thread, and folds the rest.
  func performDue() {
    perform(state.withLock { $0.removeDueTasks(at: .now) }.union(.foldAll))
  }

  /// The body of the thread.
  private func run() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      let next = state.waiting(
        until: { $0.next },
        { state -> (tasks: Tasks, isStopping: Bool)? in
          let tasks = state.removeDueTasks(at: .now)
          let isStopping = state.isStopping && !queue.isBusy
          return tasks.isEmpty && !isStopping ? nil : (tasks, isStopping)
        })
      guard let next else { continue }
      perform(next.tasks.union(next.isStopping ? .write : []))
      if next.isStopping && !queue.isBusy { break }
    }
    state.withLock { state in
      state.hasThread = false
      state.thread = nil
    }
    state.wakeAll()
  }

  /// Performs tasks.
  private func perform(_ tasks: Tasks) {
    var tasks = tasks
    if tasks.remove(.write) != nil || queue.isBusy {
      tasks.formUnion(queue.drain())
      if tasks.remove(.foldSoon) != nil { schedule(\.foldDue, after: Self.foldDelay) }
      if tasks.contains(.write) {
        retry()
      } else {
        state.withLock { $0.retryDelay = Self.retryDelay }
      }
      // The other tasks would wait for the file, too.
      if queue.isBusy { return }
    }
    // First, because the other tasks make the log longer, and start a checkpoint themselves if
    // needed.
    if tasks.contains(.checkpoint) { checkpoint() }
    if tasks.contains(.fold) || tasks.contains(.foldAll) {
      fold(isThorough: tasks.contains(.foldAll))
    }
    if tasks.contains(.evict) { evict() }
  }

  /// Schedules another attempt to write. The thread, if there is one, waits for it.
  private func retry() {
    let longest = queue.isBusy ? Self.longestBusyDelay : Self.longestRetryDelay
    state.withLock { state in
      let delay = min(state.retryDelay, longest)
      state.writeDue = .now + delay
      state.retryDelay = delay * 2
    }
    state.wakeAll()
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
        to: PendingLosses.Key(
          reason: .failedMaintenance, hour: Moment(clock()).hour, note: error.description))
    }
  }

  /// Folds one batch per turn, so that digests are written in between.
  ///
  /// - Parameter isThorough: whether to fold all. Otherwise the last digests wait until there are
  ///   more, or the store is idle: else a busy store would fold a few at a time.
  private func fold(isThorough: Bool) {
    attempt {
      while try step({ try $0.foldSome(atLeast: isThorough ? 1 : Fold.maximumDigests) }) {}
    }
  }

  /// Evicts one step per turn, so that digests are written in between.
  private func evict() {
    let now = Moment(clock())
    attempt { while try step({ try $0.retention.step(now: now) }) {} }
  }

  /// Runs one writing step, and checkpoints the log if it has become long.
  ///
  /// - Returns: the result of `body`.
  func step<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    let (value, isCheckpointDue) = try queue.withTurn {
      try file.write { (try body($0), $0.checkpointIfEarly()) }
    }
    if isCheckpointDue { checkpoint() }
    return value
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
      try queue.withTurn { try file.write { _ = try $0.connection.checkpoint() } }
    }
  }
}

/// Starts a thread that runs `body`.
///
/// - Returns: false when the system cannot make another thread.
private func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let context = Unmanaged.passRetained(Box(body))
  let status = resilient_start_thread(
    stackSize,
    { context in
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, context.toOpaque())
  if status != 0 { context.release() }
  return status == 0
}

/// The stack of the thread, which also runs closures of the app. Some platforms have 512 KB by
/// default, and musl 128 KB.
private let stackSize = 1 << 20

private final class Box: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
