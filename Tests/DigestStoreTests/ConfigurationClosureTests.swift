import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// Closures of the configuration, and of progress, that use the store themselves.
@Suite(.timeLimit(.minutes(5)))
struct ConfigurationClosureTests {
  enum Use: String, CaseIterable, Sendable {
    case record, flush, report, verify, prune, suspendAndResume, close

    func apply(to store: DigestStore) {
      // What it throws is nothing to the test, which is over when it returns.
      switch self {
      case .record: try? store.see("yurt")
      case .flush: store.flush()
      case .report: _ = try? store.novelValues()
      case .verify: _ = try? store.verify()
      case .prune: _ = try? store.prune()
      case .suspendAndResume:
        store.suspend()
        store.resume()
      case .close: try? store.close()
      }
    }
  }

  /// A store whose closures use it as soon as they can.
  private final class UsedStore: Sendable {
    let place: FaultyPlace
    let store: Locked<DigestStore?>
    let calls = Locked(0)

    init(_ use: Use, writing: DigestStore.Writing = .beforeReturning) throws {
      let place = try FaultyPlace()
      let store = Locked<DigestStore?>(nil)
      let calls = calls
      let apply: @Sendable () -> Void = {
        calls.withLock { $0 += 1 }
        if let store = store.withLock({ $0 }) { use.apply(to: store) }
      }
      self.place = place
      self.store = store
      let opened = try DigestStore(
        path: place.path,
        configuration: DigestStore.Configuration(
          writing: writing,
          onWriteFailure: { _ in apply() },
          onQuarantine: { _ in apply() }))
      store.withLock { $0 = opened }
    }

    var opened: DigestStore {
      get throws { try #require(store.withLock { $0 }) }
    }
  }

  @Test(arguments: Use.allCases, [false, true])
  func `the store can be used where a quarantine is reported, by a flush or a report`(
    _ use: Use, isReport: Bool
  ) throws {
    let used = try UsedStore(use)
    let store = try used.opened
    try store.see("villa", times: 10)
    if isReport {
      try store.file.checkpoint()
      try used.place.overwrite(Data(repeating: 0x58, count: 40_000), at: 4_096)
      #expect(throws: DigestStoreError.self) { try store.novelValues() }
    } else {
      try used.place.truncate(to: 0)
      try store.see("tent")
    }

    #expect(used.calls.withLock { $0 } == 1)
    #expect(try used.place.broken().count == 1)
    try store.close()
    if !isReport { #expect(try DigestReader(path: used.place.path).count("tent") == 1) }
  }

  @Test(arguments: Use.allCases, [DigestStore.Writing.beforeReturning, .inBackground()])
  func `the store can be used where a failed write is reported`(
    _ use: Use, writing: DigestStore.Writing
  ) throws {
    let used = try UsedStore(use, writing: writing)
    let store = try used.opened
    try store.write { try $0.connection.execute("DROP TABLE digest") }

    try store.see("tent")
    store.flush()

    // Of a file without its tables nothing else is expected than that the call returns.
    try? store.close()
    #expect(used.calls.withLock { $0 } >= 1)
  }

  @Test(arguments: [Use.record, .flush, .report], [false, true])
  func `the store can be used where an error is redacted`(_ use: Use, isImport: Bool) throws {
    let (reference, calls) = (Locked<DigestStore?>(nil), Locked(0))
    let temporary = try TemporaryStore(
      .init(redact: { entry in
        // Once: what it records is redacted, too.
        if calls.count() == 1, let store = reference.withLock({ $0 }) { use.apply(to: store) }
        return entry
      }))
    reference.withLock { $0 = temporary.store }
    if isImport {
      #expect(try temporary.store.importText(ImportTests.lines(count: 1)).added == 1)
    } else {
      try temporary.store.see("villa")
    }
    reference.withLock { $0 = nil }

    #expect(calls.withLock { $0 } == (use == .record ? 2 : 1))
    #expect(try temporary.store.totals().occurrences == (use == .record ? 2 : 1))
    #expect(temporary.failures.all.isEmpty)
  }

  @Test func `a digest that fails while a failure is reported is counted, and not reported again`()
    throws
  {
    let used = try UsedStore(.record)
    let store = try used.opened
    try store.see("villa")
    try store.write { writer in
      try writer.connection.execute(
        "CREATE INDEX refuse ON digest (abs(-9223372036854775807 - (id > 1)))")
    }

    try store.see("tent")

    #expect(used.calls.withLock { $0 } == 1)
    let pending = store.file.pendingLosses.pending.values.reduce(0) { $0 + $1.digests }
    #expect(pending == 2)
  }

  @Test(arguments: Use.allCases)
  func `the store can be used where a prune reports its progress`(_ use: Use) throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.see("villa", times: 10)
    let calls = Locked(0)

    _ = try? store.prune { _ in
      // Once: each prune reports again.
      let isFirst = calls.count() == 1
      if isFirst { use.apply(to: store) }
    }

    #expect(calls.withLock { $0 } > 0)
    try store.close()
  }

  @Test(arguments: [Use.record, .flush, .report, .prune])
  func `the store can be used where a check reports its progress`(_ use: Use) throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.see("villa", times: 10)
    let calls = Locked(0)

    let verification = try store.verify { _ in
      calls.withLock { $0 += 1 }
      use.apply(to: store)
    }

    #expect(calls.withLock { $0 } > 0)
    #expect(verification.isSound)
    #expect(verification.digests == 10)
  }
}
