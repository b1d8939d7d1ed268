import ResilientPlatform

/// Writes digests, one thread at a time, and lets others use the only writer in between.
///
/// A thread that arrives while another is writing waits. The next writer commits all waiting
/// digests in one transaction (group commit), so many threads together are faster than one. Each
/// thread returns when its own digest is committed. ``WriteTurns`` decides who writes what and when.
///
/// If another process keeps the file busy, the digests stay in the queue. From then on no thread
/// waits for its digest, until an attempt to write them succeeds.
final class WriteQueue: Sendable {
  /// How long a process that exits waits for a turn.
  private static let exitPatience = Duration.seconds(2)

  private let file: StoreFile
  private let turns: Condition<WriteTurns>

  init(_ file: StoreFile) {
    self.file = file
    turns = Condition(WriteTurns(maximumBytes: file.configuration.writing.maximumBytes))
  }

  deinit {
    ExitFlush.remove(self)
  }

  /// Whether digests are kept in memory until ``resume(_:)``.
  var isSuspended: Bool { turns.withLock { $0.isSuspended } }

  /// Whether digests wait because another process keeps the file busy.
  var isBusy: Bool { turns.withLock { $0.isBusy } }

  /// The number of digests that wait to be written.
  var waitingCount: Int { turns.withLock { $0.waiting.count } }

  /// Writes a digest, or leaves it in memory to be written later, or counts it as lost.
  ///
  /// - Parameter waits: whether to return only when the digest is committed or was reported to
  ///   `onWriteFailure`. While the store is suspended, the digest waits in memory instead.
  /// - Returns: the tasks that are due then. They include writing if digests wait in memory.
  func write(_ pending: PendingWrite, waits: Bool) -> MaintenanceTasks {
    switch turns.withLock({ $0.submit(pending, waits: waits) }) {
    case .wait(let yields):
      if yields { sched_yield() }
      return writeBatches(until: pending)
    case .leave(let reason):
      report(pending, reason)
      return .write
    case .lose(let code):
      report(lose([pending], code == .closed ? .closed(file.path) : .overflow(file.path)))
      return []
    }
  }

  /// Tries once to write the digests that wait now, and the decodes counted so far. Does nothing
  /// while the store is suspended.
  ///
  /// - Parameter reportsKept: whether to report the digests that then still wait because the file is
  ///   busy.
  /// - Returns: the tasks that are due then. They include writing if some of it failed and can be
  ///   tried again.
  @discardableResult
  func drain(reportsKept: Bool = false) -> MaintenanceTasks {
    let attempt = withVisit { writeWaiting(reportsKept: reportsKept) }
    report(attempt.unwritten)
    return attempt.due
  }

  /// Tries once to write what waits, then runs `body`; keeps later digests in memory.
  func suspend(_ body: () -> Void) {
    let attempt = withVisit(closesFile: true) {
      let attempt = writeWaiting(reportsKept: true)
      let isSuspended = turns.withLock { $0.suspend() }
      turns.wakeAll()
      if isSuspended { body() }
      return attempt
    }
    report(attempt.unwritten)
  }

  /// Ends a suspension and tries once to write the digests kept in memory.
  ///
  /// - Returns: the tasks that are due then, as of ``drain(reportsKept:)``.
  func resume(_ body: () -> Void) -> MaintenanceTasks {
    withVisit {
      body()
      turns.withLock { $0.resume() }
    }
    return drain()
  }

  /// Closes the queue: ends a suspension with `resume`, refuses new digests, and tries once to
  /// write those that wait. Digests that still wait because the file is busy are lost.
  ///
  /// - Returns: the error of a busy file.
  func close(resuming resume: () -> Void) -> DigestStoreError? {
    let (attempt, lost) = withVisit {
      resume()
      turns.withLock { $0.close() }
      let attempt = writeWaiting()
      return (attempt, loseWaiting(attempt.busyError))
    }
    report(attempt.unwritten + lost)
    return attempt.busyError
  }

  /// Writes what waits when the process exits, including the digests of a suspended store.
  func writeAtExit() {
    if turns.withLock({ $0.isSuspended && $0.waiting.isEmpty }) { return }
    // The other threads go on. The one with the turn may be stuck, or be this one: `exit` was
    // called by a closure of the app.
    guard beginVisit(within: Self.exitPatience) else { return report(loseWaiting(nil)) }
    file.resume()
    turns.withLock { $0.resume() }
    let attempt = writeWaiting()
    endVisit()
    file.reportQuarantines()
    report(attempt.unwritten + loseWaiting(attempt.busyError))
  }

  /// Runs `body` in a visit of this thread, between batches.
  ///
  /// - Parameter closesFile: whether `body` closes all connections. Then the visit begins when no
  ///   long read is running.
  func withVisit<Result>(
    closesFile: Bool = false, _ body: () throws -> Result
  ) rethrows -> Result {
    defer { file.reportQuarantines() }
    func run() throws -> Result {
      _ = beginVisit()
      defer { endVisit() }
      return try body()
    }
    return closesFile ? try file.readers.withoutLongRead(run) : try run()
  }
}

extension WriteQueue {
  /// Waits until a visit of this thread begins.
  ///
  /// - Parameter patience: how long to wait; nil to wait until it begins.
  /// - Returns: whether it has begun.
  private func beginVisit(within patience: Duration? = nil) -> Bool {
    let end = patience.map { ContinuousClock.now + $0 }
    turns.withLock { $0.wantVisit() }
    if turns.waiting(until: { _ in end }, { $0.beginVisit() ? true : nil }) != nil { return true }
    turns.withLock { $0.giveUpVisit() }
    turns.wakeAll()
    return false
  }

  private func endVisit() {
    turns.withLock { $0.endVisit() }
    turns.wakeAll()
  }

  /// Writes batches, one in each turn of this thread, until it need not wait for a digest any more.
  private func writeBatches(until pending: PendingWrite) -> MaintenanceTasks {
    var due: MaintenanceTasks = []
    while let action = turns.waiting({ $0.next(for: pending) }) {
      switch action {
      case .write(let batch):
        let attempt = write(batch)
        file.reportQuarantines()
        report(attempt.unwritten)
        due.formUnion(attempt.due)
      case .leave(let reason):
        report(pending, reason)
        return due
      }
    }
    return due
  }

  /// Writes the digests that wait now, and the decodes counted so far, in the turn of this thread.
  /// Stops when the file is busy.
  private func writeWaiting(reportsKept: Bool = false) -> WriteTurns.Attempt {
    var attempt = WriteTurns.Attempt()
    let count = turns.withLock { $0.isSuspended ? 0 : $0.waiting.count }
    while attempt.errors.count < count, attempt.busyError == nil {
      let batch = turns.withLock { $0.takeBatch() }
      guard !batch.isEmpty else { break }
      attempt.add(write(batch))
    }
    if attempt.busyError == nil, !isSuspended { attempt.due.formUnion(file.writeDecodes()) }
    if reportsKept { attempt.unwritten += turns.withLock { $0.takeUnreported() } }
    return attempt
  }

  /// Writes a batch in the turn of this thread, and lets threads go on that waited for it.
  private func write(_ batch: [PendingWrite]) -> WriteTurns.Attempt {
    var attempt = commit(batch)
    attempt.unwritten = turns.withLock { [attempt] in $0.finish(batch, attempt) }
    turns.wakeAll()
    return attempt
  }

  /// Writes digests in one transaction. If that fails, writes each in its own, so that one digest
  /// does not make the others fail.
  private func commit(_ batch: [PendingWrite]) -> WriteTurns.Attempt {
    do {
      let due = try file.append(batch.map(\.record))
      return WriteTurns.Attempt(errors: batch.map { _ in nil }, due: due)
    } catch {
      let error = DigestStoreError(error, path: file.path)
      if error.code == .busy { return WriteTurns.Attempt(busyError: error, due: .write) }
      if let pending = batch.first, batch.count == 1 {
        file.pendingLosses.count(.failedWrite, of: pending.record)
        return WriteTurns.Attempt(errors: [error])
      }
      return batch.reduce(into: WriteTurns.Attempt()) { attempt, pending in
        if attempt.busyError == nil { attempt.add(commit([pending])) }
      }
    }
  }

  /// Removes the digests that no thread waits for, and counts them as lost.
  private func loseWaiting(_ busyError: DigestStoreError?) -> [WriteTurns.Unwritten] {
    lose(turns.withLock { $0.removeUnawaited() }, busyError ?? .exited(file.path))
  }

  private func lose(
    _ digests: [PendingWrite], _ error: DigestStoreError
  ) -> [WriteTurns.Unwritten] {
    let reason: DigestStore.Loss.Reason = error.code == .overflow ? .overflow : .failedWrite
    for pending in digests { file.pendingLosses.count(reason, of: pending.record) }
    return digests.map { ($0, WriteError(error: error, isKept: false)) }
  }

  private func report(_ pending: PendingWrite, _ reason: WriteError?) {
    if let reason { report([(pending, reason)]) }
  }

  /// Calls `onWriteFailure`, without a lock and outside a turn.
  private func report(_ digests: [WriteTurns.Unwritten]) {
    let digests = digests.filter { !$0.digest.isOfReport }
    guard !digests.isEmpty, let onWriteFailure = file.configuration.onWriteFailure else { return }
    PendingWrite.$isReporting.withValue(true) {
      for unwritten in digests { onWriteFailure(DigestStore.WriteFailure(unwritten)) }
    }
  }
}

extension DigestStore.WriteFailure {
  fileprivate init(_ unwritten: WriteTurns.Unwritten) {
    let (pending, reason) = unwritten
    self.init(
      error: reason.isKept ? reason.error.ofKeptDigest : reason.error, isKept: reason.isKept,
      model: pending.record.model, digest: pending.digest)
  }
}

extension DigestStoreError {
  /// The error of a busy file, with what the store does for the digest in place of a remedy.
  fileprivate var ofKeptDigest: Self {
    let remedy = "; try again"
    let reason = description.dropLast(description.hasSuffix(remedy) ? remedy.count : 0)
    return Self(
      code, "\(reason); the digest is not in the file yet, but the store keeps it and tries again")
  }

  /// The error for a digest that waits while the process ends and another thread is writing.
  fileprivate static func exited(_ path: String) -> Self {
    Self(
      .closed, "\(path): the process ended before the digest was written; close the store first")
  }
}
