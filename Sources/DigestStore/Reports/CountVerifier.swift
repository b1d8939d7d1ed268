/// Recounts every digest and compares the result with the stored counts: hours with digests, days
/// and all time with hours.
///
/// Reads the digests once, in the order of their ids, and drops an hour once its last digest is
/// counted. Only if the clock jumped so much that too many hours are open at a time, the later
/// hours are left for another pass.
struct CountVerifier {
  /// The most counts in memory at a time.
  private static let maximumCounts = 200_000

  /// The number of digests between two progress reports.
  private static let stride: Int64 = 4_096

  private struct Key: Hashable {
    var table = CountTable.failures
    let release: Int64
    let failure: Int64
  }

  private typealias Counts = [Key: Count]

  private let snapshot: Snapshot

  private let hours: [Int64: ClosedRange<Int64>]

  private let progress: ((DigestReader.Progress) -> Void)?
  private let ids: ClosedRange<Int64>?

  /// The recounted hours that may still get digests.
  private var open: [Int64: Counts] = [:]
  private var openCounts = 0
  private var compared: Set<Int64> = []
  private var unlocated: Set<Int64> = []

  /// The number of digests and occurrences, folded or not.
  private(set) var digests = 0
  private(set) var occurrences: Int64 = 0

  private var different = 0
  private var missing = 0
  private var unknown = 0
  private var damagedDigests = 0
  private var damagedPacks = 0
  private var differentDecodes = 0

  /// - Parameter progress: called with the position of the recount. A further pass, needed if there
  ///   are too many counts to keep, reads part of the file again.
  init(_ snapshot: Snapshot, _ progress: ((DigestReader.Progress) -> Void)? = nil) throws {
    self.snapshot = snapshot
    self.progress = progress
    ids = try snapshot.connection.digestIDs()
    hours = try Dictionary(
      snapshot.connection.rows("SELECT hour, first_digest_id, last_digest_id FROM hour") { row in
        let first = row.integer(at: 1)
        return (row.integer(at: 0), first...max(first, row.integer(at: 2)))
      },
      uniquingKeysWith: { $1 })
  }

  /// Recounts and compares everything.
  ///
  /// - Returns: the problems found, one sentence each.
  mutating func problems() throws -> [String] {
    progress?(.init(unit: .digests, done: 0, total: ids?.count))
    try compareHours()
    try compareDays()
    try compareDecodes()
    let problems = [
      (different, "counts differ from a recount"),
      (missing, "counts are missing"),
      (damagedPacks, "packed counts cannot be read"),
      (damagedDigests, "digests cannot be read"),
      (unknown, "entries are of no known failure"),
      (unlocated.count, "hours do not know where their digests are"),
      (differentDecodes, "hours have other numbers of digests among their decodes"),
    ]
    return problems.compactMap { count, problem in count == 0 ? nil : "\(count) \(problem)" }
  }
}

extension CountVerifier {
  private mutating func compareHours() throws {
    var first = Int64.min
    var firstHour = Int64.min
    while true {
      let endHour = try count(from: first, hours: firstHour)
      guard let endHour else { break }
      firstHour = endHour
      // The digests of an unlocated hour may be anywhere.
      let isLocated = unlocated.allSatisfy { $0 < firstHour }
      first =
        isLocated ? hours.filter { $0.key >= firstHour }.map(\.value.lowerBound).min() ?? 0 : .min
    }
    // Hours without a digest.
    for hour in try periods(1) where !compared.contains(hour) { try compare(hour, [:]) }
  }

  /// Counts the digests of some hours.
  ///
  /// - Parameters:
  ///   - first: a lower bound of their ids.
  ///   - firstHour: the first of the hours.
  /// - Returns: the first hour of the next pass; nil when all hours have been counted.
  private mutating func count(from first: Int64, hours firstHour: Int64) throws -> Int64? {
    let statement = try Statement(
      snapshot.connection,
      "SELECT \(DigestCounts.columns), id, recorded_at FROM digest WHERE id >= ? ORDER BY id"
    )
    try statement.bind(first, at: 1)
    let isFirstWalk = firstHour == .min
    var counts = DigestCounts()
    var endHour: Int64?
    // The last id of the open hour that is complete next.
    var nextEnd = Int64.max
    while try statement.step() {
      let id = statement.integer(at: 5)
      if let ids, ids.contains(id), id.isMultiple(of: Self.stride) {
        progress?(.init(unit: .digests, done: Int(id - ids.lowerBound), total: ids.count))
      }
      let isSound = counts.read(statement, snapshot.values)
      if isFirstWalk {
        digests += 1
        occurrences = occurrences.adding(count: counts.occurrences)
        unknown += counts.unknown(snapshot.values)
        // An export cannot read a digest of another time either.
        let isInRange = Moment.earliest...Moment.latest ~= statement.moment(at: 6)
        if !isSound || !isInRange { damagedDigests += 1 }
      }
      guard id <= snapshot.foldedThrough else {
        if isFirstWalk { continue } else { break }
      }
      if id > nextEnd { nextEnd = try close(before: id) }
      let hour = Moment(milliseconds: statement.integer(at: 0)).hour
      guard firstHour <= hour, hour < endHour ?? .max else { continue }
      let ids = hours[hour]
      if ids?.contains(id) != true { unlocated.insert(hour) }
      nextEnd = min(nextEnd, unlocated.contains(hour) ? .max : ids?.upperBound ?? .max)
      let release = statement.integer(at: 1)
      for count in counts.failures { add(count, from: .failures, of: release, to: hour) }
      if let model = counts.model {
        add(model, from: .models, of: release, to: hour)
      }
      while openCounts > Self.maximumCounts, let last = open.keys.max(), open.count > 1 {
        endHour = last
        openCounts -= open.removeValue(forKey: last)?.count ?? 0
      }
    }
    _ = try close(before: .max)
    return endHour
  }

  private mutating func add(
    _ count: Count, from table: CountTable, of release: Int64, to hour: Int64
  ) {
    let key = Key(table: table, release: release, failure: count.id)
    if open[hour, default: [:]][key]?.add(count) == nil {
      open[hour]?[key] = count
      openCounts += 1
    }
  }

  /// Compares and drops the hours whose digests all come before an id.
  ///
  /// - Returns: the last id of the hour that is complete next.
  private mutating func close(before id: Int64) throws -> Int64 {
    var next = Int64.max
    for (hour, counts) in open {
      let last = unlocated.contains(hour) ? .max : hours[hour]?.upperBound ?? .max
      if last < id || id == .max {
        try compare(hour, counts)
        open[hour] = nil
        openCounts -= counts.count
      } else {
        next = min(next, last)
      }
    }
    return next
  }

  private mutating func compare(_ hour: Int64, _ recounted: Counts) throws {
    compared.insert(hour)
    // Evicted digests are counted but cannot be recounted. Before the first fine hour, only days
    // have counts.
    let isEvicted = hours[hour].map { $0.lowerBound <= snapshot.evictedThrough } ?? false
    let isCoarse = hour < snapshot.firstFineHour
    let stored = try counts(1, from: hour, to: hour + 1)
    if isCoarse, stored.isEmpty { return }
    compare(stored, recounted, isPartial: isEvicted)
  }

  private mutating func compareDays() throws {
    let days = Set(try periods(1).map { $0 / 24 * 24 } + periods(24)).sorted()
    var sums: Counts = [:]
    for day in days {
      let stored = try counts(24, from: day, to: day + 1)
      let isCoarse = day < snapshot.firstFineHour
      let counted = isCoarse ? stored : try counts(1, from: day, to: day + 24)
      compare(stored, counted, isPartial: false)
      for (key, count) in counted where sums[key]?.add(count) == nil { sums[key] = count }
    }
    let hasLostDays = try snapshot.connection.integer(
      "SELECT EXISTS (SELECT 1 FROM loss WHERE reason = '\(DigestStore.Loss.Reason.undated.rawValue)')"
    )
    let allTime = try counts(0, from: 0, to: 1)
    compare(allTime, sums, isPartial: hasLostDays == 1)
    // Reads the merged releases only to find damage: there is nothing to compare them with.
    _ = try counts(Period.merged, from: 0, to: 1)
    var lifetime: Counts = [:]
    do {
      try snapshot.connection.forEachLifetime { count in
        lifetime[Key(release: 0, failure: count.id)] = count
      }
    } catch is UnreadableRow {
      damagedPacks += 1
      return
    }
    let totals = allTime.reduce(into: Counts()) { totals, entry in
      guard entry.key.table == .failures else { return }
      let key = Key(release: 0, failure: entry.key.failure)
      if totals[key]?.add(entry.value) == nil { totals[key] = entry.value }
    }
    compare(lifetime, totals, isPartial: false)
  }

  /// Compares the digests counted as decodes with the digests of models: of each hour that still
  /// has counts of hours, and of all time.
  private mutating func compareDecodes() throws {
    // Reading damaged counts again would only count the damage again.
    guard damagedPacks == 0 else { return }
    struct Place: Hashable {
      let hour: Int64
      let release: Int64
      let model: Int64
    }
    var differences: [Place: Int64] = [:]
    func add(_ count: Int64, _ hour: Int64, _ release: Int64, _ model: Int64) {
      if hour >= snapshot.firstFineHour {
        differences[Place(hour: hour, release: release, model: model), default: 0] &+= count
      }
      differences[Place(hour: -1, release: release, model: model), default: 0] &+= count
    }
    let statement = try Statement(
      snapshot.connection,
      """
      SELECT hour, release_id, model_id, decodes FROM decode
      WHERE origin = \(DecodeOrigin.digests)
      """)
    while try statement.step() {
      add(
        statement.integer(at: 3), statement.integer(at: 0), statement.integer(at: 1),
        statement.integer(at: 2))
    }
    func subtract(_ counts: Counts, _ hour: Int64) {
      for (key, count) in counts where key.table == .models {
        let place = Place(hour: hour, release: key.release, model: key.failure)
        differences[place, default: 0] &-= count.digests
      }
    }
    subtract(try counts(0, from: 0, to: 1), -1)
    for hour in Set(try periods(1)) where hour >= snapshot.firstFineHour {
      subtract(try counts(1, from: hour, to: hour + 1), hour)
    }
    differentDecodes = Set(differences.filter { $0.value != 0 }.keys.map(\.hour)).count
  }

  /// - Parameter isPartial: whether the stored counts may be higher than the recount.
  private mutating func compare(_ stored: Counts, _ recounted: Counts, isPartial: Bool) {
    for (key, count) in stored where recounted[key] != count {
      if !isPartial || recounted[key].map(count.contains) == false { different += 1 }
    }
    for (key, count) in recounted where stored[key] != count {
      if !isPartial || stored[key]?.contains(count) != true { missing += 1 }
    }
  }

  /// The starts of the periods of one length that have counts.
  private func periods(_ span: Int64) throws -> [Int64] {
    // Skips impossible periods, which are reported as numbers out of range.
    return try CountTable.allCases.flatMap { table in
      try snapshot.connection.rows(
        "SELECT DISTINCT start FROM \(table.name) WHERE span = \(span)"
      ) { $0.integer(at: 0) }
    }.filter { Period(span: span, start: $0).isSound }
  }

  /// The stored counts of the periods of one length, added up.
  private mutating func counts(_ span: Int64, from first: Int64, to end: Int64) throws -> Counts {
    var counts: Counts = [:]
    func add(_ count: Count, from table: CountTable, of release: Int64) {
      let key = Key(table: table, release: release, failure: count.id)
      if counts[key]?.add(count) == nil { counts[key] = count }
    }
    var damaged = 0
    for table in CountTable.allCases {
      do {
        try snapshot.connection.forEachPack(
          from: table, "span = ? AND start >= ? AND start < ?",
          [.integer(span), .integer(first), .integer(end)]
        ) { period, release, bytes in
          var decoder = CountDecoder(bytes, period)
          do {
            while let count = try decoder.next() { add(count, from: table, of: release) }
          } catch is UnreadableRow {
            damaged += 1
          }
        }
      } catch is UnreadableRow {
        // An impossible period. The packs after it are not read.
        damaged += 1
      }
    }
    damagedPacks += damaged
    return counts
  }
}

extension Count {
  /// Whether this may be the count of a superset of the other's errors.
  fileprivate func contains(_ part: Count) -> Bool {
    occurrences >= part.occurrences && digests >= part.digests
      && sharedDigests >= part.sharedDigests && first <= part.first && last >= part.last
  }
}
