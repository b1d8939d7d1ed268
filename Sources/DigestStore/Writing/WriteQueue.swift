import ResilientPlatform

/// The digests that wait to be written, and the turn to write.
///
/// A thread that arrives while another is writing waits. The next writer commits all waiting
/// digests in one transaction (group commit), so many threads together are faster than one. Each
/// thread returns when its own digest is committed.
///
/// If another process keeps the file busy, the digests stay in the queue. From then on no thread
/// waits for its digest, until an attempt to write them succeeds.
final class WriteQueue: PendingDigests {
  /// The number of errors at which a batch ends: some ten milliseconds of writing.
  private static let maximumBatch = 2_000

  /// How long a process that exits waits for the turn.
  private static let exitPatience = Duration.seconds(2)

  /// Whether `onWriteFailure` is running here.
  @TaskLocal private static var isReporting = false

  private let file: StoreFile
  private let state = Condition(Turns())

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
  /// - Returns: the tasks that are due after the write. They include writing if digests wait for a
  ///   busy file.
  func write(_ pending: PendingWrite) -> Maintenance.Tasks {
    var due = submit(pending, waits: true) ? lead { !pending.hasWaiter } : []
    if isBusy { due.insert(.write) }
    if let failure = state.withLock({ _ in pending.failure }) { report([failure]) }
    return due
  }

  /// Queues a digest to be written later, unless too many bytes wait already.
  func enqueue(_ pending: PendingWrite) {
    _ = submit(pending, waits: false)
  }

  /// Tries once to write the digests that wait now, and the decodes counted so far. Does nothing
  /// while the store is suspended.
  ///
  /// - Returns: the tasks that are due after the write. They include writing if some of it failed
  ///   and can be tried again.
  @discardableResult
  func drain() -> Maintenance.Tasks {
    let (due, failures) = withTurn { writeWaiting() }
    report(failures)
    return due
  }

  /// Drains the queue, and reports the digests that still wait because the file is busy.
  func flush() -> Maintenance.Tasks {
    let (due, failures) = withTurn {
      let (due, failures) = writeWaiting()
      return (due, failures + state.withLock { $0.takeUnreported() })
    }
    report(failures)
    return due
  }

  /// Writes what waits when the process exits, including the digests of a suspended store.
  func writeAtExit() {
    if isSuspended && waitingCount == 0 { return }
    // The other threads go on. The one with the turn may be stuck, or be this one: `exit` was
    // called by a closure of the app.
    guard takeTurn(within: Self.exitPatience) else { return report(loseWaiting()) }
    endSuspension { file.resume() }
    let (_, failures) = writeWaiting()
    endTurn()
    file.reportQuarantines()
    report(failures + loseWaiting())
  }

  /// Whether digests are kept in memory until ``resume(_:)``.
  var isSuspended: Bool { state.withLock { $0.access == .suspended } }

  /// Whether digests wait because another process keeps the file busy.
  var isBusy: Bool { state.withLock { $0.busyError != nil } }

  /// The number of digests that wait to be written.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` in a turn of this thread, before the waiting digests are written.
  func withTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    _ = takeTurn()
    defer {
      endTurn()
      file.reportQuarantines()
    }
    return try body()
  }

  /// Closes the queue: ends a suspension with `resume`, refuses new digests, and tries once to
  /// write those that wait. Digests that still wait because the file is busy are lost.
  ///
  /// - Returns: the error of a busy file.
  func close(resuming resume: () -> Void) -> DigestStoreError? {
    let (failures, busyError) = withTurn {
      endSuspension(with: .closed, resume)
      let (_, failures) = writeWaiting()
      let busyError = state.withLock { $0.busyError }
      return (failures + loseWaiting(), busyError)
    }
    report(failures)
    return busyError
  }

  /// Tries once to write what waits, then runs `body`; keeps later digests in memory.
  func suspend(_ body: () -> Void) {
    let failures = withTurn {
      var (_, failures) = writeWaiting()
      failures += state.withLock { $0.takeUnreported() }
      if state.withLock({ $0.suspend() }) { body() }
      return failures
    }
    report(failures)
  }

  /// Ends a suspension and tries once to write the digests kept in memory.
  ///
  /// - Returns: the tasks that are due after the write, as of ``drain()``.
  func resume(_ body: () -> Void) -> Maintenance.Tasks {
    withTurn { endSuspension(body) }
    return drain()
  }
}

extension WriteQueue {
  /// Waits for the turn.
  ///
  /// - Parameter patience: how long to wait; nil to wait until the turn is free. With a limit, a
  ///   thread does not wait for its own turn.
  /// - Returns: whether it is the turn of this thread.
  private func takeTurn(within patience: Duration? = nil) -> Bool {
    let end = patience.map { ContinuousClock.now + $0 }
    state.withLock { $0.reservations += 1 }
    let isTaken =
      state.waiting(
        until: { _ in end },
        { state -> Bool? in
          if end != nil, state.isTurnOfThisThread { return false }
          guard state.holder == nil, !state.isBatchNext else { return nil }
          state.holder = pthread_self()
          return true
        }) ?? false
    state.withLock { $0.reservations -= 1 }
    // The reservation has kept the batches waiting.
    if !isTaken { state.wakeAll() }
    return isTaken
  }

  private func endTurn() {
    state.withLock { state in
      state.holder = nil
      state.isBatchNext = state.waitingLeaders > 0
    }
    state.wakeAll()
  }

  private func endSuspension(with access: FileAccess = .open, _ resume: () -> Void) {
    resume()
    state.withLock { if access == .closed || $0.access == .suspended { $0.access = access } }
  }

  /// Appends a digest to the queue, or reports why it is refused.
  ///
  /// - Returns: whether this thread waits for it.
  private func submit(_ pending: PendingWrite, waits: Bool) -> Bool {
    pending.isOfReport = Self.isReporting
    let (refusal, mustWait) = state.withLock { state in
      (state.add(pending, waits: waits, to: file), pending.hasWaiter)
    }
    if let refusal { report(lose([pending], refusal)) }
    return mustWait
  }

  /// Writes batches, one in each turn of this thread, until `isDone`.
  private func lead(until isDone: () -> Bool) -> Maintenance.Tasks {
    var due: Maintenance.Tasks = []
    while true {
      // Under contention, threads whose digests were just committed return with new ones. Yielding
      // lets those join this batch.
      if state.withLock({ $0.isContended }) { sched_yield() }
      let batch = nextBatch(unless: isDone)
      guard !batch.isEmpty else { return due }
      let attempt = commit(batch)
      let failures = state.withLock { state in
        state.holder = nil
        return state.finish(batch, attempt)
      }
      state.wakeAll()
      file.reportQuarantines()
      due.formUnion(attempt.due)
      report(failures)
    }
  }

  /// Waits for a turn and takes a batch, or returns an empty one as soon as `isDone`.
  private func nextBatch(unless isDone: () -> Bool) -> [PendingWrite] {
    var (isWaiting, mustWake) = (false, false)
    let batch = state.waiting { state -> [PendingWrite]? in
      let isDone = isDone()
      guard isDone || state.holder == nil && (state.reservations == 0 || state.isBatchNext) else {
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
      if !batch.isEmpty { state.holder = pthread_self() }
      state.isContended = batch.count > 1 || !state.waiting.isEmpty
      return batch
    }
    if mustWake { state.wakeAll() }
    return batch
  }

  /// Writes the digests that wait now, and the decodes counted so far, in the turn of this thread.
  /// Stops when the file is busy.
  private func writeWaiting() -> (due: Maintenance.Tasks, [DigestStore.WriteFailure]) {
    var due: Maintenance.Tasks = []
    var failures: [DigestStore.WriteFailure] = []
    var rest = state.withLock { $0.access == .suspended ? 0 : $0.waiting.count }
    while rest > 0 {
      let batch = state.withLock { $0.takeBatch(of: Self.maximumBatch) }
      guard !batch.isEmpty else { break }
      let attempt = commit(batch)
      failures += state.withLock { $0.finish(batch, attempt) }
      due.formUnion(attempt.due)
      rest = attempt.busyError == nil ? rest - batch.count : 0
    }
    if isBusy {
      due.insert(.write)
    } else if !isSuspended {
      due.formUnion(file.writeDecodes())
    }
    return (due, failures)
  }

  /// Writes digests in one transaction. If that fails, writes each in its own, so that one digest
  /// does not make the others fail.
  private func commit(_ batch: [PendingWrite]) -> Attempt {
    do {
      let due = try file.append(batch.map(\.record))
      return Attempt(errors: batch.map { _ in nil }, due: due)
    } catch {
      let error = DigestStoreError(error, path: file.path)
      if error.code == .busy { return Attempt(busyError: error) }
      if let pending = batch.first, batch.count == 1 {
        file.pendingLosses.count(.failedWrite, of: pending.record)
        return Attempt(errors: [error])
      }
      return batch.reduce(into: Attempt()) { attempt, pending in
        if attempt.busyError == nil { attempt.add(commit([pending])) }
      }
    }
  }

  /// Removes the digests that no thread waits for, and counts them as lost.
  private func loseWaiting() -> [DigestStore.WriteFailure] {
    let (lost, busyError) = state.withLock { state in
      let lost = state.waiting.filter { !$0.hasWaiter }
      state.waiting.removeAll { !$0.hasWaiter }
      defer { (state.unwrittenBytes, state.busyError) = (0, nil) }
      return (lost, state.busyError)
    }
    return lose(lost, busyError ?? .exited(file.path))
  }

  private func lose(
    _ digests: [PendingWrite], _ error: DigestStoreError
  ) -> [DigestStore.WriteFailure] {
    let reason: DigestStore.Loss.Reason = error.code == .overflow ? .overflow : .failedWrite
    for pending in digests { file.pendingLosses.count(reason, of: pending.record) }
    return digests.compactMap { $0.failure(error) }
  }

  private func report(_ failures: [DigestStore.WriteFailure]) {
    guard !failures.isEmpty, let onWriteFailure = file.configuration.onWriteFailure else { return }
    Self.$isReporting.withValue(true) { failures.forEach(onWriteFailure) }
  }
}

extension DigestStoreError {
  /// The error for a digest that waits while the process ends and another thread is writing.
  fileprivate static func exited(_ path: String) -> Self {
    Self(
      .closed, "\(path): the process ended before the digest was written; close the store first")
  }
}
