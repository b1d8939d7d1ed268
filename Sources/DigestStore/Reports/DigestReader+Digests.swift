public import ResilientPlatform

extension DigestStore {
  /// A short description of one digest.
  public struct DigestSummary: Sendable, Hashable, Codable, Identifiable {
    /// The id of the digest, the same in every store and export.
    public let id: String
    /// When it was recorded, to the millisecond.
    public let recordedAt: Date
    /// The version of the app that decoded, if given.
    public let release: String?
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The number of errors, including those that were only counted.
    public let errors: Int
    /// The number of errors about a novel value.
    public let novelValues: Int
    /// The number of distinct paths with errors, by the patterns of their coding paths.
    public let paths: Int
    /// The number of distinct pairs of path and novel value.
    public let places: Int
    /// The first of these pairs, at most three.
    public let firstPlaces: [Place]

    /// The place of an error, and its novel value.
    public struct Place: Sendable, Hashable, Codable {
      /// The pattern of the coding path.
      public let codingPath: String
      /// The unknown raw value, if the error is about a novel value.
      public let novelValue: String?
    }

    /// The short form of the id, for a person to type. For a digest recorded by a store, it is the
    /// first eight digits of the store's identity and the digest's number there.
    ///
    /// ``DigestReader/digestIDs(abbreviatedAs:limit:)`` finds the whole id.
    package var shortID: String {
      let parts = id.split(separator: "-")
      return parts.count == 3 && DigestID(id).recordedAt != nil
        ? "\(parts[0].prefix(8))-\(parts[1])" : id
    }
  }
}

extension DigestStore {
  /// One digest with all its errors.
  public struct RecordedDigest: Sendable, Hashable, Codable, Identifiable {
    /// The id of the digest, the same in every store and export.
    public let id: String
    /// When it was recorded, to the millisecond.
    public let recordedAt: Date
    /// The version of the app that decoded, if given.
    public let release: String?
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The errors in the order in which they occurred.
    public let entries: [Occurrence]
    /// Errors that were only counted, because the digest was full: one of each failure, with a pattern as
    /// its path and their number as ``Occurrence/times``.
    public let omissions: [Occurrence]

    /// The number of errors, including those that were only counted.
    public var errorCount: Int { entries.count.adding(count: omissions.sum(of: \.times)) }
  }
}

extension DigestReader {
  /// Lists digests, most recently written first.
  ///
  /// A filter selects whole digests: a filter by coding path, kind or novel value selects the
  /// digests with such an error. Digests that are evicted during the call may be missing. Digests
  /// that cannot be read are missing too; ``verify(progress:)`` counts them.
  ///
  /// - Parameters:
  ///   - filter: the digests to list.
  ///   - limit: the most digests to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func digests(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.DigestSummary] {
    try readableDigests(matching: filter, limit: limit).digests
  }

  /// Lists the digests of ``digests(matching:limit:)``, and counts those between them that cannot
  /// be read.
  package func readableDigests(
    matching filter: DigestFilter,
    limit: Int?
  ) throws -> (digests: [DigestStore.DigestSummary], unreadable: Int) {
    let limit = limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
    var digests: [DigestStore.DigestSummary] = []
    let cursor = DigestCursor(filter, newestFirst: true)
    let unreadable = try forEachPage(of: cursor) { ids, connection in
      var page: [DigestStore.DigestSummary] = []
      let end = try cursor.readDigests(of: ids, on: connection) { digest in
        if !filter.choosesFailures || digest.isMatching {
          page.append(DigestStore.DigestSummary(digest))
        }
        return page.count < limit
      }
      return (page, end)
    } handle: { page in
      digests += page.prefix(limit - digests.count)
      return digests.count < limit
    }
    return (digests, unreadable)
  }

  /// Reads one digest.
  ///
  /// - Parameter id: the whole id, as in ``DigestStore/DigestSummary/id`` and
  ///   ``DigestStore/Occurrence/digestID``.
  /// - Returns: nil if the store does not have the digest, or not any more.
  /// - Throws: ``DigestStoreError`` when the file, or this digest, cannot be read.
  public func digest(id: String) throws -> DigestStore.RecordedDigest? {
    try read { connection in
      guard let number = try DigestIDLookup(connection).number(of: id) else { return nil }
      var found: DigestStore.RecordedDigest?
      let end = try DigestCursor(DigestFilter()).readDigests(of: number...number, on: connection) {
        found = DigestStore.RecordedDigest($0)
        return true
      }
      try end.checkIsReadable(id)
      return found
    }
  }

  /// Finds the ids that a text abbreviates, most recently written digest first.
  ///
  /// A whole id stands only for itself. Otherwise the text is a
  /// ``DigestStore/DigestSummary/shortID``, with 4 to 32 digits of the identity.
  ///
  /// - Parameters:
  ///   - text: the text that a person has typed.
  ///   - limit: the most ids to return.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func digestIDs(abbreviatedAs text: String, limit: Int = 2) throws -> [String] {
    try read { try DigestIDLookup($0).ids(abbreviatedAs: text, limit: limit) }
  }

  /// The line of NDJSON that an export writes for a digest, with its line break.
  ///
  /// - Returns: nil if the store does not have the digest, or not any more.
  /// - Throws: ``DigestStoreError`` when the file, or this digest, cannot be read.
  package func exportLine(ofDigest id: String) throws -> [UInt8]? {
    try read { connection in
      guard let number = try DigestIDLookup(connection).number(of: id) else { return nil }
      let (page, end) = try DigestCursor(DigestFilter()).readLines(
        of: number...number, on: connection)
      try end.checkIsReadable(id)
      return page
    }
  }
}

extension PageEnd {
  /// - Throws: ``UnreadableRow`` when the only digest of the page was skipped.
  fileprivate func checkIsReadable(_ id: String) throws {
    if unreadable > 0 { throw UnreadableRow("the digest \(id) cannot be read") }
  }
}

/// A digest with its errors.
private struct StoredDigest {
  let id: String
  let recordedAt: Date
  let release: String?
  let model: String

  /// The errors in their order, with the patterns of their paths.
  private(set) var errors: [(pattern: String, occurrence: DigestStore.Occurrence)] = []

  /// Whether the filter selects the failure of one of them.
  private(set) var isMatching = false

  /// Begins a digest with its first row of ``ErrorQuery/occurrences(_:)``.
  init(_ row: any Row) {
    let first = DigestStore.Occurrence(row)
    (id, recordedAt) = (first.digestID, first.recordedAt)
    (release, model) = (first.release, first.model)
  }

  mutating func add(_ row: any Row) {
    guard let pattern = row.text(at: ErrorQuery.pattern) else { return }
    errors.append((pattern, DigestStore.Occurrence(row)))
    isMatching = isMatching || row.integer(at: ErrorQuery.isMatching) != 0
  }
}

extension DigestCursor {
  /// Reads a page of digests.
  ///
  /// - Parameter handle: returns whether there is room for more.
  fileprivate func readDigests(
    of ids: ClosedRange<Int64>, on connection: any Engine, _ handle: (StoredDigest) throws -> Bool
  ) throws -> PageEnd {
    var next: StoredDigest?
    return try readPage(of: ids, on: connection, .occurrences(filter)) { row in
      var digest = next ?? StoredDigest(row)
      digest.add(row)
      next = digest
    } endDigest: { _, isReadable in
      defer { next = nil }
      return try isReadable ? next.map(handle) ?? true : true
    }
  }
}

extension DigestStore.DigestSummary {
  /// The most places in a summary.
  private static let maximumPlaces = 3

  fileprivate init(_ digest: StoredDigest) {
    var (paths, pairs, places): (Set<BinaryString>, Set<[BinaryString?]>, [Place]) = ([], [], [])
    for (pattern, occurrence) in digest.errors {
      let path = BinaryString(pattern)
      paths.insert(path)
      guard pairs.insert([path, occurrence.novelValue.map(BinaryString.init)]).inserted,
        places.count < Self.maximumPlaces
      else { continue }
      places.append(Place(codingPath: pattern, novelValue: occurrence.novelValue))
    }
    let errors = digest.errors.map(\.occurrence)
    self.init(
      id: digest.id,
      recordedAt: digest.recordedAt,
      release: digest.release,
      model: digest.model,
      errors: errors.sum(of: \.times),
      novelValues: errors.sum { $0.novelValue == nil ? 0 : $0.times },
      paths: paths.count,
      places: pairs.count,
      firstPlaces: places
    )
  }
}

extension DigestStore.RecordedDigest {
  fileprivate init(_ digest: StoredDigest) {
    let errors = digest.errors.map(\.occurrence)
    self.init(
      id: digest.id,
      recordedAt: digest.recordedAt,
      release: digest.release,
      model: digest.model,
      entries: errors.filter { $0.times == 1 },
      omissions: errors.filter { $0.times > 1 }
    )
  }
}

/// Finds digests by their ids, and by short forms of ids.
private struct DigestIDLookup {
  let identity: String
  private let connection: any Engine

  init(_ connection: any Engine) throws {
    self.connection = connection
    identity = try connection.text("SELECT identity FROM store") ?? ""
  }

  /// The number of the digest with an id; nil if there is none.
  func number(of text: String) throws -> Int64? {
    let id = DigestID(text)
    let time = id.recordedAt.map { "d.recorded_at = \($0.milliseconds)" } ?? "true"
    let digests =
      [
        """
        SELECT d.id FROM digest AS d
        WHERE d.id = :number AND d.number IS NULL
          AND :identity = (SELECT identity FROM source WHERE id = 1) AND \(time)
        """
      ]
      + foreign.map { store in
        """
        SELECT d.id FROM digest AS d
        WHERE d.\(store) = (SELECT id FROM \(store) WHERE identity = :identity)
          AND d.number = :number AND \(time)
        """
      }
    return try connection.integer(
      digests.joined(separator: " UNION ALL "),
      [":identity": .text(id.store), ":number": .integer(id.number)])
  }

  /// The tables with the stores that digests come from. A server has imported none.
  private var foreign: [String] {
    connection is Connection ? ["source", "origin"] : ["source"]
  }

  /// The ids that a text abbreviates, latest digest first: a whole id stands for itself; otherwise
  /// the text is the first 4 to 32 digits of an identity, a hyphen, and the number.
  func ids(abbreviatedAs text: String, limit: Int) throws -> [String] {
    guard limit > 0 else { return [] }
    if try number(of: text) != nil { return [text] }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, 4...32 ~= parts[0].utf8.count, let number = Int64(parts[1]), number > 0,
      parts[1] == "\(number)"
    else { return [] }
    let digest = "SELECT d.id AS id, \(DigestID.text(identity: "s.identity")) AS name"
    let isAbbreviated = "substr(s.identity, 1, length(:identity)) = :identity"
    let digests =
      [
        """
        \(digest) FROM source AS s CROSS JOIN digest AS d ON d.id = :number AND d.number IS NULL
        WHERE s.id = 1 AND \(isAbbreviated)
        """
      ]
      + foreign.map { store in
        """
        \(digest) FROM \(store) AS s CROSS JOIN digest AS d ON d.\(store) = s.id AND d.number = :number
        WHERE \(isAbbreviated)
        """
      }
    return try connection.rows(
      """
      SELECT name FROM (\(digests.joined(separator: " UNION ALL "))) AS found
      ORDER BY id DESC LIMIT :limit
      """,
      [
        ":identity": .text(String(parts[0])), ":number": .integer(number),
        ":limit": .integer(Int64(limit)),
      ]
    ) { $0.text(at: 0) ?? "" }
  }
}
