import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct DecodeDropperTests {
  private static let start = Moment(milliseconds: 490_000 * Moment.hour)

  /// A store with clean decodes and digests in several hours of three days, folded.
  private func store() throws -> TemporaryStore {
    let time = Locked(Self.start.date)
    let temporary = try TemporaryStore(
      DigestStore.Configuration(maximumAge: .zero, clock: { time.withLock { $0 } }))
    for hour in [0, 1, 23, 24, 30, 48] {
      time.withLock { $0 = Self.start.date + Double(hour) * 3_600 }
      for data in [Listing.sound, Listing.sound, Listing.drifted] {
        _ = try JSONDecoder().decode(
          Listing.self, from: data, recordingTo: temporary.store, release: "4.\(hour / 24)")
      }
    }
    temporary.store.flush()
    time.withLock { $0 = Self.start.date + 100 * 24 * 3_600 }
    _ = try temporary.store.prune()
    return temporary
  }

  private func decodes(_ temporary: TemporaryStore) throws -> [String] {
    try temporary.query(
      """
      SELECT release || ' ' || ifnull(sum(decodes), 0) || ' ' || count(DISTINCT hour)
        || ' ' || (sum(hour IS NULL) > 0)
      FROM decodes GROUP BY release ORDER BY release
      """)
  }

  /// Makes room step by step, and checks each state.
  @Test func `decodes are added up by day, then of all time, and no count changes`() throws {
    let temporary = try store()
    let expected = try temporary.store.decodeCounts()
    let rates = try temporary.store.models()
    #expect(expected == DigestStore.DecodeCounts(decodes: 18, digests: 6, since: nil, until: nil))
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    let dropper = try CountDropper(
      connection, LossTable(connection), maximumLength: 256, maximumPacks: 10)
    let now = Moment(milliseconds: Self.start.milliseconds + 100 * 24 * Moment.hour)
    var states: [[String]] = [try decodes(temporary)]
    while try connection.transaction({ try dropper.drop(before: now, excess: 0) }) {
      let state = try decodes(temporary)
      if state != states.last { states.append(state) }
      #expect(try temporary.store.decodeCounts() == expected)
      #expect(try temporary.store.models() == rates)
      #expect(try temporary.store.verify().isSound)
    }
    #expect(states.first?.count == 3)
    #expect(states.contains { $0.count == 3 && $0.allSatisfy { $0.hasSuffix("0 1") } })
    #expect(states.last == ["(other releases) 18 0 1"])
    #expect(try temporary.query("SELECT count(*) FROM decode") == ["2"])
  }

  @Test func `decodes of hours that were added up are not imported again`() throws {
    let temporary = try store()
    let lines = try temporary.query(
      """
      SELECT json_object('id', printf('%016x', origin), 'hour',
        strftime('%Y-%m-%dT%H:%M:%SZ', hour * 3600, 'unixepoch'), 'model', m.name, 'release', r.name,
        'decodes', d.decodes)
      FROM decode AS d JOIN model AS m ON m.id = d.model_id JOIN release AS r ON r.id = d.release_id
      WHERE origin > 0
      """)
    #expect(lines.count == 6)
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    let dropper = try CountDropper(
      connection, LossTable(connection), maximumLength: 256, maximumPacks: 10)
    let now = Moment(milliseconds: Self.start.milliseconds + 100 * 24 * Moment.hour)
    _ = try connection.transaction { try dropper.drop(before: now, excess: 0) }
    let before = try decodes(temporary)
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "lines").path
    try lines.map { $0 + "\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    _ = try temporary.store.importDigests(fromFileDescriptor: descriptor)
    #expect(try decodes(temporary) == before)
  }

  @Test func `a day is added up alone, also if it has an hour that came late`() throws {
    let temporary = try store()
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    let dropper = try CountDropper(
      connection, LossTable(connection), maximumLength: 256, maximumPacks: 10)
    let now = Moment(milliseconds: Self.start.milliseconds + 100 * 24 * Moment.hour)
    while try temporary.query("SELECT count(*) FROM decode WHERE origin > 0") != ["0"] {
      _ = try connection.transaction { try dropper.drop(before: now, excess: 0) }
    }
    // The clock of another process is behind.
    let first = Self.start.milliseconds / Moment.hour / 24 * 24
    try connection.execute(
      """
      INSERT INTO decode (hour, model_id, release_id, decodes, origin, is_own, written_after)
      SELECT \(first - 3), model_id, release_id, 5, 77, 0, 0 FROM decode LIMIT 1
      """)
    let days = try temporary.query(
      "SELECT DISTINCT hour / 24 * 24 FROM decode WHERE hour >= 0 ORDER BY 1")
    while try temporary.query("SELECT min(hour) / 24 * 24 FROM decode WHERE hour >= 0") == [days[0]]
    {
      _ = try connection.transaction { try dropper.drop(before: now, excess: 0) }
    }
    #expect(
      try temporary.query("SELECT DISTINCT hour / 24 * 24 FROM decode WHERE hour >= 0 ORDER BY 1")
        == Array(days.dropFirst()))
    #expect(try temporary.store.decodeCounts()?.decodes == 23)
    #expect(try temporary.store.verify().isSound)
  }
}
