import DigestStore
import Foundation
import ResilientDecoding

/// One of the processes that are killed.
///
/// Says on standard output, a line each, which digests it knows to be committed, and what went
/// wrong (a line that begins with `!`). What it has said remains when it is killed.
struct Worker {
  private let order: WorkerOrder

  /// The digests that were not written because the file was locked.
  private let refused = RefusedTickets()

  init(_ order: WorkerOrder) {
    self.order = order
  }

  func run() throws -> Never {
    // Whatever becomes of the one who should kill it.
    alarm(60)
    switch order.role {
    case .write, .endure:
      let store = try open()
      for thread in 0..<order.threads {
        Thread.detachNewThread { record(thread) { _ in store } }
      }
    case .reopen:
      Thread.detachNewThread {
        record(0) { number in
          // An error has been said already.
          number.isMultiple(of: 20) ? try? open() : nil
        }
      }
    case .finish: finish()
    case .report: Thread.detachNewThread { report() }
    case .upload:
      let store = try open()
      for thread in 0..<order.threads {
        Thread.detachNewThread { record(thread) { _ in store } }
      }
      Thread.detachNewThread { readFile() }
    case .visit: Thread.detachNewThread { visit() }
    case .evict:
      let store = try open(maximumAge: .milliseconds(200))
      Thread.detachNewThread { record(0) { _ in store } }
      Thread.detachNewThread { evict(from: store) }
    }
    while true { sleep(60) }
  }

  /// Records one digest after the other; `store` may say where to from now on.
  private func record(_ thread: Int, store next: (Int) -> DigestStore?) {
    var store: DigestStore?
    for number in 0... {
      if let other = next(number) {
        if let store, store !== other { close(store) }
        store = other
      }
      let ticket = Ticket(worker: order.worker, thread: thread, number: number)
      do {
        guard let store else { return say("!no store") }
        try ticket.record(in: store)
        if !refused.remove(ticket) { say("\(ticket)") }
      } catch {
        say("!\(error)")
      }
      // A thousand digests a second are enough; more would only take longer to check.
      if number.isMultiple(of: 3) { usleep(2_000) }
    }
  }

  /// The number of digests that each thread of ``Role/finish`` records.
  static let digestsToFinish = 12

  /// Records some digests, and closes the store. Passes over what the store says that it could not
  /// do.
  private func finish() -> Never {
    guard let store = try? open() else { exit(0) }
    DispatchQueue.concurrentPerform(iterations: order.threads) { thread in
      for number in 0..<Self.digestsToFinish {
        let ticket = Ticket(worker: order.worker, thread: thread, number: number)
        do {
          try ticket.record(in: store)
          if !refused.remove(ticket) { say("\(ticket)") }
        } catch {
          say("!\(error)")
        }
      }
    }
    try? store.close()
    exit(0)
  }

  private func open(maximumAge: Duration? = nil) throws -> DigestStore {
    let configuration = DigestStore.Configuration(
      maximumAge: maximumAge,
      onWriteFailure: { failure in
        let path = failure.digest.entries.first?.codingPath.description
        let isExpected =
          order.role == .finish
          || order.role == .endure && [.busy, .overflow].contains(failure.error.code)
        if isExpected, let ticket = path.flatMap(Ticket.init(path:)) {
          refused.insert(ticket)
        } else {
          say("!not written: \(failure.error)")
        }
      })
    do {
      return try DigestStore(path: order.path, configuration: configuration)
    } catch {
      if order.role != .finish { say("!not opened: \(error)") }
      throw error
    }
  }

  private func close(_ store: DigestStore) {
    do { try store.close() } catch { say("!not closed: \(error)") }
  }

  /// Reads the file, which releases the locks that SQLite has on it.
  private func readFile() {
    while true {
      do {
        _ = try Data(contentsOf: URL(filePath: order.path))
      } catch {
        say("!not read: \(error)")
      }
      usleep(2_000)
    }
  }

  /// Imports each digest twice. The second time the store knows it.
  private func visit() {
    for number in 0... {
      let ticket = Ticket(worker: order.worker, thread: 0, number: number)
      do {
        let store = try open()
        let summaries = try (0..<2).map { _ in try store.importDigests(ticket.line) }
        guard summaries.map(\.added) == [1, 0] else { return say("!imported: \(summaries)") }
        try store.close()
        say("\(ticket)")
      } catch {
        say("!\(error)")
      }
    }
  }

  private func evict(from store: DigestStore) {
    while true {
      do { _ = try store.prune() } catch { say("!not pruned: \(error)") }
      usleep(10_000)
    }
  }

  private func report() {
    var hasRead = false
    while true {
      do {
        let store = try DigestReader(path: order.path)
        for _ in 0..<10 {
          _ = try store.novelValues(limit: 3)
          _ = try store.failures(matching: DigestFilter(codingPath: "items.*"))
          _ = try store.losses()
          try store.exportDigests { _ in }
          let verification = try store.verify()
          if !verification.isSound { say("!verify: \(verification.problems)") }
          hasRead = true
          usleep(5_000)
        }
      } catch let error as DigestStoreError
        where !hasRead && [.noSuchStore, .notAStore].contains(error.code)
      {
        // No one has made it yet.
        usleep(1_000)
      } catch {
        say("!report: \(error)")
        return
      }
    }
  }

  /// In one call, so that lines of several threads do not mix.
  private func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}

/// Tickets that the store has reported as not written.
private final class RefusedTickets: @unchecked Sendable {
  // Sendable: only touched with the lock.
  private let lock = NSLock()
  private var tickets: Set<Ticket> = []

  func insert(_ ticket: Ticket) { _ = lock.withLock { tickets.insert(ticket) } }

  /// Returns whether the ticket was there.
  func remove(_ ticket: Ticket) -> Bool { lock.withLock { tickets.remove(ticket) != nil } }
}
