/// The packed counts of one period and release in one store. A push sends the whole pack when any
/// count in it has changed.
package struct PackedCounts: Sendable {
  /// The kind of rows that a pack counts.
  package enum Table: Int64, Sendable {
    case failures = 0
    case models = 1
  }

  /// Identifies a pack within its store.
  package struct Key: Hashable, Sendable {
    package let table: Table

    /// The length of the period in hours: 1 or 24, or 0 for all time. -1 marks a list of the
    /// releases that the store has merged, each with its id in place of a failure's.
    package let span: Int64

    /// The first hour of the period since 1970; 0 for all time.
    package let start: Int64

    /// The name of the release; nil for digests without one.
    package let release: BinaryString?

    package init(table: Table, span: Int64, start: Int64, release: BinaryString?) {
      self.table = table
      self.span = span
      self.start = start
      self.release = release
    }
  }

  package let key: Key

  /// The packed counts, with ids that are valid only in their store.
  package let bytes: [UInt8]

  package init(key: Key, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }

  /// A hash of the bytes (64-bit FNV-1a) that tells whether a pack has changed.
  package var mark: Int64 {
    let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}

/// The count of one failure or model in one pack, or the amount by which it has grown.
package struct StoreCount: Sendable, Hashable {
  /// The id of the failure or model in its store.
  package let number: Int64
  package let occurrences: Int64
  package let digests: Int64

  /// The number of digests that also contain an earlier failure with the same novel value.
  package let sharedDigests: Int64

  /// Milliseconds since 1970.
  package let first: Int64
  package let last: Int64

  package init(
    number: Int64, occurrences: Int64, digests: Int64, sharedDigests: Int64, first: Int64,
    last: Int64
  ) {
    self.number = number
    self.occurrences = occurrences
    self.digests = digests
    self.sharedDigests = sharedDigests
    self.first = first
    self.last = last
  }
}

extension PackedCounts {
  /// Packs counts. Adds up those with the same id.
  package init(key: Key, counts: [StoreCount]) {
    var sums: [Count] = []
    for count in counts.sorted(by: { $0.number < $1.number }) {
      if sums.last?.id == count.number {
        sums[sums.count - 1].add(Count(count))
      } else {
        sums.append(Count(count))
      }
    }
    self.init(key: key, bytes: CountEncoder.bytes(of: sums, in: key.period))
  }

  /// Returns all counts in the pack.
  ///
  /// - Throws: ``UnreadableRow`` when the pack is damaged.
  package func counts() throws -> [StoreCount] {
    try counts(of: bytes).map { StoreCount($0) }
  }

  /// Passes all counts in a pack, or only those with the given ids, to `body`.
  ///
  /// - Parameter wanted: the ids in ascending order; nil for all.
  /// - Throws: ``UnreadableRow`` when the pack is damaged, and any error of `body`.
  package static func forEachCount(
    in bytes: UnsafeRawBufferPointer,
    of key: Key,
    among wanted: [Int64]? = nil,
    _ body: (StoreCount) throws -> Void
  ) throws {
    var counts = CountDecoder(bytes, key.period)
    guard let wanted else {
      while let count = try counts.next() { try body(StoreCount(count)) }
      return
    }
    var rest = wanted[...]
    while let count = try counts.next(among: &rest) { try body(StoreCount(count)) }
  }

  /// Returns what was added since an earlier state of the pack.
  ///
  /// - Returns: nil when a count has shrunk: then `earlier` is not an earlier state of this pack.
  /// - Throws: ``UnreadableRow`` when one of them is damaged.
  package func growth(since earlier: [UInt8]) throws -> [StoreCount]? {
    var rest = try counts(of: earlier)[...]
    var growth: [StoreCount] = []
    for count in try counts(of: bytes) {
      guard let old = rest.first, old.id <= count.id else {
        growth.append(StoreCount(count))
        continue
      }
      guard old.id == count.id, old.occurrences <= count.occurrences,
        old.digests <= count.digests, old.sharedDigests <= count.sharedDigests,
        count.first <= old.first, old.last <= count.last
      else { return nil }
      rest.removeFirst()
      guard old != count else { continue }
      // No value can change unless another digest was counted.
      guard old.digests < count.digests else { return nil }
      growth.append(StoreCount(count, beyond: old))
    }
    return rest.isEmpty ? growth : nil
  }

  /// Returns what was added since an earlier state, some of whose counts may have been dropped
  /// since.
  ///
  /// A count within its old moments and with no more digests than before is left from the earlier
  /// state: nothing was added. A count that covers its old moments, with more digests and
  /// occurrences and no fewer shared digests, has grown: the difference was added. Any other count
  /// was dropped and started again: all of it was added.
  ///
  /// - Throws: ``UnreadableRow`` when one of them is damaged.
  package func growth(sinceLossOf earlier: [UInt8]) throws -> [StoreCount] {
    let old = Dictionary(try counts(of: earlier).map { ($0.id, $0) }) { first, _ in first }
    return try counts(of: bytes).compactMap { count in
      guard let old = old[count.id] else { return StoreCount(count) }
      if count.first >= old.first, count.last <= old.last, count.digests <= old.digests {
        return nil
      }
      let isGrown =
        count.first <= old.first && count.last >= old.last && count.digests > old.digests
        && count.occurrences > old.occurrences && count.sharedDigests >= old.sharedDigests
      return isGrown ? StoreCount(count, beyond: old) : StoreCount(count)
    }
  }

  /// Returns the sum of this pack and another one of the same period.
  ///
  /// - Throws: ``UnreadableRow`` when one of them is damaged.
  package func adding(_ other: [UInt8]) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      try other.withUnsafeBytes { try CountEncoder.sum(bytes, $0, in: key.period) }
    }
  }

  private func counts(of bytes: [UInt8]) throws -> [Count] {
    try bytes.withUnsafeBytes { bytes in
      var decoder = CountDecoder(bytes, key.period)
      var counts: [Count] = []
      while let count = try decoder.next() { counts.append(count) }
      return counts
    }
  }
}

extension PackedCounts.Key {
  var period: Period { Period(span: span, start: start) }
}

extension StoreCount {
  /// Returns the same count with another id.
  package func numbered(_ number: Int64) -> StoreCount {
    StoreCount(
      number: number, occurrences: occurrences, digests: digests, sharedDigests: sharedDigests,
      first: first, last: last)
  }

  fileprivate init(_ count: Count) {
    self.init(count, beyond: .none(of: count.id))
  }

  /// The moments are those of the whole count. For a single new digest both are its own moment, or
  /// the count's last moment if the new digest is neither the first nor the last.
  fileprivate init(_ count: Count, beyond old: Count) {
    number = count.id
    occurrences = count.occurrences - old.occurrences
    digests = count.digests - old.digests
    sharedDigests = count.sharedDigests - old.sharedDigests
    let isEarlier = count.first < old.first
    first = digests == 1 && !isEarlier ? count.last : count.first
    last = digests == 1 ? first : count.last
  }
}

extension Count {
  init(_ count: StoreCount) {
    self.init(
      id: count.number, occurrences: count.occurrences, digests: count.digests,
      sharedDigests: count.sharedDigests, first: count.first, last: count.last)
  }
}
