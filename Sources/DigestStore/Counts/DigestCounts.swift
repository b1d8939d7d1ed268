/// Counts the failures of digests, one digest at a time, and reuses its memory.
struct DigestCounts {
  private struct Hit {
    /// The failure's id, with the omitted fields in the lowest two bits. Sorts by failure.
    let key: Int64
    let count: Int64

    init(_ failure: Int64, _ count: Int64, _ omitted: EntryReader.OmittedFields) {
      key = failure << 2 | Int64(omitted.rawValue)
      self.count = count
    }

    var failure: Int64 { key >> 2 }
    var omitted: EntryReader.OmittedFields { .init(rawValue: UInt8(key & 3)) }
  }

  private var hits: [Hit] = []

  /// The counts of the last digest read: one for each failure, sorted by id.
  private(set) var failures: [Count] = []

  /// The count of the digest's model, with the errors of all failures; nil if there are none.
  private(set) var model: Count?

  /// Reads a row that begins with the columns of ``columns``. Ignores unknown failures.
  ///
  /// - Returns: false if the digest is damaged; then it has no counts.
  mutating func read(_ row: borrowing Statement, _ values: FailureValues) -> Bool {
    hits.removeAll(keepingCapacity: true)
    failures.removeAll(keepingCapacity: true)
    model = nil
    do {
      try row.withBytes(at: 2) { entries in
        try row.withBytes(at: 3) { omissions in
          var reader = EntryReader(entries: entries, omissions: omissions)
          while try reader.next() {
            hits.append(Hit(reader.failure, reader.count, reader.omittedFields))
          }
        }
      }
    } catch {
      hits.removeAll(keepingCapacity: true)
      return false
    }
    if hits.count > 1 { hits.sort { $0.key < $1.key } }
    let moment = row.integer(at: 0)
    for hit in hits where values.contains(hit.failure) {
      let (failure, count) = (hit.failure, hit.count)
      if failures.last?.id == failure {
        let last = failures.count - 1
        failures[last].occurrences = failures[last].occurrences.adding(count: count)
      } else {
        failures.append(
          Count(
            id: failure, occurrences: count, digests: 1, sharedDigests: 0, first: moment,
            last: moment))
      }
    }
    if failures.count > 1, !values.valueIDs.isEmpty { markShared(values) }
    if var sum = failures.first {
      sum.occurrences = failures.sum(of: \.occurrences)
      sum.id = row.integer(at: 4)
      sum.sharedDigests = 0
      model = sum
    }
    return true
  }

  /// Returns the counts of the last digest read for one table.
  func counts(of table: CountTable) -> [Count] {
    switch table {
    case .failures: failures
    case .models: model.map { [$0] } ?? []
    }
  }

  /// The number of errors in the last digest read, including those of unknown failures.
  var occurrences: Int64 { hits.sum(of: \.count) }

  /// Passes each failure for which the last digest read omits fields, and the omitted fields.
  func forEachOmittedField(
    _ body: (_ failure: Int64, _ omitted: EntryReader.OmittedFields) -> Void
  ) {
    for hit in hits where !hit.omitted.isEmpty { body(hit.failure, hit.omitted) }
  }

  /// Returns the number of entries and omissions of unknown failures.
  func unknown(_ values: FailureValues) -> Int {
    hits.count { !values.contains($0.failure) }
  }

  /// Marks the counts whose novel value an earlier count has too.
  private mutating func markShared(_ values: FailureValues) {
    // A digest can be shared only if one of its failures is not the first with its value.
    let mayShare = failures.contains {
      if case _?? = values.valueIDs[$0.id] { true } else { false }
    }
    guard mayShare else { return }
    var seen: Set<Int64> = []
    for index in failures.indices {
      let failure = failures[index].id
      guard let value = values.valueID(of: failure) else { continue }
      if !seen.insert(value).inserted { failures[index].sharedDigests = 1 }
    }
  }
}

extension DigestCounts {
  /// The columns of `digest` to read: the moment, limited to the supported range, the release, the
  /// entries, the omissions and the model.
  static let columns = "\(moment), release_id, entries, omissions, model_id"

  /// The moment of a digest as an SQL expression, limited to the supported range.
  static let moment = """
    max(\(Moment.earliest.milliseconds), min(recorded_at, \(Moment.latest.milliseconds)))
    """
}
