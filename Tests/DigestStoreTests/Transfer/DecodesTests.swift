import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct DecodesTests {
  /// A store in which three decodes of 10 o'clock are clean and one is not, and two of 11 o'clock
  /// are clean.
  private func source() throws -> TemporaryStore {
    let time = Locked(Self.date(hour: 10))
    let temporary = try TemporaryStore(
      DigestStore.Configuration(release: "4.2", clock: { time.withLock { $0 } }))
    for data in [Listing.sound, Listing.sound, Listing.drifted, Listing.sound] {
      _ = try JSONDecoder().decode(Listing.self, from: data, recordingTo: temporary.store)
    }
    time.withLock { $0 = Self.date(hour: 11) }
    for _ in 0..<2 {
      _ = try JSONDecoder().decode(Listing.self, from: Listing.sound, recordingTo: temporary.store)
    }
    temporary.store.flush()
    return temporary
  }

  private static func date(hour: Int64) -> Date {
    Moment(milliseconds: (490_000 + hour) * Moment.hour).date
  }

  private func lines(_ store: DigestStore, in part: DigestStore.IncrementalExport? = nil) throws
    -> [String]
  {
    var lines: [String] = []
    try store.exportDigests(in: part) { lines.append($0) }
    return lines
  }

  private func importing(_ lines: [String], into store: DigestStore) throws
    -> DigestStore.ImportSummary
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "lines").path
    try lines.map { $0 + "\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    return try store.importDigests(fromFileDescriptor: descriptor)
  }

  private func view(_ temporary: TemporaryStore) throws -> [String] {
    try temporary.query(
      """
      SELECT model || ' ' || ifnull(release, '') || ' ' || start || ' ' || sum(decodes)
      FROM decodes_by_hour GROUP BY start, model, release ORDER BY 1
      """)
  }

  @Test func `an import of an export has the same decodes, also the second time`() throws {
    let (source, copy) = (try source(), try TemporaryStore())
    let lines = try lines(source.store)
    #expect(lines.count == 3)
    for known in [0, 1] {
      let summary = try importing(lines, into: copy.store)
      #expect(summary.added == 1 - known && summary.known == known && summary.invalid == 0)
      #expect(try view(copy) == view(source))
      #expect(try copy.store.models() == source.store.models())
      #expect(try copy.store.verify().isSound)
    }
    // Its own export imported again counts nothing twice either.
    _ = try importing(self.lines(copy.store), into: source.store)
    #expect(try view(copy) == view(source))
  }

  @Test func `a later export raises the counts of an earlier one, and not the other way round`()
    throws
  {
    let (source, copy) = (try source(), try TemporaryStore())
    let earlier = try lines(source.store)
    _ = try JSONDecoder().decode(Listing.self, from: Listing.sound, recordingTo: source.store)
    source.store.flush()
    let later = try lines(source.store)
    _ = try importing(later, into: copy.store)
    _ = try importing(earlier, into: copy.store)
    #expect(try copy.store.decodeCounts()?.decodes == 7)
    #expect(try view(copy) == view(source))
  }

  @Test func `an export of what is new has the counts that have changed`() throws {
    let source = try source()
    let first = try source.store.exportPart()
    #expect(try lines(source.store, in: first).count == 3)
    _ = try JSONDecoder().decode(Listing.self, from: Listing.drifted, recordingTo: source.store)
    _ = try JSONDecoder().decode(Listing.self, from: Listing.sound, recordingTo: source.store)
    source.store.flush()
    let next = try source.store.exportPart(after: first.end)
    let new = try lines(source.store, in: next)
    // A count written after the last digest may be there again.
    #expect(new.count == 3)
    #expect(new[0].contains(#""errors":"#))
    #expect(new[2].hasSuffix(#","release":"4.2","decodes":3}"#))
  }

  @Test func `a filter selects decodes by model, release and hour`() throws {
    let source = try source()
    func count(_ filter: DigestFilter) throws -> Int {
      var count = 0
      try source.store.exportDigests(matching: filter) { if $0.contains("decodes") { count += 1 } }
      return count
    }
    let eleven = Self.date(hour: 11)
    #expect(try count(DigestFilter(model: "*.Listing", release: "4.2")) == 2)
    #expect(try count(DigestFilter(since: eleven)) == count(DigestFilter(until: eleven)))
    #expect(try count(DigestFilter(model: "*.Home")) == 0)
    #expect(try count(DigestFilter(release: "4.3")) == 0)
    #expect(try count(DigestFilter(codingPath: "*")) == 0)
  }

  @Test func `decodes of hours whose digests were evicted are not copied`() throws {
    let source = try source()
    try source.store.append(.make(at: Moment(Self.date(hour: 11))))
    _ = try source.store.prune(maximumAge: .zero)
    #expect(try lines(source.store).filter { $0.contains("decodes") }.count == 1)
    #expect(try source.store.decodeCounts()?.decodes == 7)
  }

  @Test func `a push adds the decodes of each store once`() throws {
    let (first, second, target) = (try source(), try source(), try TemporaryStore())
    try target.store.close()
    for _ in 0..<2 {
      _ = try DigestStore.push(storesAt: [first.path, second.path], to: target.path)
    }
    let pushed = try DigestStore(path: target.path)
    #expect(
      try pushed.decodeCounts()
        == DigestStore.DecodeCounts(decodes: 12, digests: 2, since: nil, until: nil))
    #expect(try pushed.verify().isSound)
  }

  @Test(arguments: [
    (
      #"{"id":"000000000000000000000000000000ff","hour":"2026-11-20T10:30:00Z","model":"A","decodes":1}"#,
      "hour"
    ),
    (#"{"id":"000000000000000000000000000000ff","hour":"soon","model":"A","decodes":1}"#, "hour"),
    (
      #"{"id":"000000000000000000000000000000ff","hour":"1969-11-20T10:00:00Z","model":"A","decodes":1}"#,
      "hour"
    ),
    (#"{"id":"ff","hour":"2026-11-20T10:00:00Z","model":"A","decodes":1}"#, "id"),
    (#"{"id":"+0000000000000ff","hour":"2026-11-20T10:00:00Z","model":"A","decodes":1}"#, "id"),
    (
      #"{"id":"000000000000000000000000000000ff","hour":"2026-11-20T10:00:00Z","model":"","decodes":1}"#,
      "model"
    ),
    (
      #"{"id":"000000000000000000000000000000ff","hour":"2026-11-20T10:00:00Z","decodes":1}"#,
      "model is missing"
    ),
    (
      #"{"id":"000000000000000000000000000000ff","hour":"2026-11-20T10:00:00Z","model":"A","decodes":0}"#,
      "decodes"
    ),
    (
      #"{"id":"000000000000000000000000000000ff","hour":"2026-11-20T10:00:00Z","model":"A","decodes":9999999999999999}"#,
      "decodes"
    ),
  ])
  func `a line that is wrong is refused by its number, and nothing is imported`(
    line: String, member: String
  ) throws {
    let temporary = try TemporaryStore()
    let sound =
      #"{"id":"000000000000000000000000000000fe","hour":"2026-11-20T10:00:00Z","model":"A","decodes":1}"#
    do {
      _ = try importing([sound, line], into: temporary.store)
      Issue.record("\(line) was imported")
    } catch let error as DigestStoreError {
      #expect(error.code == .invalidInput)
      #expect(error.description.contains("line 2: \(member)"))
    }
    #expect(try temporary.query("SELECT count(*) FROM decodes") == ["0"])
  }

  @Test func `numbers that a file made on purpose claims do not overflow`() throws {
    let temporary = try TemporaryStore()
    let largest = (1...3).map {
      #"{"id":"0000000000000000000000000000000\#($0)","hour":"2026-11-20T10:00:00Z","model":"A","#
        + #""decodes":9007199254740992}"#
    }
    _ = try importing(largest, into: temporary.store)
    #expect(try temporary.store.decodeCounts()?.decodes == 1 << 53)
    let problems = try temporary.store.verify().problems
    #expect(problems == [])
  }
}
