import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// A push to a file writes in short transactions, and can end after each of them.
struct PushStepTests {
  private static let start: Int64 = 1_760_054_400_000

  /// Adds digests to a store: each of two errors, in two releases and some hours.
  static func record(_ range: Range<Int>, in store: DigestStore) throws {
    for number in range {
      try store.append(
        .make(
          at: Moment(milliseconds: start + Int64(number) * 1_700_000),
          release: ["4.0", "4.1"][number % 2], .novel("v\(number % 7)"), .mismatch(at: "a[1]")))
    }
  }

  /// Runs a push, and fails the commit with a number.
  ///
  /// - Parameter number: the number of the commit; nil to fail none.
  /// - Returns: the numbers of rows that the transactions changed in the file.
  @discardableResult
  static func push(
    _ path: String, into store: DigestStore, failingCommit number: Int? = nil,
    maximumRows: Int64 = 20, progress: @escaping @Sendable () throws -> Void = {}
  ) throws -> [Int64] {
    let source = try PushedStore(path)
    return try store.write { writer in
      let commits = Commits(writer.connection, failing: number)
      defer { commits.end() }
      try FileReceiver.with(writer, maximumRows: maximumRows) { receiver in
        _ = try Push(of: source, to: receiver, progress: progress).run()
      }
      return commits.changes
    }
  }

  /// The rows of all tables that a push writes. The ids of digests depend on their order.
  static func contents(_ store: DigestStore) throws -> [String] {
    try store.snapshot { connection in
      try [
        "SELECT * FROM total", "SELECT * FROM tally", "SELECT * FROM decodes",
        "SELECT id, counted, counted_at, pushing FROM source",
        "SELECT recorded_at, model, context, source, number, errors FROM digest ORDER BY 4, 5",
        "SELECT * FROM context", "SELECT id, hex(key) FROM failure",
        "SELECT max(id) = (SELECT folded FROM store) FROM digest",
      ].flatMap { query in
        try connection.rows(query) { row in
          "\(query) " + (0..<8).map { row.text(at: $0) ?? "-" }.joined(separator: " ")
        }
      }
    }
  }

  /// What is pushed, and what the target has of it.
  enum Case: CaseIterable {
    case first, incremental, afterPrune, ofPushedStore, ofImported
  }

  /// Makes a store to push, and a closed one to push it to.
  private static func make(_ kind: Case) throws -> (source: TemporaryStore, target: TemporaryStore)
  {
    let (source, target) = try (TemporaryStore(), TemporaryStore())
    try record(0..<40, in: source.store)
    source.store.countCleanDecode(of: "App.Listing", DigestContext(release: "4.0"))
    source.store.flush()
    // First, so that no limit keeps its name out.
    try target.store.append(.make(.novel("other")))
    try record(500..<510, in: target.store)
    switch kind {
    case .first: break
    case .incremental, .afterPrune:
      try push(source.path, into: target.store)
      try record(40..<60, in: source.store)
      if kind == .afterPrune { _ = try source.store.prune(maximumAge: .zero) }
    case .ofPushedStore:
      let other = try TemporaryStore()
      try record(700..<720, in: other.store)
      try push(other.path, into: source.store)
    case .ofImported:
      let other = try TemporaryStore()
      try record(700..<720, in: other.store)
      _ = try source.store.importText(other.store.text())
    }
    try target.store.close()
    return (source, target)
  }

  private static func copy(_ path: String) throws -> TemporaryStore {
    let copy = try TemporaryStore()
    try copy.store.write { writer in
      try Connection(path: path, mode: .readOnly).copy(into: writer.connection)
      writer.names.forget()
    }
    return copy
  }

  @Test(arguments: Case.allCases)
  func `a push that ends after any step is completed by the next`(kind: Case) throws {
    let (source, target) = try Self.make(kind)
    let undisturbed = try Self.copy(target.path)
    let commits = try Self.push(source.path, into: undisturbed.store)
    #expect(commits.count > 20)
    // The others make and drop temporary tables.
    let numbers = commits.indices.filter { commits[$0] > 0 }.map { $0 + 1 }
    try undisturbed.store.append(.make(.novel("other")))
    try undisturbed.store.write { try $0.foldAll() }
    #expect(try undisturbed.store.verify().problems == [])
    let expected = try Self.contents(undisturbed.store)
    let identity = try #require(
      source.store.snapshot { try $0.text("SELECT identity FROM store") })
    // A short run fails each fourth commit, and with the next kind the one beside it.
    let (every, first) = (Repetitions.count(4, long: 1), Case.allCases.firstIndex(of: kind) ?? 0)
    for number in stride(from: first % every, to: numbers.count, by: every).map({ numbers[$0] }) {
      let interrupted = try Self.copy(target.path)
      let store = interrupted.store
      #expect(throws: DigestStoreError.self) {
        try Self.push(source.path, into: store, failingCommit: number)
      }
      // Others write meanwhile.
      try store.append(.make(.novel("other")))
      #expect(try store.verify().problems == [], "commit \(number)")
      // From the first step to the last, readers learn that the counts are not whole.
      let isInPart = try store.interruptedPushes().contains(identity)
      #expect(isInPart == (number > numbers[0]), "commit \(number)")
      let isWhole = try store.sources().first { $0.identity == identity }?.isWhole
      #expect(!isInPart || isWhole != true, "commit \(number)")
      #expect(try store.diagnose().isHealthy == !isInPart, "commit \(number)")
      try Self.push(source.path, into: store)
      #expect(try store.interruptedPushes() == [])
      #expect(try store.verify().problems == [], "commit \(number)")
      // Says which rows differ.
      let other = try Set(Self.contents(store)).symmetricDifference(expected)
      #expect(other == [], "commit \(number)")
    }
  }

  @Test func `a push changes some thousand rows at a time`() throws {
    let (source, target) = try (TemporaryStore(), TemporaryStore())
    try source.store.appendAll(
      (0..<3_000).map { number in
        .make(
          at: Moment(milliseconds: Self.start + Int64(number) * 100_000),
          .novel("v\(number % 1_500)"))
      })
    let changes = try Self.push(source.path, into: target.store, maximumRows: 2_000)
    #expect(changes.reduce(0, +) > 20_000)
    #expect(changes.max() ?? 0 < 10_000)
  }

  @Test func `of two pushes of a store, the later one completes it`() throws {
    let (source, target) = try (TemporaryStore(), TemporaryStore())
    try Self.record(0..<40, in: source.store)
    // In another process.
    let other = try DigestStore(path: target.path)
    let calls = Locked(0)
    expectError(.busy, "another push of the same store has begun") {
      try Self.push(source.path, into: target.store) {
        guard calls.count() == 1 else { return }
        try Self.record(40..<60, in: source.store)
        try Self.push(source.path, into: other)
      }
    }
    #expect(try target.store.verify().problems == [])
    #expect(try target.store.totals().occurrences == 120)
    #expect(try Self.push(source.path, into: target.store).count > 0)
    #expect(try target.store.totals().occurrences == 120)
    try other.close()
  }

  @Test(arguments: [false, true])
  func `a target that another process keeps locked is busy`(forgets: Bool) throws {
    let (source, target) = try (TemporaryStore(), TemporaryStore())
    try Self.record(0..<3, in: source.store)
    let other = try Connection(path: target.path, mode: .readWrite)
    try Self.push(source.path, into: target.store)
    let identity = try #require(try source.query("SELECT identity FROM store").first)
    // One that is to be counted first.
    try target.store.append(.make())
    try other.execute("BEGIN IMMEDIATE")
    expectError(.busy) {
      if forgets {
        _ = try target.store.forget(source: identity)
      } else {
        _ = try DigestStore.push(storesAt: [source.path], to: target.path)
      }
    }
    try other.execute("ROLLBACK")
  }

  @Test func `a source whose push has not ended is not passed on, and takes no import`() throws {
    let (source, middle, last) = try (TemporaryStore(), TemporaryStore(), TemporaryStore())
    let other = try TemporaryStore()
    try Self.record(0..<40, in: source.store)
    let commits = try Self.push(source.path, into: other.store)
    try Self.record(500..<510, in: middle.store)
    #expect(throws: DigestStoreError.self) {
      try Self.push(source.path, into: middle.store, failingCommit: commits.count / 2)
    }
    try Self.push(middle.path, into: last.store)
    #expect(try last.store.totals().occurrences == 20)
    expectError(.busy) {
      try middle.store.importText(source.store.text())
    }
    try Self.push(source.path, into: middle.store)
    try Self.push(middle.path, into: last.store)
    #expect(try last.store.totals().occurrences == 100)
    #expect(try last.store.verify().problems == [])
  }
}
