/// The counts of one period and release in one store, packed: what is sent as a whole when any of
/// them has changed.
package struct PackedCounts: Sendable {
  /// What is counted.
  package enum Table: Int64, Sendable {
    case failures = 0
    case models = 1
  }

  /// Which pack of a store it is.
  package struct Key: Hashable, Sendable {
    package let table: Table

    /// The length of the period in hours: 1 or 24, or 0 for all time; -1 for a list of the releases
    /// that the store counts together with others, each in the place of a failure.
    package let span: Int64

    /// Its first hour since 1970; 0 for all time.
    package let start: Int64

    /// The name of the release, where the digests have one.
    package let release: BinaryString?

    package init(table: Table, span: Int64, start: Int64, release: BinaryString?) {
      self.table = table
      self.span = span
      self.start = start
      self.release = release
    }
  }

  package let key: Key

  /// The counts, by numbers that mean something in the store only.
  package let bytes: [UInt8]

  package init(key: Key, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }

  /// Tells a pack from an earlier state of it: FNV-1a, 64 bits, for equality only.
  package var mark: Int64 {
    let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}

/// What was counted of one failure, or of one model, in one pack, or by how much that has grown.
package struct StoreCount: Sendable, Hashable {
  /// The number of the failure or the model in its store.
  package let number: Int64
  package let occurrences: Int64
  package let digests: Int64

  /// Those of the digests in which an earlier failure has the same novel value.
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
  /// Packs counts; those of the same number are added up.
  package init(key: Key, counts: [StoreCount]) {
    var cells: [Count] = []
    for count in counts.sorted(by: { $0.number < $1.number }) {
      if cells.last?.failure == count.number {
        cells[cells.count - 1].add(Count(count))
      } else {
        cells.append(Count(count))
      }
    }
    self.init(key: key, bytes: CountEncoder.bytes(of: cells, in: key.period))
  }

  /// All that it counts.
  ///
  /// - Throws: when it is damaged.
  package func counts() throws -> [StoreCount] {
    try cells(of: bytes).map { StoreCount($0) }
  }

  /// Hands over all that a pack counts, or what it counts of some numbers.
  ///
  /// - Parameter wanted: the numbers, in their order; nil for all.
  /// - Throws: when it is damaged; what `body` throws.
  package static func forEachCount(
    in bytes: UnsafeRawBufferPointer,
    of key: Key,
    among wanted: [Int64]? = nil,
    _ body: (StoreCount) throws -> Void
  ) throws {
    var cells = CountDecoder(bytes, key.period)
    guard let wanted else {
      while let cell = try cells.next() { try body(StoreCount(cell)) }
      return
    }
    var rest = wanted[...]
    while let cell = try cells.next(among: &rest) { try body(StoreCount(cell)) }
  }

  /// What it counts that an earlier state of it did not.
  ///
  /// - Returns: nil when something is less than it was: then the other one is no earlier state of it.
  /// - Throws: when one of them is damaged.
  package func growth(since earlier: [UInt8]) throws -> [StoreCount]? {
    var rest = try cells(of: earlier)[...]
    var growth: [StoreCount] = []
    for cell in try cells(of: bytes) {
      guard let old = rest.first, old.failure <= cell.failure else {
        growth.append(StoreCount(cell))
        continue
      }
      guard old.failure == cell.failure, old.occurrences <= cell.occurrences,
        old.digests <= cell.digests, old.sharedDigests <= cell.sharedDigests,
        cell.first <= old.first, old.last <= cell.last
      else { return nil }
      rest.removeFirst()
      guard old != cell else { continue }
      // What else is other would be of another digest.
      guard old.digests < cell.digests else { return nil }
      growth.append(StoreCount(cell, beyond: old))
    }
    return rest.isEmpty ? growth : nil
  }

  /// What it counts that an earlier state of it did not, where some of that may have been dropped since.
  ///
  /// What is no more than it was, within the moments that it had, is what is left. What is more, or of
  /// another time, has come since; where it is not more than it was it has begun anew.
  ///
  /// - Throws: when one of them is damaged.
  package func growth(sinceLossOf earlier: [UInt8]) throws -> [StoreCount] {
    let old = Dictionary(try cells(of: earlier).map { ($0.failure, $0) }) { first, _ in first }
    return try cells(of: bytes).compactMap { cell in
      guard let old = old[cell.failure] else { return StoreCount(cell) }
      if cell.first >= old.first, cell.last <= old.last, cell.digests <= old.digests { return nil }
      let isGrown =
        cell.first <= old.first && cell.last >= old.last && cell.digests > old.digests
        && cell.occurrences > old.occurrences && cell.sharedDigests >= old.sharedDigests
      return isGrown ? StoreCount(cell, beyond: old) : StoreCount(cell)
    }
  }

  /// The sum of this and another pack of the same period.
  ///
  /// - Throws: when one of them is damaged.
  package func adding(_ other: [UInt8]) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      try other.withUnsafeBytes { try CountEncoder.sum(bytes, $0, in: key.period) }
    }
  }

  private func cells(of bytes: [UInt8]) throws -> [Count] {
    try bytes.withUnsafeBytes { bytes in
      var decoder = CountDecoder(bytes, key.period)
      var cells: [Count] = []
      while let cell = try decoder.next() { cells.append(cell) }
      return cells
    }
  }
}

extension PackedCounts.Key {
  var period: Period { Period(span: span, start: start) }
}

extension StoreCount {
  /// The same, of another number.
  package func numbered(_ number: Int64) -> StoreCount {
    StoreCount(
      number: number, occurrences: occurrences, digests: digests, sharedDigests: sharedDigests,
      first: first, last: last)
  }

  fileprivate init(_ cell: Count) {
    self.init(cell, beyond: .none(of: cell.failure))
  }

  /// The moments are the first and the last of all together, but those of one new digest are its own,
  /// or where that is neither the first nor the last, any between them.
  fileprivate init(_ cell: Count, beyond old: Count) {
    number = cell.failure
    occurrences = cell.occurrences - old.occurrences
    digests = cell.digests - old.digests
    sharedDigests = cell.sharedDigests - old.sharedDigests
    let isEarlier = cell.first < old.first
    first = digests == 1 && !isEarlier ? cell.last : cell.first
    last = digests == 1 ? first : cell.last
  }
}

extension Count {
  init(_ count: StoreCount) {
    self.init(
      failure: count.number, occurrences: count.occurrences, digests: count.digests,
      sharedDigests: count.sharedDigests, first: count.first, last: count.last)
  }
}
