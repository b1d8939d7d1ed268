/// Counts every digest again and holds the tallies against that: hours against digests, days and
/// all time against hours.
///
/// Goes through the digests once, in the order of their ids, and forgets an hour when the last of
/// its digests has been counted. Only where the clock jumped so much that too many hours are open
/// at a time are the later ones left for another walk.
struct CountVerifier {
  /// How many cells are in memory at a time.
  private static let maximumCells = 200_000

  /// How many digests are counted between two reports of progress.
  private static let stride: Int64 = 4_096

  private struct Key: Hashable {
    var table = CountTable.failures
    let release: Int64
    let failure: Int64
  }

  private typealias Cells = [Key: Count]

  private let snapshot: Snapshot

  private let hours: [Int64: ClosedRange<Int64>]

  private let progress: ((DigestStore.Progress) -> Void)?
  private let ids: ClosedRange<Int64>?

  /// What the digests of the hours that are being counted have come to.
  private var open: [Int64: Cells] = [:]
  private var openCells = 0
  private var compared: Set<Int64> = []
  private var unlocated: Set<Int64> = []

  /// How many digests and occurrences there are, folded or not.
  private(set) var digests = 0
  private(set) var occurrences: Int64 = 0

  private var different = 0
  private var missing = 0
  private var unknown = 0
  private var damagedDigests = 0
  private var damagedPacks = 0

  /// - Parameter progress: called with the position of the recount, which reads a part of the file
  ///   again where there are too many cells to keep.
  init(_ snapshot: Snapshot, _ progress: ((DigestStore.Progress) -> Void)? = nil) throws {
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

  /// Counts and compares all that there is.
  ///
  /// - Returns: what is wrong, a sentence each.
  mutating func problems() throws -> [String] {
    progress?(.init(unit: .digests, done: 0, total: ids?.count))
    try compareHours()
    try compareDays()
    let problems = [
      (different, "tallies differ from a recount"),
      (missing, "recounted tallies are missing"),
      (damagedPacks, "packed tallies cannot be read"),
      (damagedDigests, "digests cannot be read"),
      (unknown, "entries are of no known failure"),
      (unlocated.count, "hours do not know where their digests are"),
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
      // What has no place is anywhere.
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
  ///   - first: the id before which none of them is.
  ///   - firstHour: the first of the hours.
  /// - Returns: the hour at which the next walk begins; nil when they have all been counted.
  private mutating func count(from first: Int64, hours firstHour: Int64) throws -> Int64? {
    let statement = try Statement(
      snapshot.connection,
      "SELECT \(DigestCounts.columns), id, recorded_at FROM digest WHERE id >= ? ORDER BY id"
    )
    try statement.bind(first, at: 1)
    let isFirstWalk = firstHour == .min
    var counts = DigestCounts()
    var endHour: Int64?
    // The id behind which an hour that is being counted has no more digests.
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
        if !isSound || !Self.isReadable(statement) { damagedDigests += 1 }
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
      for cell in counts.cells { add(cell, from: .failures, of: release, to: hour) }
      if let model = counts.model {
        add(model, from: .models, of: release, to: hour)
      }
      while openCells > Self.maximumCells, let last = open.keys.max(), open.count > 1 {
        endHour = last
        openCells -= open.removeValue(forKey: last)?.count ?? 0
      }
    }
    _ = try close(before: .max)
    return endHour
  }

  /// Whether an export can read what went wrong in a digest.
  private static func isReadable(_ row: borrowing Statement) -> Bool {
    Moment.earliest...Moment.latest ~= row.moment(at: 6)
      && row.withBytes(at: 2) { EntryReader.isReadable($0, isCounted: false) }
      && row.withBytes(at: 3) { EntryReader.isReadable($0, isCounted: true) }
  }

  private mutating func add(
    _ cell: Count, from table: CountTable, of release: Int64, to hour: Int64
  ) {
    let key = Key(table: table, release: release, failure: cell.failure)
    if open[hour, default: [:]][key]?.add(cell) == nil {
      open[hour]?[key] = cell
      openCells += 1
    }
  }

  /// Compares the hours all of whose digests are before an id, and forgets them.
  ///
  /// - Returns: the last id of the hour that is complete next.
  private mutating func close(before id: Int64) throws -> Int64 {
    var next = Int64.max
    for (hour, cells) in open {
      let last = unlocated.contains(hour) ? .max : hours[hour]?.upperBound ?? .max
      if last < id || id == .max {
        try compare(hour, cells)
        open[hour] = nil
        openCells -= cells.count
      } else {
        next = min(next, last)
      }
    }
    return next
  }

  private mutating func compare(_ hour: Int64, _ recounted: Cells) throws {
    compared.insert(hour)
    // Where digests are gone the tallies know more; where the tallies are gone only days are left.
    let isEvicted = hours[hour].map { $0.lowerBound <= snapshot.evictedThrough } ?? false
    let isCoarse = hour < snapshot.firstFineHour
    let stored = try cells(1, from: hour, to: hour + 1)
    if isCoarse, stored.isEmpty { return }
    compare(stored, recounted, isPartial: isEvicted)
  }

  private mutating func compareDays() throws {
    let days = Set(try periods(1).map { $0 / 24 * 24 } + periods(24)).sorted()
    var sums: Cells = [:]
    for day in days {
      let stored = try cells(24, from: day, to: day + 1)
      let isCoarse = day < snapshot.firstFineHour
      let counted = isCoarse ? stored : try cells(1, from: day, to: day + 24)
      compare(stored, counted, isPartial: false)
      for (key, cell) in counted where sums[key]?.add(cell) == nil { sums[key] = cell }
    }
    let hasLostDays = try snapshot.connection.integer(
      "SELECT EXISTS (SELECT 1 FROM loss WHERE reason = '\(PendingLosses.Reason.undated.rawValue)')"
    )
    let allTime = try cells(0, from: 0, to: 1)
    compare(allTime, sums, isPartial: hasLostDays == 1)
    // Which releases were merged is a pack too, with which nothing can be compared.
    _ = try cells(Period.merged, from: 0, to: 1)
    var lifetime: Cells = [:]
    do {
      try snapshot.forEachLifetime { cell, _ in
        lifetime[Key(release: 0, failure: cell.failure)] = cell
      }
    } catch is UnreadableRow {
      damagedPacks += 1
      return
    }
    let totals = allTime.reduce(into: Cells()) { totals, tally in
      guard tally.key.table == .failures else { return }
      let key = Key(release: 0, failure: tally.key.failure)
      if totals[key]?.add(tally.value) == nil { totals[key] = tally.value }
    }
    compare(lifetime, totals, isPartial: false)
  }

  /// - Parameter isPartial: whether more may have been counted than can be recounted.
  private mutating func compare(_ stored: Cells, _ recounted: Cells, isPartial: Bool) {
    for (key, cell) in stored where recounted[key] != cell {
      if !isPartial || recounted[key].map(cell.contains) == false { different += 1 }
    }
    for (key, cell) in recounted where stored[key] != cell {
      if !isPartial || stored[key]?.contains(cell) != true { missing += 1 }
    }
  }

  /// The periods of a length that have tallies.
  private func periods(_ span: Int64) throws -> [Int64] {
    // What is no period is told by its numbers.
    return try CountTable.allCases.flatMap { table in
      try snapshot.connection.rows(
        "SELECT DISTINCT start FROM \(table.rawValue) WHERE span = \(span)"
      ) { $0.integer(at: 0) }
    }.filter { Period(span: span, start: $0).isSound }
  }

  /// The tallies of periods of a length, added up.
  private mutating func cells(_ span: Int64, from first: Int64, to end: Int64) throws -> Cells {
    var cells: Cells = [:]
    func add(_ cell: Count, from table: CountTable, of release: Int64) {
      let key = Key(table: table, release: release, failure: cell.failure)
      if cells[key]?.add(cell) == nil { cells[key] = cell }
    }
    var damaged = 0
    for table in CountTable.allCases {
      do {
        try snapshot.forEachPack(
          from: table, "span = ? AND start >= ? AND start < ?",
          [.integer(span), .integer(first), .integer(end)]
        ) { period, release, bytes in
          var decoder = CountDecoder(bytes, period)
          do {
            while let cell = try decoder.next() { add(cell, from: table, of: release) }
          } catch is UnreadableRow {
            damaged += 1
          }
        }
      } catch is UnreadableRow {
        // No period of a store: what is behind it is not read.
        damaged += 1
      }
    }
    damagedPacks += damaged
    return cells
  }
}

extension Count {
  /// Whether this may have been counted of more than the other.
  fileprivate func contains(_ part: Count) -> Bool {
    occurrences >= part.occurrences && digests >= part.digests
      && sharedDigests >= part.sharedDigests && first <= part.first && last >= part.last
  }
}
