import ResilientPlatform

/// The digests that wait to be written, and the turn to write.
///
/// A thread that arrives while another is writing waits. The next writer commits all waiting
/// digests in one transaction (group commit), so many threads together are faster than one. Each
/// thread returns when its own digest is committed.
final class WriteQueue: PendingDigests {
  fileprivate enum Turn {
    case free

    /// A thread writes, or does something else that needs the only writer.
    case taken
  }

  fileprivate enum Refusal {
    case overflow, closed
  }

  fileprivate struct State {
    /// Open, with digests written as they come; suspended, with digests kept in memory; or closed,
    /// with digests refused.
    var access = FileAccess.open
    var turn = Turn.free

    /// The number of threads that wait for a turn to do something else than write digests. They go
    /// first, but not twice in a row while threads wait for their digests.
    var reservations = 0
    var waitingLeaders = 0
    var isBatchNext = false

    var waiting: [PendingWrite] = []

    /// The approximate memory use, in bytes, of the digests that no thread waits for. The others
    /// are limited by the number of threads.
    var waitingBytes = 0

    /// The number of digests that were queued, and how many of them are finished, in the same
    /// order.
    var submitted = 0
    var finished = 0

    /// Whether more than one digest waited when the last batch was taken.
    var isContended = false

    /// Tasks that writing has made due.
    var due: Maintenance.Tasks = []
  }

  /// The number of errors at which a batch ends: some ten milliseconds of writing.
  private static let maximumBatch = 2_000

  /// Whether `onWriteFailure` is running here.
  @TaskLocal private static var isReporting = false

  private let file: StoreFile
  private let state = Condition(State())

  init(_ file: StoreFile) {
    self.file = file
  }

  deinit {
    ExitFlush.remove(self)
  }

  /// Writes a digest. When this returns, the digest is committed or was reported to
  /// `onWriteFailure`.
  ///
  /// While the store is suspended, the digest waits in memory instead.
  ///
  /// - Returns: the tasks that are due after the write.
  func write(_ pending: PendingWrite) -> Maintenance.Tasks {
    guard submit(pending, waits: true) else { return [] }
    lead { _ in pending.outcome != nil || !pending.hasWaiter }
    let (outcome, due) = state.withLock { state in
      (pending.hasWaiter ? pending.outcome : nil, state.removeDueTasks())
    }
    if case .failed(let error) = outcome { report(error, of: pending) }
    return due
  }

  /// Queues a digest to be written later, unless too many bytes wait already.
  func enqueue(_ pending: PendingWrite) {
    _ = submit(pending, waits: false)
  }

  /// Writes all waiting digests. When this returns, they are committed or were reported to
  /// `onWriteFailure`.
  ///
  /// Leaves digests that arrive in the meantime to other threads. Does nothing while the store is
  /// suspended.
  ///
  /// - Returns: the tasks that are due after the write.
  @discardableResult
  func drain() -> Maintenance.Tasks {
    let last = state.withLock { $0.submitted }
    lead { $0.finished >= last || $0.access == .suspended }
    return state.withLock { $0.removeDueTasks() }
  }

  func writeWaiting() {
    if isSuspended {
      guard waitingCount > 0 else { return }
      _ = resume { file.resume() }
    } else {
      drain()
    }
    writeDecodes()
  }

  /// Writes the decodes counted so far, if possible.
  ///
  /// - Returns: the tasks that are due after the write.
  @discardableResult
  func writeDecodes() -> Maintenance.Tasks {
    // The transaction of another thread may be writing the counts, or fail and leave them.
    let isNeeded = state.withLock { state in
      state.access != .suspended && (state.turn == .taken || !file.pendingDecodes.isEmpty)
    }
    return isNeeded ? withTurn { file.writeDecodes() } : []
  }

  /// Whether digests are kept in memory until ``resume(_:)``.
  var isSuspended: Bool { state.withLock { $0.access == .suspended } }

  /// The number of digests that wait to be written.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` in a turn of this thread, before the waiting digests are written.
  func withTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.reservations += 1 }
    state.waiting { state -> Void? in
      guard state.turn == .free, !state.isBatchNext else { return nil }
      state.reservations -= 1
      state.turn = .taken
      return ()
    }
    defer {
      state.withLock { state in
        state.turn = .free
        state.isBatchNext = state.waitingLeaders > 0
      }
      state.wakeAll()
      file.reportQuarantines()
    }
    return try body()
  }

  /// Closes the queue: ends a suspension with `resume`, refuses new digests, writes the waiting
  /// ones, and runs `body` as the last turn.
  func close(resuming resume: () -> Void, _ body: () throws -> Void) rethrows {
    withTurn {
      resume()
      state.withLock { $0.access = .closed }
    }
    drain()
    try withTurn(body)
  }

  /// Writes all waiting digests, then runs `body`; keeps later digests in memory.
  func suspend(_ body: () -> Void) {
    drain()
    withTurn {
      let isSuspended = state.withLock { $0.suspend() }
      if isSuspended { body() }
    }
  }

  /// Ends a suspension and writes the digests kept in memory.
  ///
  /// - Returns: the tasks that are due after the write.
  func resume(_ body: () -> Void) -> Maintenance.Tasks {
    withTurn {
      body()
      state.withLock { if $0.access == .suspended { $0.access = .open } }
    }
    return drain()
  }
}

extension WriteQueue {
  /// Appends a digest to the queue, or reports why it is refused.
  private func submit(_ pending: PendingWrite, waits: Bool) -> Bool {
    let maximumBytes = file.configuration.writing.maximumBytes
    pending.isOfReport = Self.isReporting
    let refusal = state.withLock { state in
      pending.hasWaiter = waits && state.access != .suspended
      return state.add(pending, maximumBytes: maximumBytes)
    }
    switch refusal {
    case nil: return true
    case .overflow:
      file.pendingLosses.count(.overflow, of: pending.record)
      report(DigestStoreError.overflow(file.path), of: pending)
    case .closed:
      file.pendingLosses.count(.failedWrite, of: pending.record)
      report(DigestStoreError.closed(file.path), of: pending)
    }
    return false
  }

  /// Writes batches, one in each turn of this thread, until `isDone`.
  private func lead(until isDone: (State) -> Bool) {
    while true {
      // Under contention, threads whose digests were just committed return with new ones. Yielding
      // lets those join this batch.
      if state.withLock({ $0.isContended }) { sched_yield() }
      let batch = nextBatch(unless: isDone)
      guard !batch.isEmpty else { return }
      let (outcomes, due) = commit(batch)
      let failures = state.withLock { state in
        state.due.formUnion(due)
        for (pending, outcome) in zip(batch, outcomes) { pending.outcome = outcome }
        state.finished += batch.count
        state.turn = .free
        return zip(batch, outcomes).filter { !$0.0.hasWaiter }
      }
      state.wakeAll()
      file.reportQuarantines()
      for case (let pending, .failed(let error)) in failures { report(error, of: pending) }
    }
  }

  /// Waits for a turn and takes a batch, or returns an empty one as soon as `isDone`.
  private func nextBatch(unless isDone: (State) -> Bool) -> [PendingWrite] {
    var (isWaiting, mustWake) = (false, false)
    let batch = state.waiting { state -> [PendingWrite]? in
      let isDone = isDone(state)
      guard isDone || state.turn == .free && (state.reservations == 0 || state.isBatchNext) else {
        if !isWaiting { state.waitingLeaders += 1 }
        isWaiting = true
        return nil
      }
      if isWaiting { state.waitingLeaders -= 1 }
      state.isBatchNext = isDone && state.waitingLeaders > 0
      if isDone {
        mustWake = state.reservations > 0
        return []
      }
      let batch = state.takeBatch(of: Self.maximumBatch)
      if !batch.isEmpty { state.turn = .taken }
      state.isContended = batch.count > 1 || !state.waiting.isEmpty
      return batch
    }
    if mustWake { state.wakeAll() }
    return batch
  }

  /// Writes digests in one transaction. If that fails, writes each in its own, so that one digest
  /// does not make the others fail.
  private func commit(_ batch: [PendingWrite]) -> ([PendingWrite.Outcome], due: Maintenance.Tasks) {
    do {
      let due = try file.append(batch.map(\.record))
      return (batch.map { _ in .written }, due)
    } catch let error as SQLiteError where batch.count > 1 && !error.isBusy {
      let alone = batch.map { commit([$0]) }
      return (alone.flatMap(\.0), alone.reduce([]) { $0.union($1.due) })
    } catch {
      for pending in batch { file.pendingLosses.count(.failedWrite, of: pending.record) }
      return (batch.map { _ in .failed(error) }, [])
    }
  }

  /// Calls `onWriteFailure`, unless this is a digest that it has recorded itself.
  private func report(_ error: any Error, of pending: PendingWrite) {
    guard let onWriteFailure = file.configuration.onWriteFailure, !pending.isOfReport else {
      return
    }
    Self.$isReporting.withValue(true) {
      onWriteFailure(
        DigestStore.WriteFailure(
          error: DigestStoreError(error, path: file.path),
          model: pending.record.model,
          digest: pending.digest))
    }
  }
}

extension WriteQueue.State {
  fileprivate mutating func removeDueTasks() -> Maintenance.Tasks {
    defer { due = [] }
    return due
  }

  /// Keeps later digests in memory, and those whose threads wait.
  ///
  /// - Returns: false if the queue is closed.
  fileprivate mutating func suspend() -> Bool {
    guard access != .closed else { return false }
    access = .suspended
    for pending in waiting where pending.hasWaiter {
      pending.hasWaiter = false
      waitingBytes += pending.bytes
    }
    return true
  }

  /// Appends a digest to the queue.
  ///
  /// - Returns: the reason for refusing the digest; nil if it was added.
  fileprivate mutating func add(
    _ pending: PendingWrite, maximumBytes: Int
  ) -> WriteQueue.Refusal? {
    if access == .closed { return .closed }
    if !pending.hasWaiter {
      let bytes = pending.bytes
      guard waitingBytes + bytes <= maximumBytes else { return .overflow }
      waitingBytes += bytes
    }
    waiting.append(pending)
    submitted += 1
    return nil
  }

  /// Removes and returns the first digests, until they have `maximum` errors or more.
  fileprivate mutating func takeBatch(of maximum: Int) -> [PendingWrite] {
    var rest = maximum
    let batch = waiting.prefix { pending in
      defer { rest -= max(1, pending.record.failures.count) }
      return rest > 0
    }
    waiting.removeFirst(batch.count)
    waitingBytes -= batch.reduce(0) { $1.hasWaiter ? $0 : $0 + $1.bytes }
    return Array(batch)
  }
}
