import Foundation
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
      try temporary.store.decodeListing(data)
    }
    time.withLock { $0 = Self.date(hour: 11) }
    for _ in 0..<2 {
      try temporary.store.decodeListing(Listing.sound)
    }
    temporary.store.flush()
    return temporary
  }

  private static func date(hour: Int64) -> Date {
    Moment(milliseconds: (490_000 + hour) * Moment.hour).date
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
    let text = try source.store.text()
    #expect(text.count { $0 == "\n" } == 3)
    for known in [0, 1] {
      let summary = try copy.store.importText(text)
      #expect(summary.added == 1 - known && summary.known == known && summary.invalid == 0)
      #expect(try view(copy) == view(source))
      #expect(try copy.store.models() == source.store.models())
      #expect(try copy.store.verify().isSound)
    }
    // Its own export imported again counts nothing twice either.
    _ = try source.store.importText(source.store.text())
    #expect(try view(copy) == view(source))
  }

  @Test func `a later export raises the counts of an earlier one, and not the other way round`()
    throws
  {
    let (source, copy) = (try source(), try TemporaryStore())
    let earlier = try source.store.text()
    try source.store.decodeListing(Listing.sound)
    source.store.flush()
    let later = try source.store.text()
    _ = try copy.store.importText(later)
    _ = try copy.store.importText(earlier)
    #expect(try copy.store.decodeCounts()?.decodes == 7)
    #expect(try view(copy) == view(source))
  }

  @Test func `an export of what is new has the counts that have changed`() throws {
    let source = try source()
    let first = try source.store.exportPart()
    #expect(try source.store.lines(in: first).count == 3)
    try source.store.decodeListing()
    try source.store.decodeListing(Listing.sound)
    source.store.flush()
    let next = try source.store.exportPart(after: first.end)
    let new = try source.store.lines(in: next)
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
    #expect(try source.store.lines().filter { $0.contains("decodes") }.count == 1)
    #expect(try source.store.decodeCounts()?.decodes == 7)
  }

  /// A line of decodes.
  private static func line(
    id: String = "000000000000000000000000000000ff", hour: String = "2026-11-20T10:00:00Z",
    model: String = #""model":"A","#, decodes: Int = 1
  ) -> String {
    #"{"id":"\#(id)","hour":"\#(hour)",\#(model)"decodes":\#(decodes)}"# + "\n"
  }

  @Test(arguments: [
    (line(hour: "2026-11-20T10:30:00Z"), "hour"), (line(hour: "soon"), "hour"),
    (line(hour: "1969-11-20T10:00:00Z"), "hour"), (line(id: "ff"), "id"),
    (line(id: "+0000000000000ff"), "id"), (line(model: #""model":"","#), "model"),
    (line(model: ""), "model is missing"), (line(decodes: 0), "decodes"),
    (line(decodes: 9_999_999_999_999_999), "decodes"),
  ])
  func `a line that is wrong is refused by its number, and nothing is imported`(
    line: String, member: String
  ) throws {
    let temporary = try TemporaryStore()
    expectError(.invalidInput, "line 2: \(member)") {
      try temporary.store.importText(Self.line() + line)
    }
    #expect(try temporary.query("SELECT count(*) FROM decodes") == ["0"])
  }

  @Test func `numbers that a file made on purpose claims do not overflow`() throws {
    let temporary = try TemporaryStore()
    let lines = (1...3).map {
      Self.line(id: String(repeating: "0", count: 31) + "\($0)", decodes: 1 << 53)
    }
    _ = try temporary.store.importText(lines.joined())
    #expect(try temporary.store.decodeCounts()?.decodes == 1 << 53)
    #expect(try temporary.store.verify().problems == [])
  }
}
