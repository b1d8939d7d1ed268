/// The releases of the first errors of some failures and novel values.
///
/// If the first errors of several releases were recorded in the same millisecond, the oldest release
/// is the first.
struct FirstReleases {
  private let names: ReleaseNames
  private var firsts: DenseMap<First?>
  private let failuresOfValue: [Int64: [Int64]]

  private struct First {
    let moment: Int64
    let release: Int64

    func precedes(_ other: First, _ names: ReleaseNames) -> Bool {
      moment == other.moment ? names.isOlder(release, other.release) : moment < other.moment
    }
  }

  /// Reads the releases of the given failures and novel values, and of no others.
  ///
  /// - Parameters:
  ///   - filter: the filter that the counts match.
  ///   - failures: the counts of the failures.
  ///   - values: the counts of the novel values, each with the id of its first failure.
  init(
    _ snapshot: Snapshot, _ filter: DigestFilter, ofFailures failures: [Count] = [],
    ofValues values: [Count] = []
  ) throws {
    var failuresOfValue = snapshot.values.failures(ofValues: values.map(\.id))
    // The failures of a value differ in kind and expected type, and filters know only kinds.
    if !values.isEmpty, !filter.kinds.isEmpty, let chosen = try snapshot.chosen(filter) {
      let chosen = Set(chosen)
      failuresOfValue = failuresOfValue.mapValues { $0.filter(chosen.contains) }
    }
    self.failuresOfValue = failuresOfValue
    let wanted = Set(failures.map(\.id) + failuresOfValue.values.joined()).sorted()
    let last = snapshot.values.last
    var firsts = DenseMap<First?>(nil, upTo: last, isSparse: Int64(wanted.count) < last / 4)
    let names = try ReleaseNames(snapshot.connection)
    let moments = (failures + values).map(\.first)
    if let earliest = moments.min(), let latest = moments.max() {
      let window = try snapshot.window(filter).narrowed(toDaysFrom: earliest, through: latest)
      do {
        try snapshot.forEachCount(in: window, of: snapshot.releases(filter), among: wanted) {
          count, release in
          let first = First(moment: count.first, release: release)
          firsts.update(count.id) { known in
            if known.map({ first.precedes($0, names) }) != false { known = first }
          }
        }
      } catch is UnreadableRow {
        // The counts themselves may be readable elsewhere, and `verify` reports this row.
        firsts = DenseMap(nil, isSparse: true)
      }
    }
    (self.names, self.firsts) = (names, firsts)
  }

  /// The name of the release of a failure's first error; nil if its digest has none.
  func release(ofFailure failure: Int64) -> String? {
    firsts[failure].flatMap { names[$0.release] }
  }

  /// The name of the release of a novel value's first error; nil if its digest has none.
  func release(ofValue value: Int64) -> String? {
    let firsts = (failuresOfValue[value] ?? []).compactMap { self.firsts[$0] }
    return firsts.min { $0.precedes($1, names) }.flatMap { names[$0.release] }
  }
}

/// The names of the releases in a file, and their order.
private struct ReleaseNames {
  private let names: [Int64: String]

  init(_ connection: Connection) throws {
    let releases = try connection.rows("SELECT id, name FROM release WHERE name IS NOT NULL") {
      ($0.integer(at: 0), $0.text(at: 1) ?? "")
    }
    names = Dictionary(releases) { first, _ in first }
  }

  /// The name of a release; nil for digests without one.
  subscript(release: Int64) -> String? { names[release] }

  /// Whether one release is older than another one, or as old and first by name.
  ///
  /// Unlike ``ReleaseOrder``, it does not depend on the order in which the file stored the names, so
  /// that a fleet has the same order. Merged releases come last, because their ages are unknown.
  func isOlder(_ release: Int64, _ other: Int64) -> Bool {
    let (name, otherName) = (names[release], names[other])
    let isMerged = name == Overflow.release
    guard isMerged == (otherName == Overflow.release) else { return !isMerged }
    let (age, otherAge) = (ReleaseOrder(name, id: 0), ReleaseOrder(otherName, id: 0))
    if age.isOlder(than: otherAge) { return true }
    if otherAge.isOlder(than: age) { return false }
    return String.byteOrder(name, otherName) < 0
  }
}

extension FailureValues {
  /// Returns the failures of some novel values. The id of a value is that of its first failure.
  func failures(ofValues values: [Int64]) -> [Int64: [Int64]] {
    var failures = Dictionary(values.map { ($0, [$0]) }) { first, _ in first }
    guard !failures.isEmpty else { return [:] }
    for (failure, value) in valueIDs {
      if let value { failures[value]?.append(failure) }
    }
    return failures
  }
}

extension TimeWindow {
  /// Returns the part of the window within the days of two moments; a window of all time unchanged,
  /// because its counts are not stored by day.
  fileprivate func narrowed(toDaysFrom first: Int64, through last: Int64) -> TimeWindow {
    guard since != nil || until != nil else { return self }
    let begin = Moment(milliseconds: first).inWholeDays(step: 0)
    let end = Moment(milliseconds: last).inWholeDays(step: 1)
    return TimeWindow(
      since: max(range.lowerBound, begin), until: until.map { min($0, end) } ?? end)
  }
}
