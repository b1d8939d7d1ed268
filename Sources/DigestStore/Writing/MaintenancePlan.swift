import ResilientPlatform

/// Work that flushes do not wait for.
struct MaintenanceTasks: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// Write the digests that wait, and the number of decodes.
  static let write = Self(rawValue: 1)
  /// Copy the write-ahead log into the file.
  static let checkpoint = Self(rawValue: 2)
  /// Add digests to the counts.
  static let fold = Self(rawValue: 4)
  /// Delete data that exceeds the limits.
  static let evict = Self(rawValue: 8)
  /// Fold and evict within a second. Folding one digest writes as many pages as folding some
  /// dozens, so the digests of a second share them.
  static let foldSoon = Self(rawValue: 16)
  /// Write within three seconds. The number of decodes waits for so long for a digest to be
  /// written with: alone, it would take a transaction.
  static let writeSoon = Self(rawValue: 32)

  fileprivate static let all: [Self] = (0..<6).map { Self(rawValue: 1 << $0) }

  /// How long a task waits after it was requested, and what is done then.
  fileprivate var timing: (delay: Duration, tasks: Self) {
    switch self {
    case .foldSoon: (.seconds(1), [.fold, .evict])
    case .writeSoon: (.seconds(3), .write)
    default: (.zero, self)
    }
  }
}

/// The tasks of a store's thread: when each is due, and whether the thread runs.
///
/// Has no lock and no thread: each method is an event, and returns what to do.
///
///     request ──> starting ──> running ── next, after stop ──> none
struct MaintenancePlan {
  typealias Instant = ContinuousClock.Instant

  /// How long a failed attempt to write waits for the next one. Each further failure doubles the
  /// wait, up to the longest one. A process keeps a file locked for some milliseconds, or for
  /// minutes while it does something large.
  static let retryDelay = Duration.milliseconds(250)
  static let longestRetryDelay = Duration.seconds(4)

  enum Worker {
    case none, starting
    case running(pthread_t)
  }

  /// What is done after an event.
  enum WakeUp {
    case nothing, wakeThread, startThread
  }

  /// What the thread does next.
  enum Work: Equatable {
    case perform(MaintenanceTasks)
    case end
  }

  private(set) var worker = Worker.none
  private var isStopping = false
  private var times: [MaintenanceTasks: Instant] = [:]
  private var retryDelay = Self.retryDelay

  /// The time at which the next task is due; nil if none is.
  var nextTime: Instant? { times.values.min() }

  /// Plans tasks, each unless it is planned already. After ``stop(at:)`` they wait for the thread
  /// that stops the maintenance.
  mutating func request(_ tasks: MaintenanceTasks, at now: Instant) -> WakeUp {
    let new = MaintenanceTasks.all.filter { tasks.contains($0) && times[$0] == nil }
    for task in new { times[task] = now + task.timing.delay }
    if new.isEmpty || isStopping { return .nothing }
    guard case .none = worker else { return .wakeThread }
    worker = .starting
    return .startThread
  }

  mutating func threadBegan(_ thread: pthread_t) {
    worker = .running(thread)
  }

  /// The system cannot make another thread.
  ///
  /// - Returns: all planned tasks, for the calling thread to perform.
  mutating func threadFailed() -> MaintenanceTasks {
    worker = .none
    return removeTasks(until: nil)
  }

  /// - Parameter isBusy: whether digests wait because another process keeps the file busy. The
  ///   thread does not end before they are written.
  /// - Returns: nil if the thread has to wait.
  mutating func next(at now: Instant, isBusy: Bool) -> Work? {
    let tasks = removeTasks(until: now)
    if !tasks.isEmpty { return .perform(tasks) }
    guard isStopping, !isBusy else { return nil }
    worker = .none
    return .end
  }

  /// Removes and returns the tasks that are due.
  ///
  /// - Parameter now: nil for all tasks.
  mutating func removeTasks(until now: Instant?) -> MaintenanceTasks {
    var due: MaintenanceTasks = []
    for (task, time) in times where now.map({ time <= $0 }) ?? true {
      times[task] = nil
      due.formUnion(task.timing.tasks)
    }
    return due
  }

  /// An attempt to write has ended.
  mutating func attempted(hasFailed: Bool, at now: Instant) {
    if hasFailed { times[.writeSoon] = now + retryDelay }
    retryDelay = hasFailed ? min(retryDelay * 2, Self.longestRetryDelay) : Self.retryDelay
  }

  /// Has the thread write what waits, and then end.
  mutating func stop(at now: Instant) {
    isStopping = true
    times[.write] = now
  }

  /// Whether a thread need not wait for the end of the maintenance: because that has no thread, or
  /// is the waiting thread.
  func hasEnded(for thread: pthread_t) -> Bool {
    switch worker {
    case .none: true
    case .starting: false
    case .running(let own): pthread_equal(own, thread) != 0
    }
  }
}
