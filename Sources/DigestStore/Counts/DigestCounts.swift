/// Counts the failures of one digest after the other, in memory that it uses again.
struct DigestCounts {
  private struct Hit {
    /// The failure, and in the lowest bits what is left out: in the order of failures.
    let key: Int64
    let count: Int64

    init(_ failure: Int64, _ count: Int64, _ leftOut: EntryScanner.LeftOut) {
      key = failure << 2 | Int64(leftOut.rawValue)
      self.count = count
    }

    var failure: Int64 { key >> 2 }
    var leftOut: EntryScanner.LeftOut { .init(rawValue: UInt8(key & 3)) }
  }

  private var hits: [Hit] = []

  /// The failures of the digest that was read last, each once, in the order of their numbers.
  private(set) var cells: [Count] = []

  /// Its model, with the errors of all its cells; nil where it has none.
  private(set) var model: Count?

  /// Reads a row that begins with the columns of ``columns``.
  ///
  /// What is of no known failure is left out.
  ///
  /// - Returns: false for a digest that is damaged; then it has no cells.
  mutating func read(_ row: borrowing Statement, _ values: FailureValues) -> Bool {
    hits.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    model = nil
    let isSound =
      row.withBytes(at: 2) { scan($0, isCounted: false) }
      && row.withBytes(at: 3) { $0.isEmpty || scan($0, isCounted: true) }
    guard isSound else { return false }
    if hits.count > 1 { hits.sort { $0.key < $1.key } }
    let moment = row.integer(at: 0)
    for hit in hits where values.contains(hit.failure) {
      let (failure, count) = (hit.failure, hit.count)
      if cells.last?.failure == failure {
        let last = cells.count - 1
        cells[last].occurrences = cells[last].occurrences.adding(count: count)
      } else {
        cells.append(
          Count(
            failure: failure, occurrences: count, digests: 1, sharedDigests: 0, first: moment,
            last: moment))
      }
    }
    if cells.count > 1, !values.notFirst.isEmpty { markShared(values) }
    if var sum = cells.first {
      sum.occurrences = cells.sum(of: \.occurrences)
      sum.failure = row.integer(at: 4)
      sum.sharedDigests = 0
      model = sum
    }
    return true
  }

  /// What is counted of the digest that was read last.
  func cells(of table: CountTable) -> [Count] {
    switch table {
    case .failures: cells
    case .models: model.map { [$0] } ?? []
    }
  }

  /// How many errors the digest that was read last has, those of no known failure too.
  var occurrences: Int64 { hits.sum(of: \.count) }

  /// Hands over the failures to which the digest that was read last leaves something, and what.
  func forEachLeftOut(_ body: (_ failure: Int64, _ leftOut: EntryScanner.LeftOut) -> Void) {
    for hit in hits where !hit.leftOut.isEmpty { body(hit.failure, hit.leftOut) }
  }

  /// How many of its entries and omissions are of no known failure.
  func unknown(_ values: FailureValues) -> Int {
    hits.count { !values.contains($0.failure) }
  }

  /// Says which cells have the novel value of an earlier one.
  private mutating func markShared(_ values: FailureValues) {
    // The first failure of a value has no earlier one.
    let mayShare = cells.contains {
      if case _?? = values.notFirst[$0.failure] { true } else { false }
    }
    guard mayShare else { return }
    var seen: Set<Int64> = []
    for index in cells.indices {
      let failure = cells[index].failure
      guard let value = values.notFirst[failure] ?? failure else { continue }
      if !seen.insert(value).inserted { cells[index].sharedDigests = 1 }
    }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer, isCounted: Bool) -> Bool {
    var scanner = EntryScanner(bytes)
    return scanner.scan(isCounted: isCounted) { hits.append(Hit($0, $1, $2)) }
  }
}

extension DigestCounts {
  /// The columns of `digest` that are read: a moment, no further than any clock can say, a release,
  /// what went wrong, and a model.
  static let columns = "\(moment), release_id, entries, omissions, model_id"

  /// The moment of a digest, in SQL.
  static let moment = """
    max(\(Moment.earliest.milliseconds), min(recorded_at, \(Moment.latest.milliseconds)))
    """
}
