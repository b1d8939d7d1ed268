/// The digests that wait to be written, and whose turn it is to write.
///
/// Has no lock and no thread, and does no I/O: each method is an event, and returns what to do.
///
/// There are two kinds of turns. In a *batch*, a thread that flushes writes its digest, and with it
/// the others that wait. In a *visit*, a thread does something else that needs the only writer: it
/// folds, evicts, imports, or writes digests that no thread waits for. While threads want both, they
/// alternate:
///
///                       next(for:)
///     free(after: .visit) ───────> taken(.batch) ── finish ──> free(after: .batch)
///               ^                                                      │
///               └─ endVisit ── taken(.visit) <──────── beginVisit ─────┘
struct WriteTurns {
  /// The number of errors at which a batch ends: some 10 ms of writing, at 5 µs an error.
  static let maximumBatch = 2_000

  enum TurnKind {
    case batch, visit
  }

  enum Turn: Equatable {
    case free(after: TurnKind)
    case taken(TurnKind)
  }

  /// What happens to a new digest.
  enum Mode {
    /// A thread may wait until it is written.
    case open

    /// It stays in memory, because another process keeps the file busy. The error is that of the
    /// last attempt to write.
    case busy(DigestStoreError)

    /// It stays in memory until ``WriteTurns/resume()``.
    case suspended

    /// It is refused.
    case closed
  }

  /// What a thread does with a digest that it has submitted.
  enum Submission {
    /// It waits, with ``WriteTurns/next(for:)``. Under contention, threads whose digests were just
    /// committed return with new ones. Yielding lets those join the next batch.
    case wait(yields: Bool)

    /// It leaves the digest in memory, and reports an error if there is one.
    case leave(WriteError?)

    /// It counts the digest as lost: the queue is closed, or too many bytes wait already.
    case lose(DigestStoreError.Code)
  }

  /// What a thread does that waits for its digest.
  enum Action {
    /// It writes a batch, and then calls ``WriteTurns/finish(_:_:)``.
    case write([PendingWrite])

    /// It reports an error if there is one, and waits no longer.
    case leave(WriteError?)
  }

  /// A digest that is not in the file, and why.
  typealias Unwritten = (digest: PendingWrite, reason: WriteError)

  /// The outcome of an attempt to write a batch.
  struct Attempt {
    /// The error of each digest that was tried; nil for a digest that was written.
    var errors: [DigestStoreError?] = []

    /// The error of a busy file, which ended the attempt. The rest of the batch still waits.
    var busyError: DigestStoreError?

    /// The tasks that are due then.
    var due: MaintenanceTasks = []

    /// The digests to report that no thread waits for.
    var unwritten: [Unwritten] = []

    /// Adds the attempt to write the next digests.
    mutating func add(_ next: Self) {
      errors += next.errors
      busyError = next.busyError
      due.formUnion(next.due)
      unwritten += next.unwritten
    }
  }

  /// The most memory, in bytes, for digests that no thread waits for. The others are limited by the
  /// number of threads.
  let maximumBytes: Int

  private(set) var mode = Mode.open
  private(set) var turn = Turn.free(after: .visit)
  private(set) var waiting: [PendingWrite] = []

  /// The number of threads that want a visit.
  private var visitors = 0

  /// The memory use of the digests that no thread waits for and that are not written.
  private var unwrittenBytes = 0

  /// Whether more than one digest waited when the last batch was taken.
  private var isContended = false

  init(maximumBytes: Int) {
    self.maximumBytes = maximumBytes
  }

  /// Whether digests are kept in memory until ``resume()``.
  var isSuspended: Bool { if case .suspended = mode { true } else { false } }

  /// Whether digests wait because another process keeps the file busy.
  var isBusy: Bool { if case .busy = mode { true } else { false } }
}

extension WriteTurns {
  /// Appends a digest to those that wait.
  ///
  /// - Parameter waits: whether its thread waits for it if possible.
  mutating func submit(_ pending: PendingWrite, waits: Bool) -> Submission {
    var reason: WriteError?
    switch mode {
    case .open where waits:
      pending.waiter = .thread
      waiting.append(pending)
      return .wait(yields: isContended)
    case .busy(let error) where waits: reason = WriteError(error: error, isKept: true)
    case .open, .busy, .suspended: break
    case .closed: return .lose(.closed)
    }
    guard unwrittenBytes + pending.bytes <= maximumBytes else { return .lose(.overflow) }
    unwrittenBytes += pending.bytes
    pending.waiter = .none(reported: reason)
    waiting.append(pending)
    return .leave(reason)
  }

  /// Takes a batch for a thread that waits for its digest, unless it need not wait any more.
  ///
  /// - Returns: nil if the thread has to wait for a turn.
  mutating func next(for pending: PendingWrite) -> Action? {
    if case .none(let reason) = pending.waiter { return .leave(reason) }
    guard turn == .free(after: .visit) || turn == .free(after: .batch) && visitors == 0 else {
      return nil
    }
    turn = .taken(.batch)
    let batch = takeBatch()
    isContended = batch.count > 1 || !waiting.isEmpty
    return .write(batch)
  }

  /// Removes and returns the first digests, until they have ``maximumBatch`` errors or more.
  mutating func takeBatch() -> [PendingWrite] {
    var rest = Self.maximumBatch
    let batch = waiting.prefix { pending in
      defer { rest -= max(1, pending.record.errors.count) }
      return rest > 0
    }
    waiting.removeFirst(batch.count)
    return Array(batch)
  }

  /// Ends a batch, or the writing of one in a visit. Digests that were not tried wait again.
  ///
  /// - Returns: the digests to report that no thread waits for.
  mutating func finish(_ batch: [PendingWrite], _ attempt: Attempt) -> [Unwritten] {
    if case .free = turn { assertionFailure("a batch ends that did not begin") }
    if turn == .taken(.batch) { turn = .free(after: .batch) }
    var unawaited: [Unwritten] = []
    for (pending, error) in zip(batch, attempt.errors) {
      let reason = error.map { WriteError(error: $0, isKept: false) }
      if !pending.isAwaited {
        unwrittenBytes -= pending.bytes
        if let reason { unawaited.append((pending, reason)) }
      }
      pending.waiter = .none(reported: reason)
    }
    switch mode {
    case .open, .busy: mode = attempt.busyError.map(Mode.busy) ?? .open
    case .suspended, .closed: break
    }
    if let error = attempt.busyError {
      waiting.insert(contentsOf: batch.dropFirst(attempt.errors.count), at: 0)
      releaseThreads(reporting: WriteError(error: error, isKept: true))
    }
    return unawaited
  }

  /// Ends the waits of threads. Their digests still wait to be written.
  ///
  /// - Parameter reason: what a thread reports; nil for nothing.
  private mutating func releaseThreads(reporting reason: WriteError?) {
    for pending in waiting where pending.isAwaited {
      pending.waiter = .none(reported: reason)
      unwrittenBytes += pending.bytes
    }
  }
}

extension WriteTurns {
  /// A thread wants a visit. It calls ``beginVisit()`` until that succeeds, or ``giveUpVisit()``.
  mutating func wantVisit() {
    visitors += 1
  }

  /// - Returns: whether the visit has begun.
  mutating func beginVisit() -> Bool {
    guard
      turn == .free(after: .batch)
        || turn == .free(after: .visit) && !waiting.contains(where: \.isAwaited)
    else { return false }
    assert(visitors > 0, "a thread visits that did not say so")
    visitors -= 1
    turn = .taken(.visit)
    return true
  }

  mutating func giveUpVisit() {
    assert(visitors > 0, "a thread gives up a visit that it did not want")
    visitors -= 1
  }

  mutating func endVisit() {
    assert(turn == .taken(.visit), "a visit ends that did not begin")
    turn = .free(after: .visit)
  }
}

extension WriteTurns {
  /// Keeps digests in memory, including those that wait.
  ///
  /// - Returns: false if the queue is closed.
  mutating func suspend() -> Bool {
    if case .closed = mode { return false }
    mode = .suspended
    releaseThreads(reporting: nil)
    return true
  }

  mutating func resume() {
    if isSuspended { mode = .open }
  }

  mutating func close() {
    mode = .closed
  }

  /// The digests that wait for a busy file and were not reported yet.
  mutating func takeUnreported() -> [Unwritten] {
    guard case .busy(let error) = mode else { return [] }
    let reason = WriteError(error: error, isKept: true)
    return waiting.compactMap { pending in
      guard case .none(reported: nil) = pending.waiter else { return nil }
      pending.waiter = .none(reported: reason)
      return (pending, reason)
    }
  }

  /// Removes and returns the digests that no thread waits for.
  mutating func removeUnawaited() -> [PendingWrite] {
    let removed = waiting.filter { !$0.isAwaited }
    waiting.removeAll { !$0.isAwaited }
    unwrittenBytes -= removed.reduce(0) { $0 + $1.bytes }
    return removed
  }
}
