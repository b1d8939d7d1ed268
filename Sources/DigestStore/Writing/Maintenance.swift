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

  /// How long the number of decodes waits for a digest to be written with. Each failed attempt
  /// doubles the wait, up to the longest one.
  private static let decodesDelay = Duration.seconds(3)
  private static let longestDecodesDelay = Duration.seconds(300)

  private struct State {
    var due: Tasks = []

    /// When to fold the digests that are not due earlier.
    var foldDue: ContinuousClock.Instant?

    /// When to write the number of decodes, if no digest has done so.
    var decodesDue: ContinuousClock.Instant?
    var decodesDelay = Maintenance.decodesDelay
    var hasThread = false
    var isStopping = false

    /// The thread, while it runs.
    var thread: pthread_t?

    mutating func removeDueTasks() -> Tasks {
      defer { due = [] }
      return due
    }

    /// Ends the wait of the decodes if it is over.
    ///
    /// - Parameter now: nil to end it now.
    mutating func removeDecodesDue(at now: ContinuousClock.Instant?) -> Bool {
      guard let due = decodesDue, now.map({ due <= $0 }) != false else { return false }
      decodesDue = nil
      return true
    }

    /// Ends the wait of the digests that are not folded if it is over.
    mutating func removeFoldDue(at now: ContinuousClock.Instant) -> Bool {
      guard let due = foldDue, due <= now else { return false }
      foldDue = nil
      return true
    }
  }

  private let file: StoreFile
  private let queue: WriteQueue
  private let clock: @Sendable () -> Date

  /// How often an idle store looks for digests that are too old.
  private let evictionInterval: Duration?
  private let state = Condition(State())

  /// - Parameter maximumAge: the age at which digests are evicted, even if nothing is flushed.
  init(
    _ file: StoreFile,
    _ queue: WriteQueue,
    maximumAge: Duration?,
    clock: @escaping @Sendable () -> Date
  ) {
    self.file = file
    self.queue = queue
    self.clock = clock
    evictionInterval = maximumAge.map { .seconds($0.evictionInterval) }
  }

  /// Schedules tasks.
  func request(_ tasks: Tasks) {
    if tasks.contains(.foldSoon) { requestFold() }
    let due = tasks.subtracting(.foldSoon)
    if !due.isEmpty { start(with: due) }
  }

  /// Schedules folding, unless it is scheduled already.
  private func requestFold() {
    let isNew = state.withLock { state in
      guard state.foldDue == nil, !state.isStopping else { return false }
      state.foldDue = .now + Self.foldDelay
      return true
    }
    guard isNew else { return }
    start(with: [])
    state.wakeAll()
  }

  /// Schedules writing the number of decodes, unless it is scheduled already.
  func requestDecodes() {
    let isNew = state.withLock { state in
      guard state.decodesDue == nil else { return false }
      state.decodesDue = .now + state.decodesDelay
      return true
    }
    guard isNew else { return }
    start(with: [])
    state.wakeAll()
  }

  /// Writes the number of decodes, or schedules another attempt.
  private func writeDecodes() {
    perform(queue.writeDecodes())
    // A suspended store writes them when it is resumed.
    let hasFailed = !file.pendingDecodes.isEmpty && !queue.isSuspended
    state.withLock { state in
      state.decodesDelay =
        hasFailed ? min(state.decodesDelay * 2, Self.longestDecodesDelay) : Self.decodesDelay
    }
    if hasFailed { requestDecodes() }
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
      let isDecodesDue = state.withLock { state in
        state.hasThread = false
        return state.removeDecodesDue(at: nil)
      }
      state.wakeAll()
      performDue()
      if isDecodesDue { perform(queue.writeDecodes()) }
    } else if isNew {
      state.wakeAll()
    }
  }

  /// Ends the thread once it has finished its current tasks and written the digests handed over.
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
    perform(state.withLock { $0.removeDueTasks() }.union(.foldAll))
  }

  /// The body of the thread.
  private func run() {
    state.withLock { $0.thread = pthread_self() }
    var eviction = evictionInterval.map { ContinuousClock.now + $0 }
    while true {
      let next = state.waiting(
        until: { [eviction, $0.decodesDue, $0.foldDue].compactMap(\.self).min() },
        { state -> (Tasks, Bool)? in
          state.due.isEmpty && !state.isStopping ? nil : (state.removeDueTasks(), state.isStopping)
        })
      let (due, isStopping) = next ?? ([], false)
      perform(due.union(isStopping ? .write : []))
      let now = ContinuousClock.now
      if state.withLock({ $0.removeFoldDue(at: now) }) { perform([.foldAll, .evict]) }
      if state.withLock({ $0.removeDecodesDue(at: isStopping ? nil : now) }) { writeDecodes() }
      if isStopping { break }
      if let interval = evictionInterval, let due = eviction, due <= now {
        perform([.foldAll, .evict])
        eviction = now + interval
      }
    }
    state.withLock { state in
      state.hasThread = false
      state.thread = nil
    }
    state.wakeAll()
  }

  /// Performs tasks.
  ///
  /// Ignores errors: nothing is lost if a task fails. A lasting error, such as a full disk, also
  /// fails the next digest, which reports it.
  private func perform(_ tasks: Tasks) {
    var tasks = tasks
    if tasks.contains(.write) { tasks.formUnion(queue.drain()) }
    // First, because the other tasks make the log longer, and start a checkpoint themselves if
    // needed.
    if tasks.contains(.checkpoint) { checkpoint() }
    if tasks.contains(.fold) || tasks.contains(.foldAll) {
      fold(isThorough: tasks.contains(.foldAll))
    }
    if tasks.contains(.evict) { evict() }
  }

  /// Folds one batch per turn, so that digests are written in between.
  ///
  /// - Parameter isThorough: whether to fold all. Otherwise the last digests wait until there are
  ///   more, or the store is idle: else a busy store would fold a few at a time.
  private func fold(isThorough: Bool) {
    do {
      while try step({ try $0.foldSome(atLeast: isThorough ? 1 : Fold.maximumDigests) }) {}
    } catch {}
  }

  /// Evicts one step per turn, so that digests are written in between.
  private func evict() {
    let now = Moment(clock())
    do {
      while try step({ try $0.retention.step(now: now) }) {}
    } catch {}
  }

  /// Runs one writing step, and checkpoints the log if it has become long.
  ///
  /// - Returns: the result of `body`.
  func step<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    let (value, isCheckpointDue) = try queue.withTurn {
      try file.write { (try body($0), $0.isCheckpointDue) }
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
    do {
      // Twice, so that little is left to copy while others wait.
      for _ in 0..<2 { try file.checkpoint() }
      try queue.withTurn { try file.write { _ = try $0.connection.checkpoint() } }
    } catch {}
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

extension Duration {
  /// How often an idle store looks for digests of this age, in seconds: a tenth of it, at most
  /// every second, and at least every ten minutes.
  fileprivate var evictionInterval: Double {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    return min(max(1, seconds / 10), 600)
  }
}
