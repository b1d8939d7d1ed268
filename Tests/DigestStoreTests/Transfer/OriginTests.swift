import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

/// What many apps report is the importing store's own, and each digest counts once.
struct OriginTests {
  /// The line of a digest.
  static func line(of store: String, _ number: Int, release: String) -> String {
    """
    {"id":"\(store)-\(number)-1763632800000","recordedAt":"2025-11-20T10:00:00.000Z","model":"M",\
    "release":"\(release)","errors":[{"path":"a","kind":"keyNotFound"}]}
    """
  }

  private static let start = RandomRecords.start / (24 * Moment.hour) * (24 * Moment.hour)

  private static func reading(_ clock: Locked<Int64>) -> @Sendable () -> Date {
    { Moment(milliseconds: clock.withLock { $0 }).date }
  }

  /// An app: its identity, and the lines that it has reported so far.
  private struct App {
    let identity: String
    var digests: [DigestRecord] = []
    var decodes: [String: Int] = [:]

    init(_ number: Int) {
      identity = String(repeating: "0", count: 24) + String(format: "%08x", number)
    }

    /// Records a digest or a clean decode of an hour.
    mutating func record(_ random: inout SeededGenerator, hour: Int64) {
      let release = "4.\(Int.random(in: 0..<4, using: &random))"
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        decodes["\(hour) \(release)", default: 0] += Int.random(in: 1...3, using: &random)
        return
      }
      let moment = Moment(milliseconds: hour * Moment.hour + Int64(digests.count))
      digests.append(
        .make(
          id: "\(identity)-\(digests.count + 1)-\(moment.milliseconds)", at: moment,
          release: release, .novel(["villa", "yurt", "hut"].randomElement(using: &random) ?? "")))
    }

    /// The lines of digests behind a number, and of all decodes.
    func lines(after number: Int) -> [String] {
      digests.dropFirst(number).enumerated().map { index, digest in
        """
        {"id":"\(identity)-\(number + index + 1)-\(digest.recordedAt.milliseconds)",\
        "recordedAt":"\(digest.recordedAt.text)","model":"App.Listing",\
        "release":"\(digest.release ?? "")","errors":[{"path":"kind",\
        "kind":"unknownNovelValue","novelValue":"\(digest.errors[0].novelValue ?? "")"}]}
        """
      }
        + decodes.map { key, decodes in
          let parts = key.split(separator: " ")
          let hour = Moment(milliseconds: (Int64(parts[0]) ?? 0) * Moment.hour)
          return """
            {"id":"\(identity)","hour":"\(hour.text)","model":"App.Listing","release":"\(parts[1])",\
            "decodes":\(decodes)}
            """
        }
    }
  }

  @Test(arguments: 0..<Repetitions.count(6, long: 40))
  func `uploads in parts, repeated, and after deletions count each digest once`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let clock = Locked(Self.start)
    let collector = try TemporaryStore(
      .init(maximumAge: .seconds(2 * 86_400), clock: Self.reading(clock)))
    let target = try TemporaryStore()
    var apps = (0..<12).map(App.init)
    var sent = apps.map { _ in 0 }
    var earlier: [[String]] = []
    for hour in Int64(0)..<120 {
      clock.withLock { $0 = Self.start + hour * Moment.hour }
      for _ in 0..<3 {
        let index = Int.random(in: 0..<12, using: &random)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          apps[index].record(&random, hour: Self.start / Moment.hour + hour)
        }
        // In parts, of which the last was received and not acknowledged.
        var lines = apps[index].lines(after: sent[index])
        if Bool.random(using: &random) { lines = lines.shuffled(using: &random) }
        let half = Int.random(in: 0...lines.count, using: &random)
        let parts = [Array(lines[..<half]), Array(lines[half...]), lines]
        for part in parts { _ = try collector.store.importText(part.joined(separator: "\n")) }
        earlier += parts
        sent[index] = apps[index].digests.count
      }
      // An upload of some days ago comes again.
      if let part = earlier.randomElement(using: &random) {
        #expect(try collector.store.importText(part.joined(separator: "\n")).added == 0)
      }
      if hour % 20 == 7 {
        _ = try collector.store.prune()
        _ = try DigestStore.push(storesAt: [collector.path], to: target.path)
      }
    }
    try collector.store.foldAll()
    _ = try DigestStore.push(storesAt: [collector.path], to: target.path)

    let all = apps.flatMap(\.digests)
    for temporary in [collector, target] {
      let store = temporary.store
      let failures = try store.failures()
      for failure in failures {
        let digests = all.filter { $0.errors[0].novelValue == failure.novelValue }
        #expect(failure.occurrences == digests.count)
        #expect(failure.firstSeen == digests.map(\.recordedAt).min()?.date)
        #expect(failure.lastSeen == digests.map(\.recordedAt).max()?.date)
        for release in Set(digests.map(\.release)) {
          let filter = DigestFilter(
            novelValue: failure.novelValue, release: release ?? "")
          #expect(
            try store.failures(matching: filter).map(\.occurrences)
              == [digests.count { $0.release == release }])
        }
      }
      #expect(failures.count == 3)
      let clean = apps.reduce(0) { $0 + $1.decodes.values.reduce(0, +) }
      #expect(
        try temporary.query("SELECT sum(decodes) FROM decodes_by_hour") == ["\(all.count + clean)"])
      #expect(try store.sources().count == 1)
      #expect(try store.verify().problems == [])
    }
    #expect(try collector.store.verify().digests < all.count)
  }

  /// With a source of its own for each app, contexts would not suffice.
  @Test func `no release of many apps is merged`() throws {
    let temporary = try TemporaryStore()
    let lines = (0..<11_000).map {
      Self.line(
        of: String(format: "%032x", $0 + 1), 1, release: $0 < 6_000 ? "4.2" : "4.3")
    }
    for _ in 0..<2 { _ = try temporary.store.importText(lines.joined(separator: "\n")) }
    #expect(
      try temporary.query(
        "SELECT release || '|' || sum(occurrences) FROM counts_by_day GROUP BY release")
        == ["4.2|6000", "4.3|5000"])
    #expect(try temporary.query("SELECT count(*) FROM context") == ["2"])
    #expect(try temporary.query("SELECT count(*) FROM origin") == ["11000"])
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `beyond a million apps, those that are new share an origin`() throws {
    let temporary = try TemporaryStore()
    try temporary.execute(
      """
      WITH RECURSIVE n (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM n WHERE id < 1000000)
      INSERT INTO origin SELECT id, printf('%032x', id), 20000, 0, -1, 0 FROM n
      """)
    let known = Self.line(of: String(format: "%032x", 7), 1, release: "4.2")
    let new = (1...2).map {
      Self.line(of: String(repeating: "a\($0)", count: 16), 1, release: "4.2")
    }
    let decodes = (1...2).map {
      """
      {"id":"\(String(repeating: "a\($0)", count: 16))","hour":"2025-11-20T10:00:00Z","model":"M",\
      "decodes":5}
      """
    }
    for added in [3, 0] {
      let text = ([known] + new + decodes).joined(separator: "\n")
      #expect(try temporary.store.importText(text).added == added)
      #expect(try temporary.store.decodeCounts()?.decodes == 13)
    }
    #expect(try temporary.query("SELECT count(*) FROM origin") == ["1000001"])
    #expect(
      try temporary.query(
        "SELECT o.identity FROM digest AS d JOIN origin AS o ON o.id = d.origin ORDER BY d.id")
        == [String(format: "%032x", 7), "import", "import"])
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `decodes of names that are counted together add up, and each counts once`() throws {
    let temporary = try TemporaryStore()
    try temporary.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO context SELECT i, 1, 'r' || i, '', '' FROM n
      """)
    let lines = (1...3).map {
      """
      {"id":"\(String(repeating: "a", count: 32))","hour":"2025-11-20T10:00:00Z","model":"M",\
      "operation":"GET /users/\($0)","decodes":\($0)}
      """
    }
    for text in [lines[0], lines.joined(separator: "\n"), lines[1]] {
      _ = try temporary.store.importText(text)
    }
    #expect(try temporary.store.decodeCounts()?.decodes == 6)
    #expect(
      try temporary.query("SELECT operation || '|' || decodes FROM decodes_by_hour")
        == ["(other operations)|6"])
  }

  @Test func `decodes of an hour are remembered for a week, and never counted twice`() throws {
    let clock = Locked(Self.start)
    let temporary = try TemporaryStore(.init(clock: Self.reading(clock)))
    func line(_ hour: Int64, _ decodes: Int, of app: Character = "a") -> String {
      """
      {"id":"\(String(repeating: app, count: 32))",\
      "hour":"\(Moment(milliseconds: Self.start + hour * Moment.hour).text)","model":"M",\
      "decodes":\(decodes)}
      """
    }
    func send(_ line: String, counted: Int) throws {
      _ = try temporary.store.importText(line)
      try temporary.store.write { writer in
        while try writer.retention.step(now: Moment(milliseconds: clock.withLock { $0 })) {}
      }
      #expect(try temporary.store.decodeCounts()?.decodes == counted)
    }
    try send(line(0, 5), counted: 5)
    clock.withLock { $0 = Self.start + 167 * Moment.hour }
    try send(line(167, 1), counted: 6)
    // The first hour is still known.
    try send(line(0, 7), counted: 8)
    clock.withLock { $0 = Self.start + 168 * Moment.hour }
    try send(line(168, 1), counted: 9)
    try send(line(0, 9), counted: 9)
    // Another app was offline for long.
    try send(line(0, 3, of: "b"), counted: 12)
    try send(line(0, 3, of: "b"), counted: 12)
    #expect(
      try temporary.query("SELECT DISTINCT hour FROM origin_decodes").count == 2)
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `an origin is forgotten when it was silent for 90 days and has no digests`() throws {
    let clock = Locked(Self.start)
    let temporary = try TemporaryStore(.init(clock: Self.reading(clock)))
    let day = 24 * Moment.hour
    func send(_ app: Character, _ number: Int) throws {
      let moment = Moment(milliseconds: clock.withLock { $0 })
      _ = try temporary.store.importText(
        """
        {"id":"\(String(repeating: app, count: 32))-\(number)-\(moment.milliseconds)",\
        "recordedAt":"\(moment.text)","model":"M","errors":[{"path":"a","kind":"keyNotFound"}]}
        """)
    }
    func origins() throws -> [String] {
      try temporary.query("SELECT substr(identity, 1, 1) FROM origin ORDER BY 1")
    }
    try send("a", 1)
    try send("b", 1)
    clock.withLock { $0 = Self.start + 10 * day }
    try send("c", 1)
    // b has sent something since.
    try send("b", 2)
    _ = try temporary.store.prune(maximumAge: .zero)
    #expect(try origins() == ["a", "b", "c"])
    clock.withLock { $0 = Self.start + 91 * day }
    try send("d", 1)
    _ = try temporary.store.prune(maximumAge: .seconds(90 * 86_400))
    #expect(try origins() == ["b", "c", "d"])
    // Of b and c there are digests.
    clock.withLock { $0 = Self.start + 150 * day }
    try send("d", 2)
    _ = try temporary.store.prune(maximumAge: .seconds(200 * 86_400))
    #expect(try origins() == ["b", "c", "d"])
    _ = try temporary.store.prune(maximumAge: .seconds(90 * 86_400))
    #expect(try temporary.store.totals().occurrences == 6)
  }
}

extension Moment {
  fileprivate var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
