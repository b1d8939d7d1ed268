import Testing

@testable import DigestStore

struct RetentionStepTests {
  private static let hour = Moment.hour

  /// The limits of a prune to an age in hours and a size in pages of 4 KiB.
  private static func limits(hours: Int? = nil, pages: Int? = nil) -> RetentionLimits {
    RetentionLimits(age: hours.map { .seconds($0 * 3_600) }, size: pages.map { $0 * 4_096 })
  }

  /// A file whose first and last digests were recorded at an hour and some minutes, and whose first
  /// counts are of an hour.
  private static func state(
    digests: ClosedRange<Double>? = nil, hour: Int64? = nil, day: Int64? = nil,
    hasTotals: Bool = false, samples: Int64 = .max, pages: Int = 0, free: Int = 0,
    originHours: ClosedRange<Int64>? = nil, origin: Int64? = nil
  ) -> RetentionState {
    RetentionState(
      oldestDigest: digests.map { Int64($0.lowerBound * Double(Self.hour)) },
      newestDigest: digests.map { Int64($0.upperBound * Double(Self.hour)) },
      oldestHour: hour, oldestDay: day, originHours: originHours, hasTotals: hasTotals,
      sampleCutoff: samples == .max ? 1 << 60 : samples * Self.hour, nextOrigin: origin,
      size: FileSize(pages: pages, freePages: free, pageSize: 4_096))
  }

  private static func digests(_ begin: Double, _ end: Double) -> RetentionStep {
    .digests(Int64(begin * Double(hour))..<Int64(end * Double(hour)))
  }

  @Test(
    arguments: [
      ("nothing is too old", state(digests: 5...9, hour: 0), .nothing),
      ("digests of the oldest hour", state(digests: 5.5...99), digests(5.5, 6)),
      ("of its part that is too old", state(digests: 5.25...9.5), digests(5.25, 5.5)),
      ("samples after digests", state(digests: 5...9, samples: 4), .samples(before: 5 * hour)),
      ("no samples again", state(digests: 5...9, samples: 5), .nothing),
      ("an age beyond 1970", state(digests: 1...3, samples: 0), .nothing),
      ("age before size", state(digests: 5.5...99, hour: 0, pages: 300), digests(5.5, 6)),
    ] as [(String, RetentionState, RetentionStep)])
  func `the next step to an age of four hours`(
    name: String, state: RetentionState, step: RetentionStep
  ) {
    #expect(RetentionStep.next(state, Self.limits(hours: 4, pages: 256)) == step)
  }

  @Test(
    arguments: [
      ("an empty file", state(), .nothing),
      ("small enough", state(digests: 5...9, hour: 0, pages: 256), .nothing),
      ("free pages are not used", state(digests: 5...9, pages: 300, free: 44), .pages),
      ("the oldest digests first", state(digests: 5.5...9, hour: 5, pages: 257), digests(5.5, 6)),
      ("hours four times as old", state(digests: 16...20, hour: 4, pages: 257), digests(16, 17)),
      ("hours that are older", state(digests: 16...20, hour: 3, pages: 257), .hour(3)),
      (
        "one hour as though two", state(digests: 20.1...20.9, hour: 16, pages: 257),
        digests(20.1, 21)
      ),
      ("hours without digests", state(hour: 3, day: 0, hasTotals: true, pages: 257), .hour(3)),
      ("days without hours", state(day: 2, hasTotals: true, pages: 257), .day(2)),
      ("totals without days", state(hasTotals: true, pages: 257), .totals),
      ("what is never deleted", state(pages: 257), .nothing),
      ("its free pages", state(pages: 300, free: 1), .pages),
    ] as [(String, RetentionState, RetentionStep)])
  func `the next step to a size of a mebibyte`(
    name: String, state: RetentionState, step: RetentionStep
  ) {
    // No size is below it.
    for pages in [256, 1] {
      #expect(RetentionStep.next(state, Self.limits(pages: pages)) == step)
    }
    let unlimited: RetentionStep = state.size.freePages > 0 ? .pages : .nothing
    #expect(RetentionStep.next(state, Self.limits()) == unlimited)
  }

  /// A store that records keeps free pages for what comes, and looks for samples less often.
  @Test(
    arguments: [
      ("a quarter is free", state(digests: 5...9, pages: 256, free: 64), .nothing),
      ("more is free", state(digests: 5...9, pages: 256, free: 65), .pages),
      ("the file is above its size", state(digests: 5...9, pages: 1_800, free: 10), .pages),
      ("samples of ten hours", state(digests: 100...200, samples: 90), .nothing),
      ("samples of more", state(digests: 100...200, samples: 89), .samples(before: 100 * hour)),
    ] as [(String, RetentionState, RetentionStep)])
  func `the next step while a store records`(
    name: String, state: RetentionState, step: RetentionStep
  ) {
    let limits = RetentionLimits(
      DigestStore.Configuration(maximumAge: .seconds(100 * 3_600), maximumBytes: 8 << 20))
    #expect(limits.size == 7 << 20)
    #expect(RetentionStep.next(state, limits) == step)
  }

  @Test(
    arguments: [
      ("a week of decodes", state(originHours: 3...170), .nothing),
      ("more than a week", state(originHours: 3...171), .originDecodes(3)),
      ("a day in a large file", state(hour: 5, pages: 300, originHours: 3...26), .hour(5)),
      ("more in a large file", state(hour: 5, pages: 300, originHours: 3...27), .originDecodes(3)),
      ("old digests before origins", state(digests: 1...9, origin: 0), digests(1, 2)),
      (
        "samples before origins", state(digests: 5...9, samples: 0, origin: 0),
        .samples(before: 5 * hour)
      ),
      ("origins", state(digests: 5...9, samples: 5, origin: 7), .origins(after: 7)),
      ("origins before free pages", state(pages: 90, free: 80, origin: 7), .origins(after: 7)),
      ("all origins", state(digests: 5...9, samples: 5, origin: nil), .nothing),
    ] as [(String, RetentionState, RetentionStep)])
  func `the next step of a store that imports`(
    name: String, state: RetentionState, step: RetentionStep
  ) {
    #expect(RetentionStep.next(state, Self.limits(hours: 4, pages: 256)) == step)
  }
}
