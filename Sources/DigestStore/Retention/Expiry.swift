/// Finds expired digests.
///
/// They are nearly always the first ones in the file. But a clock may have jumped, and an import
/// adds old digests late; the table `hour` tells where else to search. The class remembers the ids
/// it has searched, so that it does not search them again.
final class Expiry {
  /// A batch of digests to delete.
  struct Batch {
    /// The range of ids, and the time before which its digests have expired. The range is nil if
    /// the search found none yet.
    let ids: ClosedRange<Int64>?
    let cutoff: Moment
  }

  /// One search through all id ranges that may contain digests from before a cutoff.
  fileprivate struct Walk {
    let cutoff: Moment
    let foldedThrough: Int64
    /// The ranges left to search, last one first.
    var places: [ClosedRange<Int64>]
    var remaining: [Run] = []
    /// The last id that was searched.
    var position: Int64 = -1
    /// Whether the next digest may extend the last run: no digest was skipped since.
    var isInRun = false
  }

  /// A range of digests that have not expired, none older than the one before it.
  fileprivate struct Run {
    var ids: ClosedRange<Int64>
    var last: Moment
  }

  /// The largest number of runs to remember. If the clock never jumps, there is one.
  private static let maximumRuns = 1_000

  private let findFirst: Statement
  private let findFolded: Statement
  private let findPlaces: Statement
  private let readDigests: Statement

  private var walk: Walk?

  /// The last complete search. The digests that it left are in ``runs``, unless there are too many
  /// runs to remember.
  private(set) var done: (cutoff: Moment, foldedThrough: Int64)?
  private var runs: [Run] = []

  init(_ connection: Connection) throws {
    findFirst = try Statement(connection, "SELECT min(id) FROM digest")
    findFolded = try Statement(connection, "SELECT folded_through FROM store")
    findPlaces = try Statement(
      connection,
      """
      SELECT hour, first_digest_id, last_digest_id FROM hour
      WHERE hour <= ?1 AND last_digest_id >= ?2
      """
    )
    readDigests = try Statement(
      connection,
      """
      SELECT id, recorded_at, iif(recorded_at < ?3, length(CAST(entries AS BLOB)), 0)
      FROM digest
      WHERE id BETWEEN ?1 AND ?2
      ORDER BY id LIMIT \(Evictor.maximumScanned)
      """
    )
  }

  /// Continues the search. Runs in a transaction of the caller.
  ///
  /// - Returns: nil if no folded digest from before the cutoff is left.
  func next(before cutoff: Moment) throws -> Batch? {
    if walk == nil { try begin(before: cutoff) }
    var scanned = 0
    while var walk, scanned < Evictor.maximumScanned {
      guard let place = walk.places.popLast() else {
        done = (walk.cutoff, walk.foldedThrough)
        runs = walk.remaining.count <= Self.maximumRuns ? walk.remaining : []
        self.walk = nil
        return nil
      }
      let result = try search(place, &walk)
      if let rest = result.rest { walk.places.append(rest) }
      self.walk = walk
      if let found = result.found { return Batch(ids: found, cutoff: walk.cutoff) }
      scanned += result.scanned
    }
    return walk.map { Batch(ids: nil, cutoff: $0.cutoff) }
  }

  /// Resets the search, if the found digests were not deleted after all.
  func forget() {
    walk = nil
    done = nil
    runs = []
  }

  private func begin(before cutoff: Moment) throws {
    let folded = try findFolded.firstRow { $0.integer(at: 0) } ?? 0
    guard let first = try findFirst.firstRow([], { $0.optionalInteger(at: 0) }) ?? nil else {
      done = (cutoff, folded)
      runs = []
      return
    }
    var places: [ClosedRange<Int64>] = []
    try findPlaces.bind([.integer(cutoff.hour), .integer(first)])
    while try findPlaces.step() {
      var lower = max(first, findPlaces.integer(at: 1))
      let upper = min(findPlaces.integer(at: 2), folded)
      // The last search deleted all digests of an hour that had ended before its cutoff, up to the
      // last folded one.
      if let done, findPlaces.integer(at: 0) < done.cutoff.hour {
        lower = max(lower, done.foldedThrough + 1)
      }
      if lower <= upper { places.append(lower...upper) }
    }
    places.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<Int64>] = []
    for place in places {
      if let last = merged.last, place.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, place.upperBound)
      } else {
        merged.append(place)
      }
    }
    walk = Walk(cutoff: cutoff, foldedThrough: folded, places: merged.reversed())
  }

  /// Searches the beginning of an id range.
  ///
  /// - Returns: the range of ids with expired digests, the rest of the range, and the number of
  ///   digests read.
  private func search(
    _ place: ClosedRange<Int64>, _ walk: inout Walk
  ) throws -> (found: ClosedRange<Int64>?, rest: ClosedRange<Int64>?, scanned: Int) {
    var found: ClosedRange<Int64>?
    var count = 0
    var length = 0
    var scanned = 0
    try readDigests.bind([
      .integer(place.lowerBound), .integer(place.upperBound), .integer(walk.cutoff.milliseconds),
    ])
    defer { readDigests.reset() }
    var last = place.lowerBound - 1
    if walk.position != last { walk.isInRun = false }
    while try readDigests.step() {
      last = readDigests.integer(at: 0)
      scanned += 1
      let moment = Moment(milliseconds: readDigests.integer(at: 1))
      if moment < walk.cutoff {
        found = (found?.lowerBound ?? last)...last
        count += 1
        length += Int(readDigests.integer(at: 2))
        if count >= Evictor.maximumDigests || length >= Evictor.maximumLength { break }
      } else if let run = runs.first(where: { $0.ids.contains(last) }) {
        // No later digest of the run is older.
        walk.remaining.append(Run(ids: last...run.ids.upperBound, last: run.last))
        last = min(run.ids.upperBound, place.upperBound)
        walk.isInRun = last == run.ids.upperBound
        walk.position = last
        return (found, last < place.upperBound ? last + 1...place.upperBound : nil, scanned)
      } else {
        walk.add(last, moment)
      }
    }
    let isAtEnd =
      scanned < Evictor.maximumScanned && count < Evictor.maximumDigests
      && length < Evictor.maximumLength
    if isAtEnd { last = place.upperBound }
    walk.position = last
    return (found, last >= place.upperBound ? nil : last + 1...place.upperBound, scanned)
  }
}

extension Expiry.Walk {
  /// Adds a digest that has not expired.
  fileprivate mutating func add(_ id: Int64, _ moment: Moment) {
    if isInRun, let last = remaining.last, last.last <= moment {
      remaining[remaining.count - 1] = Expiry.Run(ids: last.ids.lowerBound...id, last: moment)
    } else {
      remaining.append(Expiry.Run(ids: id...id, last: moment))
      isInRun = true
    }
  }
}
