import ResilientPlatform

/// The age and the size that a file may reach.
struct RetentionLimits: Equatable {
  /// The smallest size: names and totals of 200 failures take 0.2 MB, and the counts of a few days
  /// some more.
  static let smallestSize = 1 << 20

  /// The age at which digests and samples are deleted, in milliseconds.
  var age: Int64?

  /// The size above which something is deleted, in bytes.
  var size: Int?

  /// Whether deleted rows may leave free pages in the file, which new rows fill. They are returned
  /// above the size, and if they are a quarter of the file.
  var keepsFreePages = false

  /// The limits of a prune: no more is deleted than needed.
  init(age: Duration?, size: Int?) {
    self.age = age?.milliseconds
    self.size = size.map { max($0, Self.smallestSize) }
  }

  /// The limits of a store that records. Below the size is room for what is written between two
  /// looks: an eighth of it, at most 8 MiB.
  init(_ configuration: DigestStore.Configuration) {
    self.init(age: configuration.maximumAge, size: configuration.maximumBytes)
    size = size.map { $0 - min($0 / 8, 8 << 20) }
    keepsFreePages = true
  }

  /// How much older than the age a sample may become, in milliseconds. No index finds old samples:
  /// to look for them reads all failures, 4 to 20 ms for 80,000.
  var sampleDelay: Int64 { min((age ?? 0) / 10, 24 * Moment.hour) }

  /// The number of digests that may wait to be folded before the size is looked at again. One takes
  /// up to 1,000 bytes with its counts, so these are an eighth of the size.
  var maximumUnfolded: Int64 {
    min(Fold.maximumUnfolded, Int64((size ?? .max) / 8_192))
  }
}

/// The oldest and newest rows of a file, and its size. Times of digests are in milliseconds since 1970.
struct RetentionState {
  /// The oldest digest that is counted.
  var oldestDigest: Int64?

  /// The newest digest that is not in the future.
  var newestDigest: Int64?

  /// The first hour and day with counts, in hours and days since 1970.
  var oldestHour: Int64?
  var oldestDay: Int64?

  /// The hours whose decodes are kept by origin, without those in the future.
  var originHours: ClosedRange<Int64>?

  /// Whether there are totals of single contexts.
  var hasTotals = false

  /// The time before which samples were deleted.
  var sampleCutoff: Int64 = 0

  /// The id after which origins are looked at; nil if all were.
  var nextOrigin: Int64?

  var size = FileSize(pages: 0, freePages: 0, pageSize: 4_096)
}

/// The next deletion, in a transaction of its own.
enum RetentionStep: Equatable {
  /// Delete the oldest digests that were recorded in a part of an hour.
  case digests(Range<Int64>)

  /// Delete what is known only from single errors before a time, in milliseconds since 1970.
  case samples(before: Int64)

  /// Delete some decodes by origin of an hour since 1970.
  case originDecodes(Int64)

  /// Look at some origins, and delete those that have been silent for long.
  case origins(after: Int64)

  /// Delete the counts of an hour or a day since 1970.
  case hour(Int64)
  case day(Int64)

  /// Delete the totals of a context. Their sum stays in context 0.
  case totals

  /// Return free pages to the file system.
  case pages

  case nothing
}

extension RetentionStep {
  /// How many times as long as digests hours are kept.
  ///
  /// Without a limit, counts take all the space. A file of 4 MiB, into which 50,000 digests of 800
  /// hours and 200 failures were written, kept these hours of each:
  ///
  ///     times      1    2    4    8   without a limit
  ///     digests   61   41   26   15     0
  ///     counts    61   82  102  113   128
  ///
  /// From 4 to 8, digests lose two fifths for a tenth more counts.
  static let hoursPerDigest: Int64 = 4

  /// How long the decodes of an hour are kept by origin, in hours, and in a file that is too large.
  ///
  /// An app reports an hour again with the next ones. If a million apps are used ten hours a week,
  /// and decode three models then, these are 30 million rows of 20 bytes.
  static let originHours: (usual: Int64, small: Int64) = (7 * 24, 24)

  /// How long an origin without digests is remembered, in days.
  static let originDays: Int64 = 90

  /// Chooses the next step.
  ///
  /// By age, digests go, and then samples. By size, the oldest digests go first, unless hours are
  /// kept too long; when no digests are left, hours go, then days, and then the totals of contexts.
  /// Names and the totals of all contexts together stay.
  ///
  /// Ages are measured from the newest digest, not from now: opening a store while the clock is
  /// ahead, or after a long pause, deletes nothing.
  static func next(_ state: RetentionState, _ limits: RetentionLimits) -> Self {
    let size = state.size
    if let hours = state.originHours {
      let isTooLarge = size.usedBytes > limits.size ?? .max
      let kept = isTooLarge ? originHours.small : originHours.usual
      if hours.count > kept { return .originDecodes(hours.lowerBound) }
    }
    if let age = limits.age, let newest = state.newestDigest {
      let cutoff = newest - age
      if let oldest = state.oldestDigest, oldest < cutoff {
        return digests(from: oldest, before: cutoff)
      }
      if cutoff - state.sampleCutoff > limits.sampleDelay { return .samples(before: cutoff) }
    }
    if let limit = limits.size, size.usedBytes > limit {
      switch (state.oldestDigest, state.oldestHour) {
      case (let digest?, let hour):
        let newest = (state.newestDigest ?? digest) / Moment.hour
        let age = max(1, newest - digest / Moment.hour)
        if let hour, newest - hour > age * hoursPerDigest { return .hour(hour) }
        return digests(from: digest, before: .max)
      case (nil, let hour?): return .hour(hour)
      case (nil, nil):
        if let day = state.oldestDay { return .day(day) }
        if state.hasTotals { return .totals }
      }
    }
    // After the steps that only the file decides. Another connection looks at all origins again, so
    // this would hide that one of those fails each time.
    if let origin = state.nextOrigin { return .origins(after: origin) }
    let isFull = size.bytes > limits.size ?? .max || size.freePages > size.pages / 4
    return size.freePages > 0 && (isFull || !limits.keepsFreePages) ? .pages : .nothing
  }

  /// Digests of one hour, because losses are counted by hour.
  private static func digests(from oldest: Int64, before cutoff: Int64) -> Self {
    .digests(oldest..<min(cutoff, (oldest / Moment.hour + 1) * Moment.hour))
  }
}

/// The size of a database file.
struct FileSize {
  var pages: Int
  var freePages: Int
  var pageSize: Int

  var bytes: Int { pages * pageSize }
  var usedBytes: Int { (pages - freePages) * pageSize }
}
