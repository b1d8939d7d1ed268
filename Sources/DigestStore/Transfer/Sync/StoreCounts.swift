/// The counts of a store, in one snapshot, that a receiver does not have yet.
package struct StoreCounts: Sendable {
  /// What the receiver already has.
  package struct Known: Sendable {
    /// The marks of the packs: see ``PackedCounts/mark``.
    package var marks: [PackedCounts.Key: Int64] = [:]

    /// The highest known numbers of failures and models.
    package var lastFailure: Int64 = 0
    package var lastModel: Int64 = 0

    /// The number of the last digest; 0 if none is known.
    package var lastDigest: Int64 = 0

    /// The first hour, in hours since 1970, whose counts are wanted. Before it, the receiver keeps
    /// only days.
    package var firstHour: Int64 = 0

    package init() {}
  }

  package struct NumberedFailure: Sendable {
    package let number: Int64
    package let model: Int64
    package let failure: Failure
    package let pathFormat: String
    package let message: String?
  }

  package struct Model: Sendable {
    package let number: Int64
    package let name: String
  }

  /// The identity of the store: 32 hexadecimal digits.
  package let identity: String

  /// The number of the last digest, and when it was recorded, in milliseconds since 1970; 0 if
  /// there is none or it was evicted.
  package let lastDigest: Int64
  package let lastRecordedAt: Int64

  /// When the latest counted error was recorded, in milliseconds since 1970; 0 if there is none.
  package let lastMoment: Int64

  /// When the digest ``Known/lastDigest`` was recorded, in milliseconds since 1970; nil if it was
  /// evicted.
  package let knownRecordedAt: Int64?

  /// The first hour with counts of hours, in hours since 1970. Before it, there are only days.
  package let firstHour: Int64

  /// The models and failures after the known ones, in the order of their numbers.
  package let models: [Model]
  package let failures: [NumberedFailure]

  /// The names of releases, by the numbers in the list of merged releases.
  package let releases: [Int64: String]

  /// The packs that differ from the known ones.
  package let packs: [PackedCounts]

  /// The packs of failures of all time, of all releases, also those that are known.
  package let allTime: [PackedCounts]

  /// The keys of all packs of days.
  package let days: Set<PackedCounts.Key>
  package let losses: [DigestStore.Loss]
}

extension DigestReader {
  /// The unique id of the store: 32 hexadecimal digits.
  package func identity() throws -> String {
    try read { try $0.text("SELECT identity FROM store") ?? "" }
  }

  /// Reads the models and failures after some numbers, in the order of their numbers.
  package func names(
    afterFailure failure: Int64, model: Int64
  ) throws -> (models: [StoreCounts.Model], failures: [StoreCounts.NumberedFailure]) {
    try read { (try $0.models(behind: model), try $0.failures(behind: failure)) }
  }

  /// Reads the counts that a receiver does not have yet.
  ///
  /// All of them are from one snapshot. The file is read once, usually in milliseconds, and then
  /// released. The result takes some 5 bytes of memory for each failure of each hour that has
  /// changed.
  ///
  /// When this returns, the data read is synced to disk, and survives a power cut. An app leaves
  /// that to its next checkpoint, unless it uses ``DigestStore/Durability/powerLoss``.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func counts(beyond known: StoreCounts.Known) throws -> StoreCounts {
    let counts = try readCounts(beyond: known)
    try WriteAheadLog.synchronize(ofStoreAt: path)
    return counts
  }

  /// Finds the last digest that the store has in common with a receiver.
  ///
  /// In a file restored from a copy, all digests before it are also those of the original, because
  /// a file uses a number once, in the order of writing.
  ///
  /// - Parameter known: digest numbers in ascending order, and when the digests were recorded, in
  ///   milliseconds since 1970.
  /// - Returns: the id of the digest; nil if there is none.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func lastDigest(
    among known: [(number: Int64, recordedAt: Int64)]
  ) throws -> String? {
    try snapshot { snapshot in
      var last: Int64?
      for digest in known {
        // Evicted, or not written yet.
        guard let recordedAt = try snapshot.recordedAt(digest.number) else { continue }
        guard recordedAt == digest.recordedAt else { break }
        last = digest.number
      }
      return try last.flatMap { try DigestIDLookup(snapshot.connection).id(of: $0) }
    }
  }

  private func readCounts(beyond known: StoreCounts.Known) throws -> StoreCounts {
    try snapshot { snapshot in
      let connection = snapshot.connection
      let last = try connection.integer("SELECT max(id) FROM digest")
      let all = try snapshot.packedCounts(since: known.firstHour)
      return StoreCounts(
        identity: try connection.text("SELECT identity FROM store") ?? "",
        lastDigest: max(last ?? 0, snapshot.foldedThrough),
        lastRecordedAt: try last.flatMap { try snapshot.recordedAt($0) } ?? 0,
        lastMoment: try all.lazy.filter { $0.key.span == 0 && $0.key.subject == .models }
          .flatMap { try $0.counts() }.map(\.last).max() ?? 0,
        knownRecordedAt: try snapshot.recordedAt(known.lastDigest),
        firstHour: snapshot.firstFineHour,
        models: try connection.models(behind: known.lastModel),
        failures: try connection.failures(behind: known.lastFailure),
        releases: try connection.releases(),
        packs: all.filter { known.marks[$0.key] != $0.mark },
        allTime: all.filter { $0.key.span == 0 && $0.key.subject == .failures },
        days: Set(all.lazy.map(\.key).filter { $0.span == 24 }),
        losses: try connection.losses(matching: DigestFilter())
      )
    }
  }
}

extension Snapshot {
  fileprivate func recordedAt(_ digest: Int64) throws -> Int64? {
    try Statement(connection, "SELECT recorded_at FROM digest WHERE id = ?")
      .firstRow([.integer(digest)]) { $0.integer(at: 0) }
  }

  /// The packs of all periods, complete, including unfolded digests.
  ///
  /// - Parameter hour: the first hour whose counts are included, in hours since 1970.
  fileprivate func packedCounts(since hour: Int64) throws -> [PackedCounts] {
    let releases = try connection.releases()
    let firstHour = max(hour, firstFineHour)
    var packs: [PackedCounts] = []
    for subject in PackedCounts.Subject.allCases {
      let all = try subject == .decodes ? decodePacks() : allPacks(from: subject.table)
      for (place, bytes) in all {
        let period = place.period
        guard period.span != 1 || period.start >= firstHour else { continue }
        let key = PackedCounts.Key(
          subject: subject, span: period.span, start: period.start,
          release: releases[place.release].map(BinaryString.init))
        packs.append(PackedCounts(key: key, bytes: bytes))
      }
    }
    return packs
  }

  /// A period of a release.
  private struct Place: Hashable {
    let period: Period
    let release: Int64
  }

  private func allPacks(from table: CountTable) throws -> [Place: [UInt8]] {
    var packs: [Place: [UInt8]] = [:]
    func add(_ bytes: [UInt8], to place: Place) throws {
      guard let other = packs[place] else {
        packs[place] = bytes
        return
      }
      packs[place] = try bytes.withUnsafeBytes { bytes in
        try other.withUnsafeBytes { try CountEncoder.sum($0, bytes, in: place.period) }
      }
    }
    try connection.forEachPack(from: table, "true", []) { period, release, bytes in
      try add(Array(bytes), to: Place(period: period, release: release))
    }
    var tail: [PeriodCount] = []
    try forEachUnfoldedDigest(from: table, in: TimeWindow(since: nil, until: nil).range, .all) {
      counts, release in
      for count in counts {
        tail.append(
          PeriodCount(release: release, start: Moment(milliseconds: count.first).hour, count: count)
        )
      }
    }
    for span in [Int64(1), 24, 0] {
      var rest = PeriodCount.sums(of: tail, span: span)[...]
      while let first = rest.first {
        let group = rest.prefix { $0.start == first.start && $0.release == first.release }
        rest = rest[group.endIndex...]
        let period = Period(span: span, start: first.start)
        try add(
          CountEncoder.bytes(of: group.lazy.map(\.count), in: period),
          to: Place(period: period, release: first.release))
      }
    }
    return packs
  }
}

extension Snapshot {
  private func decodePacks() throws -> [Place: [UInt8]] {
    var counts: [Place: [Count]] = [:]
    let query = DecodeQuery(hours: nil, releases: nil, isByRelease: true, isByHour: true)
    try source.forEachDecodeCount(query) { count in
      // The hour is -1 if the store no longer knows it.
      let spans: [Int64] = count.hour < 0 ? [0] : [1, 24, 0]
      for span in spans {
        let period = Period(span: span, start: span == 0 ? 0 : count.hour / span * span)
        guard period.isSound else { continue }
        counts[Place(period: period, release: count.release), default: []].append(
          Count(
            id: count.model, occurrences: count.decodes, digests: count.decodes, sharedDigests: 0,
            first: period.begin, last: period.begin))
      }
    }
    return counts.reduce(into: [:]) { packs, counts in
      packs[counts.key] = CountEncoder.bytes(of: counts.value.sums, in: counts.key.period)
    }
  }
}

extension Connection {
  fileprivate func releases() throws -> [Int64: String] {
    let rows = try rows("SELECT id, name FROM release WHERE name IS NOT NULL") {
      ($0.integer(at: 0), $0.text(at: 1) ?? "")
    }
    return Dictionary(rows) { first, _ in first }
  }

  fileprivate func models(behind number: Int64) throws -> [StoreCounts.Model] {
    try rows(
      "SELECT id, name FROM model WHERE id > :number ORDER BY id", [":number": .integer(number)]
    ) {
      StoreCounts.Model(number: $0.integer(at: 0), name: $0.text(at: 1) ?? "")
    }
  }

  fileprivate func failures(behind number: Int64) throws -> [StoreCounts.NumberedFailure] {
    try rows(
      """
      SELECT \(Failure.columns), f.id, f.model_id, f.path_format, f.message
      FROM failure AS f WHERE f.id > :number ORDER BY f.id
      """, [":number": .integer(number)]
    ) {
      let next = Failure.columnCount
      return StoreCounts.NumberedFailure(
        number: $0.integer(at: next),
        model: $0.integer(at: next + 1),
        failure: Failure($0),
        pathFormat: $0.text(at: next + 2) ?? "",
        message: $0.text(at: next + 3)
      )
    }
  }
}
