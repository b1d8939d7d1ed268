import ResilientPlatform

/// The digests that wait to be written, and the turn to write.
///
/// A thread that arrives while another is writing waits. The next writer commits all waiting
/// digests in one transaction (group commit), so many threads together are faster than one. Each
/// thread returns when its own digest is committed.
final class WriteQueue: PendingDigests {
  fileprivate struct State {
    var waiting: [PendingWrite] = []

    /// The approximate memory use, in bytes, of the digests that no thread waits for. The others
    /// are limited by the number of threads.
    var waitingBytes = 0

    /// Whether a thread has the turn.
    var isWriting = false

    /// The number of threads that wait for a turn to do something else than write digests. They go
    /// first.
    var reservations = 0

    /// The number of digests that were queued, and how many of them are finished, in the same
    /// order.
    var submitted = 0
    var finished = 0

    var isSuspended = false
    var isClosed = false

    /// Whether more than one digest waited when the last batch was taken.
    var isContended = false

    /// Tasks that writing has made due.
    var due: Maintenance.Tasks = []

    /// The threads that are running `onWriteFailure`.
    var reporting: [pthread_t] = []
  }

  fileprivate enum Refusal {
    case overflow, closed
  }

  /// The number of errors at which a batch ends: some ten milliseconds of writing.
  private static let maximumBatch = 2_000

  private let file: StoreFile
  private let onWriteFailure: (@Sendable (DigestStore.WriteFailure) -> Void)?
  private let state = Condition(State())

  init(_ file: StoreFile, onWriteFailure: (@Sendable (DigestStore.WriteFailure) -> Void)?) {
    self.file = file
    self.onWriteFailure = onWriteFailure
  }

  deinit {
    OpenStores.remove(self)
  }

  /// Writes a digest. When this returns, the digest is committed or was reported to
  /// `onWriteFailure`.
  ///
  /// While the store is suspended, the digest waits in memory instead.
  ///
  /// - Parameter maximumBytes: the most bytes that may wait in memory then.
  /// - Returns: the tasks that are due after the write.
  func write(_ pending: PendingWrite, maximumBytes: Int) -> Maintenance.Tasks {
    let refusal = state.withLock { state in
      pending.hasWaiter = !state.isSuspended
      return state.add(pending, maximumBytes: maximumBytes)
    }
    if let refusal {
      refuse(pending, refusal)
      return []
    }
    lead { _ in pending.outcome != nil || !pending.hasWaiter }
    let (outcome, due) = state.withLock { state in
      (pending.hasWaiter ? pending.outcome : nil, state.removeDueTasks())
    }
    if case .failed(let error) = outcome { report(error, of: pending) }
    return due
  }

  /// Queues a digest to be written later, unless too many bytes wait already.
  func enqueue(_ pending: PendingWrite, maximumBytes: Int) {
    let refusal = state.withLock { $0.add(pending, maximumBytes: maximumBytes) }
    if let refusal { refuse(pending, refusal) }
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
    lead { $0.finished >= last || $0.isSuspended }
    return state.withLock { $0.removeDueTasks() }
  }

  func writeWaiting() {
    guard isSuspended else {
      drain()
      writeDecodes()
      return file.endBackgroundWriting()
    }
    guard waitingCount > 0 else { return }
    _ = resume { file.resume() }
    writeDecodes()
    file.endBackgroundWriting()
  }

  /// Writes the decodes counted so far, if possible.
  ///
  /// - Returns: the tasks that are due after the write.
  @discardableResult
  func writeDecodes() -> Maintenance.Tasks {
    // The transaction of another thread may be writing the counts, or fail and leave them.
    let isNeeded = state.withLock { state in
      !state.isSuspended && (state.isWriting || !file.pendingDecodes.isEmpty)
    }
    return isNeeded ? withTurn { file.writeDecodes() } : []
  }

  /// Whether digests are kept in memory until ``resume(_:)``.
  var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// The number of digests that wait to be written.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` in a turn of this thread, before the waiting digests are written.
  func withTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    reserveTurn()
    defer {
      state.withLock { $0.isWriting = false }
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
      state.withLock { state in
        state.isSuspended = false
        state.isClosed = true
      }
    }
    drain()
    try withTurn(body)
  }

  /// Writes all waiting digests, then runs `body`; keeps later digests in memory.
  func suspend(_ body: () -> Void) {
    drain()
    withTurn {
      let isClosed = state.withLock { state in
        guard !state.isClosed else { return true }
        state.isSuspended = true
        for pending in state.waiting where pending.hasWaiter {
          pending.hasWaiter = false
          state.waitingBytes += pending.bytes
        }
        return false
      }
      if !isClosed { body() }
    }
  }

  /// Ends a suspension and writes the digests kept in memory.
  ///
  /// - Returns: the tasks that are due after the write.
  func resume(_ body: () -> Void) -> Maintenance.Tasks {
    withTurn {
      body()
      state.withLock { $0.isSuspended = false }
    }
    return drain()
  }

  private func reserveTurn() {
    state.withLock { $0.reservations += 1 }
    state.waiting { state -> Void? in
      guard !state.isWriting else { return nil }
      state.reservations -= 1
      state.isWriting = true
      return ()
    }
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
        state.isWriting = false
        return zip(batch, outcomes).filter { !$0.0.hasWaiter }
      }
      state.wakeAll()
      file.reportQuarantines()
      for case (let pending, .failed(let error)) in failures { report(error, of: pending) }
    }
  }

  /// Waits for a turn and takes a batch, or returns an empty one as soon as `isDone`.
  private func nextBatch(unless isDone: (State) -> Bool) -> [PendingWrite] {
    state.waiting { state -> [PendingWrite]? in
      if isDone(state) { return [] }
      guard !state.isWriting, state.reservations == 0 else { return nil }
      let batch = state.takeBatch(of: Self.maximumBatch)
      state.isWriting = !batch.isEmpty
      state.isContended = batch.count > 1 || !state.waiting.isEmpty
      return batch
    }
  }

  /// Writes digests in one transaction. If that fails, writes each in its own, so that one digest
  /// does not make the others fail.
  private func commit(_ batch: [PendingWrite]) -> ([PendingWrite.Outcome], due: Maintenance.Tasks) {
    do {
      let due = try file.write { writer in
        try writer.append(batch.map(\.record))
        return writer.removeDueTasks()
      }
      return (batch.map { _ in .written }, due)
    } catch let error as SQLiteError where batch.count > 1 && !error.isBusy {
      let alone = batch.map { commit([$0]) }
      return (alone.flatMap(\.0), alone.reduce([]) { $0.union($1.due) })
    } catch {
      for pending in batch { file.pendingLosses.count(.failedWrite, of: pending.record) }
      let mayBeDamage = (error as? SQLiteError)?.mayBeDamage == true
      return (batch.map { _ in .failed(error) }, mayBeDamage ? .check : [])
    }
  }

  private func refuse(_ pending: PendingWrite, _ refusal: Refusal) {
    switch refusal {
    case .overflow:
      file.pendingLosses.count(.overflow, of: pending.record)
      report(DigestStoreError.overflow(file.path), of: pending)
    case .closed:
      file.pendingLosses.count(.failedWrite, of: pending.record)
      report(DigestStoreError.closed(file.path), of: pending)
    }
  }

  /// Calls `onWriteFailure`, unless this thread is already running it. A digest that the closure
  /// records, and that fails too, is counted but not reported, to avoid endless recursion.
  private func report(_ error: any Error, of pending: PendingWrite) {
    guard let onWriteFailure else { return }
    let isFirst = state.withLock { state in
      let isNested = state.reporting.contains { pthread_equal($0, pthread_self()) != 0 }
      if !isNested { state.reporting.append(pthread_self()) }
      return !isNested
    }
    guard isFirst else { return }
    defer {
      state.withLock { state in
        state.reporting.removeAll { pthread_equal($0, pthread_self()) != 0 }
      }
    }
    onWriteFailure(
      DigestStore.WriteFailure(
        error: DigestStoreError(error, path: file.path),
        model: pending.record.model,
        digest: pending.digest))
  }
}

extension WriteQueue {
  /// Waits until nothing is being written, and makes other threads wait until
  /// ``endFork(inChild:)``.
  ///
  /// Takes no lock yet. The turns of all stores come first, because a thread that has the turn of
  /// one store may be reading another.
  func reserveTurnForFork() {
    reserveTurn()
  }

  func beginFork() {
    state.lock()
  }

  /// Ends the turn. The child drops the waiting digests: the parent writes them, and only the
  /// parent has the threads that wait for them.
  func endFork(inChild isChild: Bool) {
    state.unlock(inChild: isChild) { state in
      if isChild {
        state = State(isSuspended: state.isSuspended, isClosed: state.isClosed)
      } else {
        state.isWriting = false
      }
    }
    state.wakeAll()
  }
}

extension WriteQueue.State {
  fileprivate mutating func removeDueTasks() -> Maintenance.Tasks {
    defer { due = [] }
    return due
  }

  /// Appends a digest to the queue.
  ///
  /// - Returns: the reason for refusing the digest; nil if it was added.
  fileprivate mutating func add(
    _ pending: PendingWrite, maximumBytes: Int
  ) -> WriteQueue.Refusal? {
    if isClosed { return .closed }
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
      defer { rest -= pending.record.entries.count + pending.record.omissions.count }
      return rest > 0
    }
    waiting.removeFirst(batch.count)
    waitingBytes -= batch.reduce(0) { $1.hasWaiter ? $0 : $0 + $1.bytes }
    return Array(batch)
  }
}
