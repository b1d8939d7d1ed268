#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The digests that wait to be written, and whose turn it is to write.
///
/// Whoever comes while another one writes waits, and the next writes for all that wait, in one
/// transaction: so many threads together are faster than one (group commit), and each returns when
/// its own digest is committed.
final class WriteQueue: PendingDigests {
  fileprivate struct State {
    var waiting: [PendingWrite] = []

    /// About how much memory those take that no one waits for; the others are as few as threads.
    var waitingBytes = 0

    /// Whether it is someone's turn.
    var isWriting = false

    /// How many want a turn for something else than digests; they come first.
    var reservations = 0

    /// How many digests have come, and how many of these are dealt with, in the same order.
    var submitted = 0
    var finished = 0

    var isSuspended = false
    var isClosed = false

    /// Whether more than one thread's digests were there when someone's turn began.
    var isContended = false

    /// What writing has made due.
    var due: Maintenance.Tasks = []

    /// The threads that are in `onWriteFailure`.
    var reporting: [pthread_t] = []
  }

  fileprivate enum Refusal {
    case overflow, closed
  }

  /// The most errors that one transaction writes, unless one digest has more: some ten milliseconds.
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

  /// Writes a digest; when this returns it is committed, or told to `onWriteFailure`.
  ///
  /// While the store is suspended it waits in memory instead.
  ///
  /// - Parameter maximumBytes: how much may wait in memory then.
  /// - Returns: what is to be done now that more is written.
  func write(_ ticket: PendingWrite, maximumBytes: Int) -> Maintenance.Tasks {
    let refusal = state.withLock { state in
      ticket.hasWaiter = !state.isSuspended
      return state.add(ticket, maximumBytes: maximumBytes)
    }
    if let refusal {
      refuse(ticket, refusal)
      return []
    }
    lead { _ in ticket.outcome != nil || !ticket.hasWaiter }
    let (outcome, due) = state.withLock { state in
      (ticket.hasWaiter ? ticket.outcome : nil, state.takeDue())
    }
    if case .failed(let error) = outcome { tell(error, of: ticket) }
    return due
  }

  /// Takes a digest to be written later, unless too much waits already.
  func enqueue(_ ticket: PendingWrite, maximumBytes: Int) {
    let refusal = state.withLock { $0.add(ticket, maximumBytes: maximumBytes) }
    if let refusal { refuse(ticket, refusal) }
  }

  /// Writes all that waits; when this returns it is committed, or told to `onWriteFailure`.
  ///
  /// What comes in the meantime is left to others. Does nothing while the store is suspended.
  ///
  /// - Returns: what is to be done now that more is written.
  @discardableResult
  func drain() -> Maintenance.Tasks {
    let last = state.withLock { $0.submitted }
    lead { $0.finished >= last || $0.isSuspended }
    return state.withLock { $0.takeDue() }
  }

  func writeWaiting() {
    guard isSuspended else {
      drain()
      return file.endBackgroundWriting()
    }
    guard waitingCount > 0 else { return }
    _ = resume { file.resume() }
    file.endBackgroundWriting()
  }

  /// Whether digests are kept in memory until ``resume(_:)``.
  var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// How many digests wait to be written.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when it is this thread's turn to write, before the digests that wait.
  func withTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    reserveTurn()
    defer {
      state.withLock { $0.isWriting = false }
      state.wakeAll()
      file.tellQuarantines()
    }
    return try body()
  }

  /// Ends a suspension by `resume`, writes all that waits, refuses what comes afterwards, and runs
  /// `body` as the last turn.
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

  /// Runs `body` once nothing is being written, and keeps what comes afterwards in memory.
  func suspend(_ body: () -> Void) {
    drain()
    withTurn {
      let isClosed = state.withLock { state in
        guard !state.isClosed else { return true }
        state.isSuspended = true
        for ticket in state.waiting where ticket.hasWaiter {
          ticket.hasWaiter = false
          state.waitingBytes += ticket.bytes
        }
        return false
      }
      if !isClosed { body() }
    }
  }

  /// Ends a suspension and writes what was kept.
  ///
  /// - Returns: what is to be done now that more is written.
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

  /// Writes batches, whenever it is this thread's turn, until `isDone`.
  private func lead(until isDone: (State) -> Bool) {
    while true {
      // Where several write together, those that have just been told come back at once: their next
      // digests can go with this one.
      if state.withLock({ $0.isContended }) { sched_yield() }
      let batch = nextBatch(unless: isDone)
      guard !batch.isEmpty else { return }
      let (outcomes, due) = commit(batch)
      let failures = state.withLock { state in
        state.due.formUnion(due)
        for (ticket, outcome) in zip(batch, outcomes) { ticket.outcome = outcome }
        state.finished += batch.count
        state.isWriting = false
        return zip(batch, outcomes).filter { !$0.0.hasWaiter }
      }
      state.wakeAll()
      file.tellQuarantines()
      for case (let ticket, .failed(let error)) in failures { tell(error, of: ticket) }
    }
  }

  /// Waits for this thread's turn, or for `isDone`, and then takes nothing.
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

  /// Writes digests in one transaction, or each in its own if one spoils that for the others.
  private func commit(_ batch: [PendingWrite]) -> ([PendingWrite.Outcome], due: Maintenance.Tasks) {
    do {
      let due = try file.write { writer in
        try writer.append(batch.map { ($0.record, $0.encoded) })
        return writer.takeDue()
      }
      return (batch.map { _ in .written }, due)
    } catch let error as SQLiteError where batch.count > 1 && !error.isBusy {
      let alone = batch.map { commit([$0]) }
      return (alone.flatMap(\.0), alone.reduce([]) { $0.union($1.due) })
    } catch {
      for ticket in batch { file.ledger.count(.failedWrite, of: ticket.record) }
      let mayBeDamage = (error as? SQLiteError)?.mayBeDamage == true
      return (batch.map { _ in .failed(error) }, mayBeDamage ? .check : [])
    }
  }

  private func refuse(_ ticket: PendingWrite, _ refusal: Refusal) {
    switch refusal {
    case .overflow:
      file.ledger.count(.overflow, of: ticket.record)
      tell(DigestStoreError.overflow(file.path), of: ticket)
    case .closed:
      file.ledger.count(.failedWrite, of: ticket.record)
      tell(DigestStoreError.closed(file.path), of: ticket)
    }
  }

  /// Calls `onWriteFailure`, unless this thread is in it already: a digest which that closure
  /// records, and which fails too, is counted and not reported again without end.
  private func tell(_ error: any Error, of ticket: PendingWrite) {
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
        model: ticket.record.model,
        digest: ticket.digest))
  }
}

extension WriteQueue {
  /// Waits until nothing is written, and makes everyone else wait until ``endFork(inChild:)``.
  ///
  /// Takes no lock yet: the turns of all stores come first, because a thread that has the turn of
  /// one may be reading another.
  func reserveTurnForFork() {
    reserveTurn()
  }

  func beginFork() {
    state.lock()
  }

  /// Goes on; the digests that wait are the parent's to write, whose threads the child does not have.
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
  fileprivate mutating func takeDue() -> Maintenance.Tasks {
    defer { due = [] }
    return due
  }

  /// Puts a digest at the end of the queue.
  ///
  /// - Returns: why not, if it cannot be.
  fileprivate mutating func add(
    _ ticket: PendingWrite, maximumBytes: Int
  ) -> WriteQueue.Refusal? {
    if isClosed { return .closed }
    if !ticket.hasWaiter {
      let bytes = ticket.bytes
      guard waitingBytes + bytes <= maximumBytes else { return .overflow }
      waitingBytes += bytes
    }
    waiting.append(ticket)
    submitted += 1
    return nil
  }

  /// Takes the first digests out.
  fileprivate mutating func takeBatch(of maximum: Int) -> [PendingWrite] {
    var rest = maximum
    let batch = waiting.prefix { ticket in
      defer { rest -= ticket.record.entries.count + ticket.record.omissions.count }
      return rest > 0
    }
    waiting.removeFirst(batch.count)
    waitingBytes -= batch.reduce(0) { $1.hasWaiter ? $0 : $0 + $1.bytes }
    return Array(batch)
  }
}
