import ResilientPlatform

extension WriteQueue {
  /// The digests that wait, and whose turn it is. Has no lock and does no I/O: each method is an
  /// event, and returns what the queue does then.
  struct Turns {
    /// Open, with digests written as they come; suspended, with digests kept in memory; or closed,
    /// with digests refused.
    var access = FileAccess.open

    /// The thread whose turn it is. It writes, or does something else that needs the only writer.
    var holder: pthread_t?

    /// The number of threads that wait for a turn to do something else than write their digests.
    /// They go first, but not twice in a row while threads wait for their digests.
    var reservations = 0
    var waitingLeaders = 0
    var isBatchNext = false

    var waiting: [PendingWrite] = []

    /// The approximate memory use, in bytes, of the digests that no thread waits for and that are
    /// not written. The others are limited by the number of threads.
    var unwrittenBytes = 0

    /// The error of the last attempt to write if it found the file busy, and the digests therefore
    /// still wait.
    var busyError: DigestStoreError?

    /// Whether more than one digest waited when the last batch was taken.
    var isContended = false
  }

  /// The outcome of an attempt to write a batch.
  struct Attempt {
    /// The error of each digest that was tried; nil for a digest that was written.
    var errors: [DigestStoreError?] = []

    /// The error of a busy file, which ended the attempt. The rest of the batch still waits.
    var busyError: DigestStoreError?

    /// The tasks that are due then.
    var due: Maintenance.Tasks = []
  }
}

extension WriteQueue.Turns {
  var isTurnOfThisThread: Bool {
    holder.map { pthread_equal($0, pthread_self()) != 0 } ?? false
  }

  /// Appends a digest to the queue.
  ///
  /// - Returns: the reason for refusing the digest; nil if it was added.
  mutating func add(
    _ pending: PendingWrite, waits: Bool, to file: StoreFile
  ) -> DigestStoreError? {
    if access == .closed { return .closed(file.path) }
    let isAwaited = waits && access == .open
    pending.hasWaiter = isAwaited && busyError == nil
    if !pending.hasWaiter {
      let bytes = pending.bytes
      guard unwrittenBytes + bytes <= file.configuration.writing.maximumBytes else {
        return .overflow(file.path)
      }
      unwrittenBytes += bytes
      if isAwaited { pending.failure = busyError.flatMap(pending.failure(keptAfter:)) }
    }
    waiting.append(pending)
    return nil
  }

  /// Removes and returns the first digests, until they have `maximum` errors or more.
  mutating func takeBatch(of maximum: Int) -> [PendingWrite] {
    var rest = maximum
    let batch = waiting.prefix { pending in
      defer { rest -= max(1, pending.record.errors.count) }
      return rest > 0
    }
    waiting.removeFirst(batch.count)
    return Array(batch)
  }

  /// Records the outcome of an attempt. Digests that it has not tried return to the queue.
  ///
  /// - Returns: the failures that no thread waits for.
  mutating func finish(
    _ batch: [PendingWrite], _ attempt: WriteQueue.Attempt
  ) -> [DigestStore.WriteFailure] {
    var unawaited: [DigestStore.WriteFailure] = []
    for (pending, error) in zip(batch, attempt.errors) {
      let failure = error.flatMap { pending.failure($0) }
      pending.failure = pending.hasWaiter ? failure : nil
      if !pending.hasWaiter {
        unwrittenBytes -= pending.bytes
        if let failure { unawaited.append(failure) }
      }
      pending.hasWaiter = false
    }
    busyError = attempt.busyError
    if let busyError {
      waiting.insert(contentsOf: batch.dropFirst(attempt.errors.count), at: 0)
      releaseThreads { $0.failure(keptAfter: busyError) }
    }
    return unawaited
  }

  /// Keeps later digests in memory, and those that wait.
  ///
  /// - Returns: false if the queue is closed.
  mutating func suspend() -> Bool {
    guard access != .closed else { return false }
    access = .suspended
    busyError = nil
    releaseThreads { _ in nil }
    return true
  }

  /// Ends the waits of threads. Their digests stay in the queue.
  ///
  /// - Parameter failure: what a thread reports.
  private mutating func releaseThreads(
    reporting failure: (PendingWrite) -> DigestStore.WriteFailure?
  ) {
    for pending in waiting where pending.hasWaiter {
      pending.hasWaiter = false
      pending.failure = failure(pending)
      unwrittenBytes += pending.bytes
    }
  }

  /// The failures of the digests that wait for a busy file and were not reported yet.
  func takeUnreported() -> [DigestStore.WriteFailure] {
    guard let busyError else { return [] }
    return waiting.compactMap { pending in
      guard pending.failure == nil else { return nil }
      pending.failure = pending.failure(keptAfter: busyError)
      return pending.failure
    }
  }
}

extension WriteQueue.Attempt {
  /// Adds the attempt to write the next digest.
  mutating func add(_ next: Self) {
    errors += next.errors
    busyError = next.busyError
    due.formUnion(next.due)
  }
}
