#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One digest in a few words.
public struct DigestSummary: Sendable, Hashable {
  /// The id of the digest, the same wherever it goes.
  public let id: String
  /// When it was recorded, to the millisecond.
  public let recordedAt: Date
  /// The version of the app that decoded, if it was given.
  public let release: String?
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// How many errors it has, with those that it has only counted.
  public let errors: Int
  /// How many of them are about a novel value.
  public let novelValues: Int
  /// At how many different places they are, told apart by the patterns of their coding paths.
  public let paths: Int
  /// How many different paths and novel values they have.
  public let places: Int
  /// The first of these, three at most.
  public let firstPlaces: [Place]

  /// Where something went wrong, and for which value.
  public struct Place: Sendable, Hashable {
    /// The pattern of the coding path.
    public let codingPath: String
    /// The raw value that is unknown, if that is what went wrong.
    public let novelValue: String?
  }

  /// The id in short, for a person to type: of one that a store has made the first eight digits of
  /// the store's identity and the digest's number there.
  ///
  /// ``DigestStore/DigestStore/digestIDs(abbreviatedAs:limit:)`` finds the whole id.
  public var shortID: String {
    ForeignID.parts(id).map { "\($0.identity.prefix(8))-\($0.number)" } ?? id
  }
}

/// One digest with all that is known of it.
public struct RecordedDigest: Sendable, Hashable {
  /// The id of the digest, the same wherever it goes.
  public let id: String
  /// When it was recorded, to the millisecond.
  public let recordedAt: Date
  /// The version of the app that decoded, if it was given.
  public let release: String?
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The errors in the order in which they were met.
  public let entries: [Occurrence]
  /// What was only counted, because there was too much of it.
  public let omissions: [Omission]

  /// Errors of one failure that a full digest has only counted.
  public struct Omission: Sendable, Hashable {
    /// One of them; its path is a pattern.
    public let occurrence: Occurrence
    /// How many there were.
    public let count: Int
  }

  /// How many errors it has, with those that it has only counted.
  public var errorCount: Int { entries.count.adding(count: omissions.sum(of: \.count)) }
}

extension DigestStore {
  /// Lists the latest digests, the one that was written last at first.
  ///
  /// A filter chooses digests, which are always whole: for a coding path, kind or novel value it
  /// takes those that have such an error. Digests that are evicted while this runs may be missing,
  /// and so are those that cannot be read, which ``verify(progress:)`` counts.
  ///
  /// - Parameters:
  ///   - filter: which digests to list.
  ///   - limit: the most to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func digests(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestSummary] {
    try readableDigests(matching: filter, limit: limit).digests
  }

  /// Lists what ``digests(matching:limit:)`` does, and counts the digests between them that cannot be
  /// read.
  package func readableDigests(
    matching filter: DigestFilter,
    limit: Int?
  ) throws -> (digests: [DigestSummary], unreadable: Int) {
    let limit = limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
    var digests: [DigestSummary] = []
    let scan = DigestCursor(filter, newestFirst: true)
    let unreadable = try forEachPage(of: scan, SummaryReader(scan, filter, limit: limit)) {
      try $0.page(of: $1, on: $2)
    } handle: { page in
      digests += page.prefix(limit - digests.count)
      return digests.count < limit
    }
    return (digests, unreadable)
  }

  /// Reads one digest.
  ///
  /// - Parameter id: its id as a whole, as ``DigestSummary/id`` and ``Occurrence/digestID`` have it.
  /// - Returns: nil where the store has no such digest, or has it no longer.
  /// - Throws: ``DigestStoreError`` when the file, or this digest, cannot be read.
  public func digest(id: String) throws -> RecordedDigest? {
    let filter = DigestFilter()
    return try read { connection in
      let finder = try DigestIDLookup(connection)
      guard let number = try finder.number(of: id) else { return nil }
      let findFailure = try StoredFailure.statement(filter, connection)
      var reader = OccurrenceReader()
      var found: RecordedDigest?
      let end = try DigestCursor(filter).readPage(of: number...number, on: connection) { digest in
        var entries: [Occurrence] = []
        var omissions: [RecordedDigest.Omission] = []
        let names = try reader.read(digest, finder.identity, findFailure) { occurrence, count in
          if let count {
            omissions.append(.init(occurrence: occurrence, count: Int(clamping: count)))
          } else {
            entries.append(occurrence)
          }
        }
        found = RecordedDigest(
          id: digest.externalID(finder.identity),
          recordedAt: digest.recordedAt.date,
          release: names.release,
          model: names.model,
          entries: entries,
          omissions: omissions
        )
        return true
      }
      try end.checkIsReadable(id)
      return found
    }
  }

  /// Finds the ids that a text stands for, the digest that was written last at first.
  ///
  /// A text that is an id as a whole stands for that and nothing else. Otherwise it is what
  /// ``DigestSummary/shortID`` gives, with as many digits of the identity as one likes, or it is the
  /// beginning of an id.
  ///
  /// - Parameters:
  ///   - text: what someone has typed.
  ///   - limit: the most ids to return.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func digestIDs(abbreviatedAs text: String, limit: Int = 2) throws -> [String] {
    try read { try DigestIDLookup($0).ids(abbreviatedAs: text, limit: limit) }
  }

  /// The line of NDJSON that an export has for a digest, with its line break.
  ///
  /// - Returns: nil where the store has no such digest, or has it no longer.
  /// - Throws: ``DigestStoreError`` when the file, or this digest, cannot be read.
  package func exportLine(ofDigest id: String) throws -> [UInt8]? {
    let filter = DigestFilter()
    return try read { connection in
      guard let number = try DigestIDLookup(connection).number(of: id) else { return nil }
      var pages = LineExporter(filter, .ndjson)
      let (page, end) = try pages.page(of: number...number, on: connection)
      try end.checkIsReadable(id)
      return page.bytes
    }
  }
}

extension PageEnd {
  /// - Throws: ``UnreadableRow`` when the only digest of the page was skipped.
  fileprivate func checkIsReadable(_ id: String) throws {
    if unreadable > 0 { throw UnreadableRow("the digest \(id) cannot be read") }
  }
}
