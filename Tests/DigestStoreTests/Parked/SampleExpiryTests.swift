import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct SampleExpiryTests {
  private typealias Configuration = DigestStore.Configuration
  private typealias Found = ErrorDigest.FoundValue

  private static let start = Moment(milliseconds: 1_795_168_800_000)
  private static let age = Duration.seconds(3_600)

  private static func moment(_ hours: Double) -> Moment {
    Moment(milliseconds: start.milliseconds + Int64(hours * 3_600_000))
  }

  private static func record(
    at hours: Double, _ message: String?, found: Found? = nil, path: String = "price"
  ) -> DigestRecord {
    .make(at: moment(hours), .mismatch(at: path, message: message, found: found))
  }

  /// A clock that is put forward, and a store of it that keeps digests for an hour.
  private let now = Clock()
  private let temporary: TemporaryStore
  private var store: DigestStore { temporary.store }

  init() throws {
    let now = now
    temporary = try TemporaryStore(Configuration(maximumAge: Self.age, clock: { now.date }))
  }

  private final class Clock: Sendable {
    private let moment = Locked(SampleExpiryTests.start)

    var date: Date { moment.withLock { $0.date } }

    func set(_ hours: Double) {
      moment.withLock { $0 = SampleExpiryTests.moment(hours) }
    }
  }

  private func prune(at hours: Double) throws {
    now.set(hours)
    _ = try store.prune()
  }

  /// What a column of `failure` has, and what each occurrence says.
  private func samples() throws -> [String] {
    try temporary.query(
      "SELECT ifnull(message, '-') || '|' || ifnull(found_value, '-') FROM failure")
  }

  private func occurrences() throws -> [String] {
    let rows = try temporary.query(
      """
      SELECT ifnull(message, '-') || '|' || ifnull(found_type, '-') || '|'
        || ifnull(found_value, '-')
      FROM occurrences
      """)
    var exported: [String] = []
    try store.exportOccurrences {
      exported.append(
        "\($0.message ?? "-")|\($0.foundType?.rawValue ?? "-")|\($0.foundValue ?? "-")")
    }
    // The view has what was only counted behind all else.
    #expect(exported.sorted() == rows.sorted())
    return exported
  }

  @Test(
    arguments: [
      [nil, nil, nil],
      [.string("s3cr3t"), .string("b"), .string("c")],
      [.string("s3cr3t"), .number("1"), .null],
      [.string("s3cr3t"), nil, nil],
      [.null, .null, .null],
      // What came first was nothing, so that no digest leaves out what came then.
      [nil, .string("b"), nil],
    ] as [[ErrorDigest.FoundValue?]])
  private func `what only the first digest said is gone with it, though its failure goes on`(
    _ found: [Found?]
  ) throws {
    let messages = ["Expected Int but found s3cr3t", "two", "three"]
    for (index, found) in found.enumerated() {
      try store.append(Self.record(at: Double(index) * 0.9, messages[index], found: found))
    }
    try prune(at: 1.5)

    #expect(try temporary.files(containing: "s3cr3t") == [])
    let left = zip(messages, found).map { "\($0)|\($1.columns)" }.dropFirst()
    #expect(try occurrences() == Array(left))
    #expect(try store.failures().map(\.occurrences) == [3])
    #expect(try store.verify().problems == [])
  }

  @Test func `what nothing else has said so far is gone with it too`() throws {
    try store.append(Self.record(at: 0, "s3cr3t", found: .string("s3cr3t too")))
    try prune(at: 1.5)

    #expect(try temporary.files(containing: "s3cr3t") == [])
    // The type is that of no value.
    #expect(try temporary.found(in: "failures") == ["string|-"])
    #expect(try store.failures().map(\.sample) == ["string|-"])
  }

  @Test func `a found value that only reports show goes with its digest`() throws {
    try store.append(
      Self.record(at: 0, "m"), Self.record(at: 0.1, "m", found: .string("s3cr3t")),
      Self.record(at: 1.4, "m"))
    try prune(at: 1.05)
    #expect(try samples() == ["m|s3cr3t"])

    try prune(at: 1.5)

    #expect(try samples() == ["m|-"])
    #expect(try temporary.found(in: "failures") == ["-|-"])
    try store.append(Self.record(at: 1.6, "m", found: .number("7")), Self.record(at: 1.6, "m"))
    #expect(try samples() == ["m|7"])
    #expect(try occurrences() == ["m|-|-", "m|number|7", "m|-|-"])
  }

  @Test func `a sample stays while a younger digest relies on it`() throws {
    let found = Found.string("x")
    try store.append(Self.record(at: 0, "m", found: found), Self.record(at: 1, "m", found: found))
    try prune(at: 1.5)
    #expect(try samples() == ["m|x"])
    #expect(try occurrences() == ["m|string|x"])

    // One of both is enough for itself alone.
    try store.append(
      Self.record(at: 1.6, "n", found: found), Self.record(at: 1.7, "n", found: .string("y")))
    try prune(at: 2.5)
    #expect(try samples() == ["-|x"])
    #expect(try occurrences() == ["n|string|x", "n|string|y"])
    #expect(try store.verify().problems == [])
  }

  @Test func `a digest that is not folded keeps what it leaves out`() throws {
    let other = try DigestStore(path: temporary.path)
    try store.append(Self.record(at: 0, "m", found: .string("x")))
    try store.write { $0.foldAll() }
    // Recorded between a fold and the step that would clear, by another process or by this one.
    try other.append(Self.record(at: 1.4, "m", found: .string("x")))

    try store.write { writer in
      while try writer.evict(now: Self.moment(1.5)) {}
    }

    #expect(try samples() == ["m|x"])
    #expect(try occurrences() == ["m|string|x"])
    try prune(at: 2.3)
    #expect(try samples() == ["m|x"])
    try prune(at: 2.5)
    #expect(try samples() == ["-|-"])
  }

  @Test func `the next occurrence replaces a cleared sample`() throws {
    try store.append(Self.record(at: 0, "one", found: .string("a")))
    try prune(at: 1.5)
    try store.append(
      // Of another type, and of none: both say so.
      Self.record(at: 1.6, "two", found: .number("1")), Self.record(at: 1.6, "two"),
      Self.record(at: 1.6, "two", found: .string("b")),
      Self.record(at: 1.6, "two", found: .string("b")),
      Self.record(at: 1.6, "three", found: .string("c")))

    #expect(
      try temporary.query("SELECT entries FROM digest") == [
        #"[[1,{"t":"number","f":"1"}]]"#, #"[[1,{"t":null}]]"#, "[[1]]", "[[1]]",
        #"[[1,{"m":"three","f":"c"}]]"#,
      ])
    #expect(try samples() == ["two|b"])
    #expect(try store.failures().map(\.sample) == ["string|b"])
    #expect(
      try occurrences() == [
        "two|number|1", "two|-|-", "two|string|b", "two|string|b", "three|string|c",
      ])
  }

  @Test func `a missing message is no cleared message`() throws {
    try store.append(Self.record(at: 0, nil), Self.record(at: 1, nil))
    try prune(at: 1.5)
    // One that remembers nothing of it.
    let other = try DigestStore(path: temporary.path)
    try other.append(Self.record(at: 1.6, "m"), Self.record(at: 1.6, nil))
    #expect(try occurrences() == ["-|-|-", "m|-|-", "-|-|-"])
  }

  @Test func `a store drops samples that another one has cleared`() throws {
    let now = now
    let other = try DigestStore(
      path: temporary.path, configuration: Configuration(clock: { now.date }))
    let one = Self.record(at: 0, "one", found: .string("a"))
    let two = Self.record(at: 1.6, "two", found: .string("b"))
    let oneAgain = Self.record(at: 1.6, "one", found: .string("a"))
    try store.append(one)
    try other.append(one, one)
    try prune(at: 1.5)
    try store.append(two)

    try other.append(oneAgain, oneAgain, two)
    _ = try other.importText(
      #"{"id":"x","recordedAt":"2026-11-20T11:40:00Z","model":"App.Listing","failures":["#
        + #"{"path":"price","kind":"typeMismatch","expectedType":"Int","message":"one","#
        + #""foundType":"string","foundValue":"a"}]}"#)

    #expect(try samples() == ["two|b"])
    #expect(
      try occurrences() == [
        "two|string|b", "one|string|a", "one|string|a", "two|string|b", "one|string|a",
      ])
  }

  @Test func `an import of an export is equal, whatever was cleared`() throws {
    for hour in 0..<6 {
      try store.append(
        Self.record(at: Double(hour) / 2, "m\(hour / 2)", found: .string("f\(hour)")),
        Self.record(at: Double(hour) / 2 + 0.1, "m\(hour)"))
      try prune(at: Double(hour) / 2 + 0.2)
    }
    let copy = try TemporaryStore()
    _ = try copy.store.importText(store.lines().joined(separator: "\n"))

    #expect(try copy.store.lines() == store.lines())
    #expect(try store.lines().count == 4)
    let view = "SELECT digest_id || message || ifnull(found_value, '-') FROM occurrences"
    #expect(try copy.query(view) == temporary.query(view))
    #expect(try store.verify().problems == [])
  }

  @Test func `counted errors have their own message, and rely on no sample`() throws {
    let omitted = FailureRecord.mismatch(at: "price", message: "s3cr3t")
    var others = DigestRecord.make(at: Self.moment(1), .mismatch(at: "price", message: "two"))
    others.omissions = [(.mismatch(at: "price", message: "three"), 2)]
    try store.append(.make(at: Self.moment(0), omissions: [(omitted, 2)]), others)
    #expect(try occurrences() == ["s3cr3t|-|-", "s3cr3t|-|-", "two|-|-", "three|-|-", "three|-|-"])

    try prune(at: 1.5)

    #expect(try temporary.files(containing: "s3cr3t") == [])
    #expect(try occurrences() == ["two|-|-", "three|-|-", "three|-|-"])
    let copy = try TemporaryStore()
    _ = try copy.store.importText(store.lines().joined(separator: "\n"))
    #expect(try copy.store.lines() == store.lines())
  }

  @Test func `many are cleared in many short steps, and others are left as they are`() throws {
    try store.write { writer in
      let records = (0..<1_000).map { Self.record(at: $0 % 2 == 0 ? 0 : 1, "m", path: "p\($0)") }
      _ = try writer.appendNew(records)
      writer.foldAll()
    }
    try prune(at: 1.5)

    #expect(
      try temporary.query(
        "SELECT count(*) FROM failure GROUP BY message IS NULL, id % 2 ORDER BY 1") == [
          "500", "500",
        ]
    )
    #expect(try temporary.query("SELECT sample_generation >= 3 FROM store") == ["1"])
    let generation = try temporary.query("SELECT sample_generation FROM store")
    try prune(at: 1.5)
    #expect(try temporary.query("SELECT sample_generation FROM store") == generation)
  }

  @Test func `a step that fails is done again`() throws {
    try store.append(Self.record(at: 0, "m", found: .string("x")))
    try store.write { writer in
      writer.foldAll()
      try writer.connection.execute(
        """
        CREATE TEMP TRIGGER no BEFORE UPDATE OF sample_generation ON main.store
        BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
      #expect(throws: SQLiteError.self) { while try writer.evict(now: Self.moment(1.5)) {} }
      try writer.connection.execute("DROP TRIGGER no")
    }
    #expect(try samples() == ["m|x"])
    try store.write { writer in
      while try writer.evict(now: Self.moment(1.5)) {}
    }
    #expect(try samples() == ["-|-"])
  }

  @Test func `a busy store does not look again and again`() throws {
    try store.append(Self.record(at: 0, "m"), Self.record(at: 0.05, "n", path: "other"))
    try store.write { writer in
      writer.foldAll()
      while try writer.evict(now: Self.moment(1.01)) {}
      #expect(try samples() == ["-|-", "n|-"])
      while try writer.evict(now: Self.moment(1.055)) {}
      #expect(try samples() == ["-|-", "n|-"])
      while try writer.evict(now: Self.moment(1.12)) {}
      #expect(try samples() == ["-|-", "-|-"])
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `whatever comes and goes, every digest says its own and nothing else is kept`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let now = now
    let other = try DigestStore(
      path: temporary.path, configuration: Configuration(maximumAge: Self.age, clock: { now.date }))
    var kept: [DigestRecord] = []
    for round in 0..<120 {
      let hour = Double(round) / 10
      now.set(hour)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        // By a clock that jumps now and then, or imported late.
        let jump = Int.random(in: 0..<5, using: &random) == 0
        let record = Self.record(
          at: hour - (jump ? .random(in: -0.5...1.5, using: &random) : 0), &random)
        let writer = Bool.random(using: &random) ? store : other
        if Int.random(in: 0..<6, using: &random) == 0 {
          _ = try (Bool.random(using: &random) ? store : other).prune()
        }
        try writer.write { try $0.append([record]) }
        kept.append(record)
      }
      guard round % 3 == 0 else { continue }
      _ = try (Bool.random(using: &random) ? store : other).prune()
      kept = kept.filter {
        Self.moment(hour).milliseconds - $0.recordedAt.milliseconds <= Self.age.inMilliseconds
      }

      #expect(try occurrences() == kept.flatMap(Self.occurrences))
      let texts = Set(kept.flatMap { $0.entries + $0.omissions.map(\.failure) }.flatMap(Self.texts))
      let samples = try temporary.query(
        """
        SELECT coding_path || message FROM failure WHERE message IS NOT NULL
        UNION ALL
        SELECT coding_path || found_value FROM failure WHERE typeof(found_value) = 'text'
        """)
      #expect(samples.filter { !texts.contains($0) } == [])
    }
    #expect(try store.verify().problems == [])
    let copy = try TemporaryStore()
    _ = try copy.store.importText(store.lines().joined(separator: "\n"))
    #expect(try copy.store.lines() == store.lines())
  }

  private static func record(
    at hours: Double, _ random: inout SeededGenerator
  ) -> DigestRecord {
    var record = DigestRecord.make(at: moment(hours), omissions: [])
    record.failures = (0..<Int.random(in: 0...3, using: &random)).map { _ in failure(&random) }
    if Int.random(in: 0..<4, using: &random) == 0 || record.entries.isEmpty {
      record.omissions = [(failure(&random), 2)]
    }
    return record
  }

  private static func failure(_ random: inout SeededGenerator) -> FailureRecord {
    let number = Int.random(in: 0..<1_000, using: &random)
    var failure =
      [.mismatch(at: "price"), .mismatch(at: "size"), .novel("villa", at: "kind")]
      .randomElement(using: &random) ?? FailureRecord.mismatch(at: "price")
    failure.message = ["no", "m\(number)", nil].randomElement(using: &random) ?? nil
    failure.found =
      [nil, .null, .string("x"), .string("f\(number)"), .number("\(number)"), .string("villa")]
      .randomElement(using: &random) ?? nil
    return failure
  }

  /// What a digest's occurrences say, in the order of the view.
  private static func occurrences(_ record: DigestRecord) -> [String] {
    let errors = record.entries.map { ($0, 1) } + record.omissions.map { ($0.failure, $0.count) }
    return errors.flatMap { failure, count in
      Array(repeating: "\(failure.message ?? "-")|\(failure.found.columns)", count: count)
    }
  }

  /// What may be in the file for an error.
  private static func texts(_ failure: FailureRecord) -> [String] {
    [failure.message, failure.found?.text].compactMap { $0 }.map { failure.path.pattern + $0 }
  }
}
