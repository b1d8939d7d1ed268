/// The packed counts of one period and release in one store. A push sends the whole pack when any
/// count in it has changed.
package struct PackedCounts: Sendable {
  /// What is counted.
  package enum Subject: Int64, CaseIterable, Sendable {
    case failures = 0
    case models = 1

    /// Clean decodes of models, as their digests and occurrences, at the beginning of the period.
    case decodes = 2

    /// The table that defines the ids.
    package var table: CountTable { self == .failures ? .failures : .models }
  }

  /// Identifies a pack within its store.
  package struct Key: Hashable, Sendable {
    package let subject: Subject

    /// The length of the period in hours: 1 or 24, or 0 for all time. -1 marks a list of the
    /// releases that the store has merged, each with its id in place of a failure's.
    package let span: Int64

    /// The first hour of the period since 1970; 0 for all time.
    package let start: Int64

    /// The name of the release; nil for digests without one.
    package let release: BinaryString?

    package init(subject: Subject, span: Int64, start: Int64, release: BinaryString?) {
      self.subject = subject
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

extension PackedCounts {
  /// Packs counts. Adds up those with the same id.
  package init(key: Key, counts: [Count]) {
    self.init(key: key, bytes: CountEncoder.bytes(of: counts.sums, in: key.period))
  }

  /// Returns all counts in the pack.
  ///
  /// - Throws: ``UnreadableRow`` when the pack is damaged.
  package func counts() throws -> [Count] {
    try counts(of: bytes).map(\.whole)
  }

  /// Passes all counts in a pack, or only those with the given ids, to `body`.
  ///
  /// - Parameter wanted: the ids in ascending order; nil for all.
  /// - Throws: ``UnreadableRow`` when the pack is damaged, and any error of `body`.
  package static func forEachCount(
    in bytes: UnsafeRawBufferPointer,
    of key: Key,
    among wanted: [Int64]? = nil,
    _ body: (Count) throws -> Void
  ) throws {
    var counts = CountDecoder(bytes, key.period)
    guard let wanted else {
      while let count = try counts.next() { try body(count) }
      return
    }
    var rest = wanted[...]
    while let count = try counts.next(among: &rest) { try body(count) }
  }

  /// Returns what was added since an earlier state of the pack.
  ///
  /// - Returns: nil when a count has shrunk: then `earlier` is not an earlier state of this pack.
  /// - Throws: ``UnreadableRow`` when one of them is damaged.
  package func growth(since earlier: [UInt8]) throws -> [Count]? {
    var rest = try counts(of: earlier)[...]
    var growth: [Count] = []
    for count in try counts(of: bytes) {
      guard let old = rest.first, old.id <= count.id else {
        growth.append(count.whole)
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
      growth.append(count.growth(since: old))
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
  package func growth(sinceLossOf earlier: [UInt8]) throws -> [Count] {
    let old = Dictionary(try counts(of: earlier).map { ($0.id, $0) }) { first, _ in first }
    return try counts(of: bytes).compactMap { count in
      guard let old = old[count.id] else { return count.whole }
      if count.first >= old.first, count.last <= old.last, count.digests <= old.digests {
        return nil
      }
      let isGrown =
        count.first <= old.first && count.last >= old.last && count.digests > old.digests
        && count.occurrences > old.occurrences && count.sharedDigests >= old.sharedDigests
      return isGrown ? count.growth(since: old) : count.whole
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

extension [Count] {
  /// The counts in the order of their ids. Those with the same id are added up.
  var sums: [Count] {
    var sums: [Count] = []
    for count in sorted(by: { $0.id < $1.id }) {
      if sums.last?.id == count.id {
        sums[sums.count - 1].add(count)
      } else {
        sums.append(count)
      }
    }
    return sums
  }
}

extension PackedCounts.Key {
  var period: Period { Period(span: span, start: start) }
}

extension Count {
  /// The growth from nothing.
  fileprivate var whole: Count { growth(since: .none(of: id)) }

  /// Returns what was added since an earlier count.
  ///
  /// The moments are those of the whole count. For a single new digest both are its own moment, or
  /// the count's last moment if the new digest is neither the first nor the last.
  fileprivate func growth(since old: Count) -> Count {
    var growth = self
    growth.occurrences -= old.occurrences
    growth.digests -= old.digests
    growth.sharedDigests -= old.sharedDigests
    if growth.digests == 1 {
      if first >= old.first { growth.first = last }
      growth.last = growth.first
    }
    return growth
  }
}
