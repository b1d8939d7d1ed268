/// Finds the digests that are older than they may be.
///
/// They are nearly always the first ones of the file. But a clock may have jumped, and an import
/// brings old digests late: the table of hours tells where else to look. What has been looked
/// through is remembered, so that nothing is gone through again and again.
final class Expiry {
  /// A part of what is to be deleted.
  struct Batch {
    /// Between which ids, and from before which moment; nil where there was nothing.
    let ids: ClosedRange<Int64>?
    let cutoff: Moment
  }

  /// One walk through all places where digests from before a moment may be.
  fileprivate struct Walk {
    let cutoff: Moment
    let foldedThrough: Int64
    /// The last first.
    var places: [ClosedRange<Int64>]
    var remaining: [Run] = []
    /// The id up to which it has come.
    var position: Int64 = -1
    /// Whether the last run may go on: nothing has been left out since.
    var isInRun = false
  }

  /// Digests that are not older than they may be, each as old as the one before it or younger.
  fileprivate struct Run {
    var ids: ClosedRange<Int64>
    var last: Moment
  }

  /// The most runs to remember: with a sound clock there is one.
  private static let maximumRuns = 1_000

  private let findFirst: Statement
  private let findFolded: Statement
  private let findPlaces: Statement
  private let readDigests: Statement

  private var walk: Walk?

  /// The last walk that has come to its end: of what it covered only ``runs`` are left.
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

  /// Looks for some more; part of a transaction.
  ///
  /// - Returns: nil when no folded digest from before the moment is left.
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

  /// Forgets how far it has come, when what was found has not been deleted after all.
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
      // All of an hour that was over by then has been deleted, up to where it was folded.
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

  /// Searches the beginning of a place.
  ///
  /// - Returns: between which ids something was found, and what is left of the place.
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
        // The rest of it is no older.
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
  /// Adds a digest to what remains.
  fileprivate mutating func add(_ id: Int64, _ moment: Moment) {
    if isInRun, let last = remaining.last, last.last <= moment {
      remaining[remaining.count - 1] = Expiry.Run(ids: last.ids.lowerBound...id, last: moment)
    } else {
      remaining.append(Expiry.Run(ids: id...id, last: moment))
      isInRun = true
    }
  }
}
