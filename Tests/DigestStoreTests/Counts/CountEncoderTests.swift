import Testing

@testable import DigestStore

struct CountEncoderTests {
  private static let hour = Period(span: 1, start: 489_889)
  private static let day = Period(span: 24, start: 489_888)

  private static func counts(_ count: Int, in period: Period, seed: UInt64) -> [Count] {
    var random = SeededGenerator(seed: seed)
    var failure: Int64 = 0
    return (0..<count).map { _ in
      failure += Bool.random(using: &random) ? 1 : .random(in: 1...100_000, using: &random)
      let digests =
        [1, 1, 1, 2, Int64.random(in: 1...1 << 40, using: &random)]
        .randomElement(using: &random) ?? 1
      let occurrences = Bool.random(using: &random) ? digests : digests + 3
      let shared = Bool.random(using: &random) ? 0 : Int64.random(in: 0...digests, using: &random)
      let moments = [0, period.length - 1, Int64.random(in: 0..<period.length, using: &random)]
      let ends = (0..<2).map { _ in period.begin + (moments.randomElement(using: &random) ?? 0) }
      let (first, last) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
      return Count(
        id: failure, occurrences: occurrences, digests: digests, sharedDigests: shared,
        first: first, last: digests == 1 ? first : last)
    }
  }

  private static func decode(_ bytes: [UInt8], _ period: Period) throws -> [Count] {
    try bytes.withUnsafeBytes { bytes in
      var decoder = CountDecoder(bytes, period)
      var counts: [Count] = []
      while let count = try decoder.next() { counts.append(count) }
      return counts
    }
  }

  @Test(arguments: [hour, day])
  func `packed counts are read back`(_ period: Period) throws {
    for seed in 0..<50 as Range<UInt64> {
      let counts = Self.counts(Int(seed), in: period, seed: seed)
      #expect(try Self.decode(CountEncoder.bytes(of: counts, in: period), period) == counts)
    }
  }

  private static func decode(
    _ bytes: [UInt8], _ period: Period, among failures: [Int64]
  ) throws -> [Count] {
    try bytes.withUnsafeBytes { bytes in
      var decoder = CountDecoder(bytes, period)
      var rest = failures[...]
      var counts: [Count] = []
      while let count = try decoder.next(among: &rest) { counts.append(count) }
      return counts
    }
  }

  @Test(arguments: [hour, day])
  func `some failures are found among all others`(_ period: Period) throws {
    for seed in 0..<50 as Range<UInt64> {
      let counts = Self.counts(Int(seed), in: period, seed: seed)
      var random = SeededGenerator(seed: seed)
      let chosen = counts.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      // Also some that did not occur, before, between and behind the others.
      let others = (chosen + counts.suffix(1)).map {
        $0.id + .random(in: 1...2, using: &random)
      }
      let wanted = Set(chosen.map(\.id) + others + [.min, -1, 0, .max])

      let found = try Self.decode(
        CountEncoder.bytes(of: counts, in: period), period, among: wanted.sorted())

      #expect(found == counts.filter { wanted.contains($0.id) })
    }
  }

  @Test(arguments: [(hour, 4), (day, 5)])
  func `a failure that occurred once takes a byte and its moment`(_ period: Period, _ length: Int) {
    let count = Count(
      id: 31, occurrences: 1, digests: 1, sharedDigests: 0, first: period.begin + 1,
      last: period.begin + 1)

    #expect(CountEncoder.bytes(of: [count], in: period).count == length)
  }

  @Test func `two packs add up to the sum of their counts`() throws {
    for seed in 0..<50 as Range<UInt64> {
      let counts = Self.counts(40, in: Self.hour, seed: seed)
      var random = SeededGenerator(seed: seed)
      // Some are in the one, some in the other, some in both.
      let choices = counts.map { _ in Int.random(in: 1...3, using: &random) }
      let parts = [1, 2].map { part in
        CountEncoder.bytes(
          of: zip(counts, choices).filter { $1 & part != 0 }.map(\.0), in: Self.hour)
      }

      let sum = try parts[0].withUnsafeBytes { first in
        try parts[1].withUnsafeBytes { try CountEncoder.sum(first, $0, in: Self.hour) }
      }

      let expected = zip(counts, choices).map { count, choice in
        var count = count
        if choice == 3 { count.add(count) }
        return count
      }
      #expect(try Self.decode(sum, Self.hour) == expected)
    }
  }

  @Test(arguments: [
    Count(id: 0, occurrences: 1, digests: 1, sharedDigests: 0, first: 0, last: 0),
    Count(id: -1, occurrences: 1, digests: 1, sharedDigests: 0, first: 0, last: 0),
    Count(id: .max, occurrences: 1, digests: 1, sharedDigests: 0, first: 0, last: 0),
    Count(id: 1, occurrences: -1, digests: 1, sharedDigests: 0, first: 0, last: 0),
    Count(id: 1, occurrences: .max, digests: 1, sharedDigests: 0, first: 0, last: 0),
    Count(id: 1, occurrences: 1, digests: 0, sharedDigests: 0, first: 0, last: 0),
    Count(id: 1, occurrences: 1, digests: 1, sharedDigests: 2, first: 0, last: 0),
    Count(id: 1, occurrences: 1, digests: 1, sharedDigests: 0, first: -1, last: 0),
    Count(id: 1, occurrences: 2, digests: 2, sharedDigests: 0, first: 1, last: 0),
    Count(id: 1, occurrences: 2, digests: 2, sharedDigests: 0, first: 0, last: 3_600_000),
  ])
  func `an impossible count is left out`(_ count: Count) {
    #expect(CountEncoder.bytes(of: [count], in: Period(span: 1, start: 0)).isEmpty)
  }

  @Test(
    arguments: [
      // No distance, no end of a number, too large a number, too large a distance.
      [0, 0, 0, 0], [0xff], Array(repeating: 0xff, count: 20),
      [0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0],
      // No moment, half of one, one behind the hour, a last one before the first.
      [4], [4, 0, 0], [4, 0x80, 0xee, 0x36], [6, 2, 1, 0, 0, 0, 0, 0],
      // More errors than any number counts.
      [6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0],
      // No digest; more shared digests than digests.
      [6, 0, 0, 0, 0, 0, 0, 0], [7, 3, 2, 3, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `bytes that no encoder writes are an error`(_ bytes: [UInt8]) {
    #expect(throws: UnreadableRow.self) { try Self.decode(bytes, Self.hour) }
  }

  @Test(arguments: [
    Period(span: 1, start: .max), Period(span: 24, start: .min), Period(span: 1, start: -1),
    Period(span: 24, start: 1), Period(span: 24, start: Moment.latest.hour),
    Period(span: 0, start: 1),
    Period(span: 7, start: 0), Period(span: 1, start: 2_562_047_788_015),
  ])
  func `in a period that no store has a count is in 1970`(_ period: Period) throws {
    #expect(!period.isSound)
    let bytes = [4, 1] + [UInt8](repeating: 0, count: period.momentWidth - 1)
    #expect(try Self.decode(bytes, period).map(\.first) == [1])
  }

  @Test func `sums stop at the largest count`() {
    let most = Int64.maximumCount
    #expect(most.adding(count: 1) == most)
    #expect(Int64.max.adding(count: .max) == most)
    #expect((most - 2).adding(count: 1) == most - 1)
    #expect([Int.max, .max, 1].sum { $0 } == Int(most))
    var count = Count(id: 1, occurrences: .max, digests: .max, sharedDigests: 0, first: 0, last: 0)
    count.add(count)
    #expect((count.occurrences, count.digests) == (most, most))
  }

  @Test func `damage is an error or reads as other counts, and does no more`() throws {
    let counts = Self.counts(30, in: Self.hour, seed: 7)
    let sound = CountEncoder.bytes(of: counts, in: Self.hour)
    var told = 0
    for index in sound.indices {
      for bit in 0..<8 {
        var bytes = sound
        bytes[index] ^= 1 << bit
        do {
          let counts = try Self.decode(bytes, Self.hour)
          #expect(counts.allSatisfy { $0.digests > 0 && $0.first <= $0.last })
        } catch is UnreadableRow {
          told += 1
        }
      }
      // What is passed over need not be sound, but ends where the bytes do.
      for wanted in [[], [1], [counts[15].id], [.max]] as [[Int64]] {
        var bytes = sound
        bytes[index] ^= 0xff
        if let found = try? Self.decode(bytes, Self.hour, among: wanted) {
          #expect(found.allSatisfy { wanted.contains($0.id) && $0.digests > 0 })
        }
      }
      let cut = Array(sound[..<index])
      if let counts = try? Self.decode(cut, Self.hour) { #expect(counts.count < 30) }
    }
    #expect(told > 0)
  }
}
