import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// Pushes of several stores in any order, compared with a recount of what each store has seen.
struct SourcePushTests {
  private static let start: Int64 = 1_760_054_400_000

  /// A store, and what it recorded itself.
  private final class Node {
    let path: String
    let store: DigestStore
    let time: Locked<Int64>
    var digests: [DigestRecord] = []
    var cleanDecodes = 0

    private let folder: TemporaryFolder

    init(_ configuration: DigestStore.Configuration = .init()) throws {
      let time = Locked(SourcePushTests.start)
      var configuration = configuration
      configuration.clock = { Moment(milliseconds: time.withLock { $0 }).date }
      self.time = time
      folder = try TemporaryFolder()
      path = folder.url.appending(path: "digests.sqlite").path
      store = try DigestStore(path: path, configuration: configuration)
    }

    func record(_ generator: inout SeededGenerator) throws {
      var new: [DigestRecord] = []
      for _ in 0..<Int.random(in: 1...25, using: &generator) {
        let step = Int64.random(in: 0..<8 * Moment.hour, using: &generator)
        let now = time.withLock { time in
          time += step * Int64.random(in: 0...1, using: &generator)
          return time
        }
        // Now and then, a clock was slow.
        let isLate = Int.random(in: 0..<12, using: &generator) == 0
        let moment = max(SourcePushTests.start, now - (isLate ? 60 * Moment.hour : 0))
        var digest = DigestRecord.make(
          at: Moment(milliseconds: moment),
          release: ["4.0", "4.1", nil][Int.random(in: 0..<3, using: &generator)])
        digest.errors = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
          let value = Int.random(in: 0..<6, using: &generator)
          return value == 0 ? .mismatch(at: "a[1]") : .novel("v\(value)")
        }
        new.append(digest)
        if Bool.random(using: &generator) {
          store.countCleanDecode(of: "App.Listing", DigestContext(release: "4.0"))
          cleanDecodes += 1
        }
      }
      _ = try store.write { [new] in try $0.append(new) }
      store.flush()
      digests += new
    }

    /// Closes the store, and copies its file.
    func copy() throws -> String {
      try store.close()
      try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
      return path + ".copy"
    }

    func files() throws -> [String] { try folder.url.storeFiles() }

    func execute(_ sql: String) throws { try store.write { try $0.connection.execute(sql) } }

    func fold(_ limit: Int) throws { _ = try store.write { try $0.fold.run(limit: limit) } }

    func receive(_ other: Node) throws -> DigestStore.PushSummary {
      try #require(
        DigestStore.push(storesAt: [other.path], to: path).first)
    }
  }

  /// Occurrences and digests, by failure.
  private typealias ByFailure = [String: [Int64]]

  private static let allTime = TimeWindow(since: nil, until: nil)

  private static func recount(
    _ digests: [DigestRecord], _ window: TimeWindow = allTime
  ) -> ByFailure {
    var counts: ByFailure = [:]
    for digest in digests where window.range.contains(digest.recordedAt) {
      let names = digest.errors.map { $0.novelValue ?? $0.path.pattern }
      for name in names { counts[name, default: [0, 0]][0] += 1 }
      for name in Set(names) { counts[name, default: [0, 0]][1] += 1 }
    }
    return counts
  }

  /// The counts in a window, and the window that is counted.
  private static func counts(
    _ node: Node, _ window: TimeWindow = allTime
  ) throws -> (ByFailure, TimeWindow) {
    try node.store.snapshot { connection in
      let window = try connection.widened(window)
      let counts = try Counts(connection, DigestFilter(), in: window)
      let rows = try connection.rows(
        """
        SELECT ifnull(f.novel_value, f.coding_path), sum(c.occurrences), sum(c.digests)
        FROM (\(counts.sql)) AS c JOIN failure AS f ON f.id = c.failure GROUP BY 1
        """, counts.values
      ) { ($0.text(at: 0) ?? "", [$0.integer(at: 1), $0.integer(at: 2)]) }
      return (Dictionary(uniqueKeysWithValues: rows), window)
    }
  }

  private static func decodes(_ node: Node) throws -> Int64 {
    try node.store.snapshot { connection in
      try GroupedCounts(connection, of: .decodes, DigestFilter(), in: allTime).sum()?.decodes ?? 0
    }
  }

  /// All rows that reports read.
  private static func contents(_ node: Node) throws -> [String] {
    try node.store.snapshot { connection in
      // Each push has another time.
      let sources = "(SELECT id, identity, name, counted, counted_at, pushing FROM source)"
      return try ["tally", "total", "decodes", "digest", sources, "store"].flatMap {
        try connection.rows("SELECT * FROM \($0)") { row in
          (0..<8).map { row.text(at: $0) ?? "" }.joined(separator: " ")
        }
      }
    }
  }

  @Test(arguments: 0..<8)
  func `pushes in chains and circles count each digest once`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let nodes = try (0..<3).map { _ in try Node() }
    // How many digests and clean decodes of each store are in each.
    var known = (0..<3).map { _ in (0..<3).map { _ in (digests: 0, clean: 0) } }
    for _ in 0..<24 {
      let (index, other) = (
        Int.random(in: 0..<3, using: &generator), Int.random(in: 0..<3, using: &generator)
      )
      let node = nodes[index]
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        try node.record(&generator)
        known[index][index] = (node.digests.count, node.cleanDecodes)
      case 4: try node.fold(Int.random(in: 1..<40, using: &generator))
      case 5: _ = try node.store.prune(maximumAge: .seconds(86_400))
      case 6:
        // Counts of hours that a size limit deleted.
        while try node.store.write({ try $0.fold.run() }) > 0 {}
        let day = node.time.withLock { $0 } / (24 * Moment.hour)
        for table in ["tally", "decodes"] {
          try node.execute("DELETE FROM \(table) WHERE span = 1 AND start < \(day * 24)")
        }
      default:
        guard index != other else { continue }
        #expect(try node.receive(nodes[other]).unreadable == 0)
        for source in 0..<3 where source != index {
          let theirs = known[other][source]
          if theirs.digests >= known[index][source].digests {
            known[index][source] = (
              theirs.digests, max(theirs.clean, known[index][source].clean)
            )
          }
        }
        let before = try Self.contents(node)
        #expect(try node.receive(nodes[other]).added == 0)
        #expect(try Self.contents(node) == before)
      }
      let all = (0..<3).flatMap { nodes[$0].digests.prefix(known[index][$0].digests) }
      let since = Self.start + Int64.random(in: 0..<20 * 24 * Moment.hour, using: &generator)
      for window in [
        Self.allTime, TimeWindow(since: nil, until: Moment(milliseconds: since)),
        TimeWindow(since: Moment(milliseconds: since), until: nil),
      ] {
        let (counts, counted) = try Self.counts(node, window)
        #expect(counts == Self.recount(all, counted))
      }
      let clean = known[index].reduce(0) { $0 + $1.clean }
      #expect(try Self.decodes(node) == Int64(all.count + clean))
    }
    for node in nodes { try node.store.close() }
  }

  @Test(arguments: 0..<6)
  func `an import after a push adds what is new, and the next push is refused`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let (source, node) = try (Node(), Node())
    for _ in 0..<2 { try source.record(&generator) }
    _ = try node.receive(source)
    let pushed = source.digests.count
    #expect(try node.store.importText(source.store.text()).added == 0)
    _ = try node.receive(source)
    while source.digests.count == pushed { try source.record(&generator) }
    let text = try source.store.text()
    for added in [source.digests.count - pushed, 0] {
      #expect(try node.store.importText(text).added == added)
      #expect(try Self.counts(node).0 == Self.recount(source.digests))
      #expect(try node.store.verify().problems == [])
    }
    let contents = try Self.contents(node)
    expectError(.invalidInput, "were imported here, so a push would count them twice") {
      try node.receive(source)
    }
    #expect(try Self.contents(node) == contents)
  }

  @Test func `what a store has imported is pushed as its own`() throws {
    var generator = SeededGenerator(seed: 1)
    let (app, other, collector, node) = try (Node(), Node(), Node(), Node())
    for _ in 0..<3 {
      try app.record(&generator)
      try other.record(&generator)
      _ = try collector.store.importText(app.store.text())
      _ = try collector.store.importText(other.store.text())
      if Bool.random(using: &generator) { _ = try collector.store.prune(maximumAge: .zero) }
      _ = try node.receive(collector)
      let all = app.digests + other.digests
      #expect(try Self.counts(node).0 == Self.recount(all))
      #expect(
        try Self.decodes(node) == Int64(all.count + app.cleanDecodes + other.cleanDecodes))
      #expect(try node.store.verify().problems == [])
    }
    let sources = try node.store.sources()
    #expect(sources.count == 1)
    // A store that was imported somewhere is refused there, also as one that is passed on.
    let chain = try Node()
    _ = try chain.receive(app)
    let identity = try app.store.snapshot { try $0.text("SELECT identity FROM store") ?? "" }
    expectError(.invalidInput, "digests of the store \(identity) were imported here") {
      try collector.receive(chain)
    }
  }

  @Test(arguments: 0..<6)
  func `what is left after a source is forgotten equals a recount`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (node, others) = try (
      Node(), [Node(), Node()]
    )
    for _ in 0..<8 {
      let source = others[Int.random(in: 0..<2, using: &generator)]
      try source.record(&generator)
      if seed > 2, Bool.random(using: &generator) { try Self.deleteOldestDay(of: source) }
      _ = try node.receive(source)
    }
    try node.record(&generator)
    if seed > 2 { try Self.deleteOldestDay(of: node) }
    let identity = try #require(
      try Connection(path: others[0].path, mode: .readOnly).text("SELECT identity FROM store"))
    _ = try node.store.forget(source: identity)

    let left = node.digests + others[1].digests
    #expect(try Self.counts(node).0 == Self.recount(left))
    #expect(
      try Self.decodes(node)
        == Int64(left.count + node.cleanDecodes + others[1].cleanDecodes))
    if seed <= 2 { #expect(try node.store.verify().problems == []) }
    let sources = try node.store.sources().map(\.identity)
    #expect(!sources.contains(identity))
    // It is a new source then.
    _ = try node.receive(others[0])
    #expect(
      try Self.counts(node).0 == Self.recount(left + others[0].digests))
  }

  @Test func `pushes of one store at the same time aren't copies of each other`() throws {
    let (source, node) = try (Node(), Node())
    let (from, into) = (source.store, node.path)
    try from.append(.make(.novel("villa")))
    let problems = Locked<[String]>([])
    let (pushes, recorded) = (Locked(3), Locked(1))
    let group = DispatchGroup()
    func start(_ body: @escaping @Sendable () throws -> Void) {
      group.enter()
      // More threads than cores, which tasks would not get.
      Thread {
        do { try body() } catch { problems.withLock { $0.append("\(error)") } }
        group.leave()
      }.start()
    }
    start {
      while pushes.withLock({ $0 }) > 0, recorded.withLock({ $0 }) < 3_000 {
        try from.append(.make(.novel("villa")))
        recorded.withLock { $0 += 1 }
      }
    }
    for _ in 0..<3 {
      start {
        defer { pushes.withLock { $0 -= 1 } }
        for _ in 0..<10 {
          do {
            _ = try DigestStore.push(storesAt: [from.path], to: into)
          } catch let error as DigestStoreError where error.code == .busy {
            // A later one has begun.
          }
        }
      }
    }
    group.wait()
    #expect(problems.withLock { $0 } == [])
    _ = try node.receive(source)
    #expect(try node.store.totals().occurrences == recorded.withLock { $0 })
    #expect(try node.store.verify().problems == [])
  }

  @Test func `a store with decodes alone is passed on as itself`() throws {
    let nodes = try (0..<3).map { _ in try Node() }
    nodes[0].store.countCleanDecode(of: "App.Listing", DigestContext(release: "4.0"))
    nodes[0].store.flush()
    for (from, to) in [(0, 1), (1, 2), (0, 2), (1, 2)] { _ = try nodes[to].receive(nodes[from]) }
    #expect(try Self.decodes(nodes[2]) == 1)
  }

  @Test func `what two imported stores have of a release is one total`() throws {
    let (source, node) = try (Node(), Node())
    for digests in [[("a", 1), ("b", 1)], [("b", 2)]] as [[(String, Int)]] {
      for (store, number) in digests {
        let store = String(repeating: store, count: 32)
        _ = try source.store.importText(OriginTests.line(of: store, number, release: "4.0"))
      }
      _ = try node.receive(source)
    }
    #expect(try node.store.failures().map(\.occurrences) == [3])
    #expect(try node.store.verify().problems == [])
  }

  /// Deletes the counts of the oldest day, as a size limit does.
  private static func deleteOldestDay(of node: Node) throws {
    while try node.store.write({ try $0.fold.run() }) > 0 {}
    let day = "(SELECT min(start) FROM decodes WHERE span = 24 AND context = 0 AND start >= 0)"
    try node.execute(
      """
      INSERT INTO decodes
      SELECT span, context, -1, model, decodes, digests, failed, occurrences FROM decodes
      WHERE span = 24 AND start = \(day)
      \(Fold.adding("decodes", "digests", "failed", "occurrences"));
      INSERT OR IGNORE INTO loss
      SELECT 24 * \(day), 'undated', 1, 1, NULL WHERE \(day) IS NOT NULL;
      DELETE FROM tally WHERE start * span / 24 = \(day);
      DELETE FROM decodes WHERE start >= 0 AND start * span / 24 = \(day);
      """)
  }

  @Test(arguments: 0..<6)
  func `days that one side has deleted are counted once`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (source, node) = try (Node(), Node())
    for _ in 0..<10 {
      try source.record(&generator)
      if Bool.random(using: &generator) { try Self.deleteOldestDay(of: source) }
      if Bool.random(using: &generator), !source.digests.isEmpty {
        _ = try node.receive(source)
        if Bool.random(using: &generator) { try Self.deleteOldestDay(of: node) }
      }
    }
    _ = try node.receive(source)

    #expect(try Self.counts(node).0 == Self.recount(source.digests))
    #expect(try Self.decodes(node) == Int64(source.digests.count + source.cleanDecodes))
  }

  @Test func `a day that the target has deleted isn't sent again until the source changes`() throws
  {
    var generator = SeededGenerator(seed: 3)
    let (source, node) = try (Node(), Node())
    for _ in 0..<4 { try source.record(&generator) }
    #expect(try node.receive(source).periods > 0)
    try Self.deleteOldestDay(of: node)
    let contents = try Self.contents(node)
    #expect(try node.receive(source).periods == 0)
    #expect(try Self.contents(node) == contents)
  }

  @Test(arguments: ["tally", "failure", "decodes"])
  func `damage in another store is not damage of this one`(table: String) throws {
    let (source, node) = try (Node(), Node())
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20 { try source.record(&generator) }
    try node.record(&generator)
    for node in [source, node] { while try node.store.write({ try $0.fold.run() }) > 0 {} }
    try source.store.close()
    let page = try #require(
      try Connection(path: source.path, mode: .readOnly).integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"))
    let file = try #require(FileHandle(forUpdatingAtPath: source.path))
    try file.seek(toOffset: UInt64(page - 1) * 4_096)
    file.write(Data(repeating: 0xa5, count: 4_096))
    try file.close()

    expectError(.damaged, source.path) { try node.receive(source) }
    #expect(try node.store.verify().problems == [])
    #expect(try source.files() == ["digests.sqlite"])
  }

  @Test func `an older copy is refused, and so is one with a digest of its own`() throws {
    let (source, node) = try (Node(), Node())
    try source.store.append(.make(), .make())
    let copy = try source.copy()
    func record(_ path: String, at milliseconds: Int64) throws {
      let store = try DigestStore(path: path)
      try store.append(.make(at: Moment(milliseconds: milliseconds)))
      try store.close()
    }
    try record(source.path, at: 1_000)
    #expect(try node.receive(source).added == 3)
    func push(into path: String) throws -> DigestStore.PushSummary? {
      try DigestStore.push(storesAt: [copy], to: path).first
    }
    expectError(.invalidInput, "so it is an older copy") { try push(into: node.path) }
    #expect(try push(into: source.path)?.known == 2)

    try record(copy, at: 2_000)
    expectError(.invalidInput, "this is a copy of a store") { try push(into: node.path) }
    // The remedy, after which the store itself is pushed as before.
    let lines = try DigestReader(path: copy).lines()
    let withoutIDs = lines.suffix(1).map { $0.replacing(/"id":"[^"]*",/, with: "") }
    #expect(try node.store.importText(withoutIDs.joined(separator: "\n")).added == 1)
    try record(source.path, at: 3_000)
    #expect(try node.receive(source).added == 1)
    #expect(try node.store.verify().problems == [])
  }

  /// The writes to a store and to its copy.
  enum Fork: CaseIterable {
    case digests, imports, importsBeforeTheSame, digestsBeforeTheSameTime, prunedCopy

    /// Writes to the store or to the copy.
    func write(_ store: DigestStore, isCopy: Bool) throws {
      let first = isCopy ? 100 : 50
      func record(_ seconds: Range<Int>) throws {
        try store.appendAll(
          seconds.map {
            .make(at: Moment(milliseconds: SourcePushTests.start + 1_000 * Int64($0)))
          })
      }
      switch self {
      case .digests: try record(first..<first + 5)
      case .imports: try importDigests(first..<first + 5, to: store)
      case .importsBeforeTheSame:
        try importDigests(first..<first + 5, to: store)
        try importDigests(10..<30, to: store)
      case .digestsBeforeTheSameTime:
        try record(first..<first + 5)
        try record(200..<201)
      case .prunedCopy:
        // The copy has more digests, but fewer of the day.
        try record(first..<first + (isCopy ? 4 : 5))
        guard isCopy else { return }
        try record(24 * 3_600..<24 * 3_600 + 4)
        #expect(try store.prune(maximumAge: .zero).digests > 0)
      }
    }

    func importDigests(_ numbers: Range<Int>, to store: DigestStore) throws {
      let lines = numbers.map {
        """
        {"id":"\(String(repeating: "a", count: 32))-\($0)-\(1_763_632_800_000 + $0)",\
        "recordedAt":"2025-11-20T10:00:00.\(100 + $0)Z","model":"M",\
        "errors":[{"path":"a","kind":"keyNotFound"}]}
        """
      }
      _ = try store.importText(lines.joined(separator: "\n"))
    }
  }

  @Test(arguments: Fork.allCases)
  func `a copy that was written separately is refused`(fork: Fork) throws {
    let (source, node) = try (Node(), Node())
    try fork.importDigests(1..<4, to: source.store)
    try source.store.append(.make(at: Moment(milliseconds: Self.start)))
    let copy = try source.copy()
    for path in [source.path, copy] {
      let store = try DigestStore(path: path)
      try fork.write(store, isCopy: path == copy)
      try store.close()
    }
    _ = try node.receive(source)
    let before = try Self.contents(node)
    for path in [node.path, source.path] where fork != .prunedCopy || path == node.path {
      expectError(.invalidInput, "this is a copy of a store") {
        try DigestStore.push(storesAt: [copy], to: path)
      }
    }
    #expect(try Self.contents(node) == before)
    #expect(try node.store.verify().problems == [])
  }

  @Test func `what a copy has recorded since is imported, also below imported ids`() throws {
    let source = try Node()
    try source.store.append(.make(at: Moment(milliseconds: Self.start)))
    let copy = try source.copy()
    let (store, other) = try (DigestStore(path: source.path), DigestStore(path: copy))
    try Fork.imports.importDigests(1..<9, to: store)
    try Fork.digests.write(other, isCopy: true)
    let lines = try other.text()
    #expect(try store.importText(lines).added == 5)
    #expect(try store.importText(lines).added == 0)
    #expect(try store.totals().occurrences == 14)
    #expect(try store.verify().problems == [])
  }

  @Test func `progress ends a push after a store, which is added as a whole`() throws {
    struct Stop: Error {}
    let (first, second) = try (Node(), Node())
    let node = try Node()
    try first.store.append(.make(), .make())
    try second.store.append(.make())
    let paths = [first.path, second.path]
    #expect(throws: Stop.self) {
      try DigestStore.push(storesAt: paths, to: node.path) { progress in
        if progress.done > 0 { throw Stop() }
      }
    }
    #expect(try node.store.totals().occurrences == 2)
    var heard: [DigestReader.Progress] = []
    _ = try DigestStore.push(storesAt: paths, to: node.path) { heard.append($0) }
    #expect(heard.map(\.done) == [0, 2, 2, 3])
    #expect(heard.allSatisfy { $0.unit == .digests && $0.total == 3 })
    #expect(try node.store.totals().occurrences == 3)
  }
}
