import Testing

@testable import DigestStore

/// What is known of ids whose digests are gone, and of ids that someone makes up.
struct EvictedIDsTests {
  private static let identity = String(repeating: "7c1f", count: 8)

  /// In the year 2016, far beyond the age of the store.
  private static let old: Int64 = 1_479_636_000_000

  /// Ids and moments; an id is of a digest with one failure.
  private typealias Arrivals = [(id: String, moment: Int64)]

  private static func own(_ number: Int64, at offset: Int64? = nil) -> (id: String, moment: Int64) {
    let moment = old + (offset ?? 1_000 * number)
    return ("\(identity)-\(number)-\(moment)", moment)
  }

  private let temporary: TemporaryStore

  init() throws {
    temporary = try TemporaryStore(DigestStore.Configuration(maximumAge: .seconds(60)))
  }

  /// Imports digests, each with a moment of its own.
  private func load(_ arrivals: Arrivals) throws -> DigestStore.ImportSummary {
    try temporary.store.importText(
      arrivals.map { id, moment in
        var time: [UInt8] = []
        Moment(milliseconds: moment).append(to: &time)
        return #"{"id":"\#(id)","recordedAt":"\#(String(decoding: time, as: UTF8.self))","#
          + #""model":"M","failures":[{"path":"a","kind":"other"}]}"#
      }.joined(separator: "\n"))
  }

  private func occurrences() throws -> Int {
    try temporary.store.failures().reduce(0) { $0 + $1.occurrences }
  }

  @Test(arguments: [
    "\(identity)#0000000000000000002", "\(identity)#0000000000000000002~",
    "\(identity)#0000000000000000001-0000000000000000003",
    "\(identity)#0000000000000000002-2#\(old)-\(old)", "\(identity)-02-5", "#\(identity)",
    ForeignID.hash(own(2).id).replacing(ForeignID.mark, with: "#"),
    ForeignID.hash(own(2).id).replacing(ForeignID.mark, with: ""),
  ])
  func `an id that looks like a stored short form counts nothing twice`(_ invented: String) throws {
    let digests = [1, 2, 3].map { Self.own($0) }
    #expect(try load(digests).added == 3)
    #expect(try temporary.store.prune().digests == 3)
    // One that stays, for it was recorded just now, and then one that goes.
    #expect(
      try load([(invented, Moment(temporary.store.configuration.clock()).milliseconds)]).added == 1)

    #expect(try load(digests).known == 3)
    _ = try load([(invented + "x", Self.old)])
    _ = try temporary.store.prune()
    #expect(try load(digests + [(invented, Self.old), (invented + "x", Self.old)]).known == 5)
    #expect(try occurrences() == 5)
    #expect(try temporary.store.verify().isSound)
  }

  @Test(
    arguments: [
      // The numbers before it that have gone, and how long after the first the claim was recorded: the
      // digest with the number itself, after 3,000 milliseconds.
      ([], 1), ([], 2_999), ([], 3_001), ([], 9_000_000), ([1, 2], 1), ([1, 2], 2_999),
      ([1], 3_001), ([1], 9_000_000),
    ] as [([Int64], Int64)])
  func `a number that someone claims keeps no digest out`(_ others: [Int64], _ offset: Int64) throws
  {
    _ = try load(others.map { Self.own($0) })
    _ = try temporary.store.prune()
    // The second one was not recorded when its id says.
    let claims = [Self.own(3, at: offset), (Self.own(3, at: offset + 7).id, Self.old)]
    #expect(try load(claims).added == 2)
    _ = try temporary.store.prune()

    #expect(try load(claims).known == 2)
    #expect(try load([Self.own(3)]).added == 1)
    _ = try temporary.store.prune()
    #expect(try load(claims + (others + [3]).map { Self.own($0) }).added == 0)
    #expect(try occurrences() == others.count + 3)
    #expect(try temporary.store.verify().isSound)
  }

  @Test func `ids in a row take one row, in whatever order their digests go`() throws {
    var random = SeededGenerator(seed: 5)
    for numbers in [1...40, 61...100, 41...60] as [ClosedRange<Int64>] {
      for number in numbers.shuffled(using: &random) {
        #expect(try load([Self.own(number)]).added == 1)
        if number.isMultiple(of: 7) { _ = try temporary.store.prune() }
      }
    }
    _ = try temporary.store.prune()

    #expect(try temporary.query("SELECT external_id FROM foreign_digest").count == 1)
    #expect(try load((1...100).map { Self.own($0) }).known == 100)
    #expect(try load([Self.own(101)]).added == 1)
  }

  @Test(arguments: 0..<8)
  func `imports and prunes in any order count each id once, even invented ones`(_ seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let identities = ["0", "7", "f"].map { String(repeating: $0, count: 32) }
    func own(_ identity: String, _ number: Int64, _ moment: Int64) -> (id: String, moment: Int64) {
      ("\(identity)-\(number)-\(Self.old + moment)", Self.old + moment)
    }
    // Numbers that were given twice after a power cut, and a clock that was put back.
    var invented: Arrivals = []
    for identity in identities {
      for number in 1...12 as ClosedRange<Int64> {
        let padded = String(repeating: "0", count: number < 10 ? 18 : 17) + "\(number)"
        let real = own(identity, number, 100 * number)
        invented += [
          own(identity, number, -1_000 - number), (own(identity, number, 5_000).id, Self.old),
          ("\(identity)#\(padded)", Self.old), ("\(identity)#\(padded)-\(number + 1)", Self.old),
          (ForeignRange(id: real.id)?.text.replacing(ForeignID.mark, with: "") ?? "", Self.old),
          (String(ForeignID.hash(real.id).dropFirst(ForeignID.mark.count)), Self.old),
          ("#" + ForeignID.hash(real.id).dropFirst(ForeignID.mark.count), Self.old),
          ("\(identity)-0\(number)-1", Self.old),
        ]
      }
    }
    var next: [String: Int64] = [:]
    var seen: [String: Int64] = [:]
    for _ in 0..<60 {
      var batch = (0..<4).compactMap { _ in invented.randomElement(using: &random) }
      if let identity = identities.randomElement(using: &random) {
        // What a store exports comes in its order, and again.
        let first = next[identity] ?? 1
        let last = first + Int64.random(in: 0...2, using: &random)
        batch += (max(1, first - 2)...last).map { own(identity, $0, 100 * $0) }
        next[identity] = last + 1
      }
      batch += seen.shuffled(using: &random).prefix(3).map { ($0.key, $0.value) }
      let new = Dictionary(batch) { first, _ in first }.filter { seen[$0.key] == nil }
      #expect(try load(batch).added == new.count)
      seen.merge(new) { first, _ in first }
      if Bool.random(using: &random) { _ = try temporary.store.prune() }
    }

    _ = try temporary.store.prune()
    #expect(try load(seen.map { ($0.key, $0.value) }).added == 0)
    #expect(try occurrences() == seen.count)
    #expect(try temporary.store.verify().isSound)
  }
}
