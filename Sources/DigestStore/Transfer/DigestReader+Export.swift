public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// One error of one digest.
  public struct Occurrence: Sendable, Hashable, Codable {
    /// The id of the digest, the same in every store and export.
    public let digestID: String
    /// When the digest was recorded, to the millisecond.
    public let recordedAt: Date
    /// The version of the app that decoded, if given.
    public let release: String?
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The exact path, or a pattern for an error that a full digest only counted.
    public let codingPath: String
    /// The kind of the error; `other` if this version does not know it.
    public let kind: ErrorDigest.Kind
    /// The expected type; nil if the error has none.
    public let expectedType: String?
    /// The unknown raw value, if the error is about a novel value.
    public let novelValue: String?
    /// The type of the raw value.
    public let valueType: String?
    /// The type of the value in the payload, or what the whole body is instead of JSON; nil for a
    /// missing key, and if the type is unknown.
    public let foundType: ErrorDigest.FoundValue.ValueType?
    /// The string, number or boolean in the payload.
    public let foundValue: String?
    /// How often the error occurred: more than once only for one that a full digest only counted.
    public let times: Int
    /// The environment of the digest, such as `production`, if given.
    public let environment: String?
    /// The operation of the digest, such as `GET /listings`, if given.
    public let operation: String?
  }
}

extension DigestStore {
  /// The result of an export.
  public struct ExportSummary: Sendable, Hashable, Codable {
    /// The number of digests that were skipped because they cannot be read; see
    /// ``DigestReader/verify(progress:)``.
    public let unreadable: Int
  }
}

extension DigestReader {
  /// Exports every digest as a line of NDJSON, without its line break, in the order of writing;
  /// then the number of decodes without errors, a line for each model, release and hour.
  ///
  /// A filter for models, coding paths, kinds or novel values selects digests with such an error.
  /// Digests are always exported whole, so that an import can recognize them. Digests written
  /// during the export are not included.
  ///
  /// - Parameters:
  ///   - filter: the digests to export.
  ///   - part: the digests written since an earlier export; nil for all.
  ///   - write: receives each line.
  /// - Returns: the number of digests that were skipped because they cannot be read.
  /// - Throws: ``DigestStoreError`` when the file cannot be read; errors of `write`.
  @discardableResult
  public func exportDigests(
    matching filter: DigestFilter = DigestFilter(),
    in part: DigestStore.IncrementalExport? = nil,
    to write: (String) throws -> Void
  ) throws -> DigestStore.ExportSummary {
    try exportLines(matching: filter, in: part) { page in
      for line in page.lines { try write(line) }
    }
  }

  /// Exports every occurrence, in the order of writing.
  ///
  /// An error that a full digest only counted is exported once, with its count:
  /// ``DigestStore/Occurrence/times``.
  ///
  /// - Parameters:
  ///   - filter: the occurrences to export.
  ///   - part: the digests written since an earlier export; nil for all.
  ///   - write: receives each occurrence.
  /// - Returns: the number of digests that were skipped because they cannot be read.
  /// - Throws: ``DigestStoreError`` when the file cannot be read; errors of `write`.
  @discardableResult
  public func exportOccurrences(
    matching filter: DigestFilter = DigestFilter(),
    in part: DigestStore.IncrementalExport? = nil,
    to write: (DigestStore.Occurrence) throws -> Void
  ) throws -> DigestStore.ExportSummary {
    let cursor = DigestCursor(filter, in: part)
    let unreadable = try forEachPage(of: cursor) { ids, connection in
      try cursor.readOccurrences(of: ids, on: connection, fullPage: 2_000) { row, page in
        page.append(DigestStore.Occurrence(row))
      }
    } handle: { page in
      for occurrence in page { try write(occurrence) }
      return true
    }
    return DigestStore.ExportSummary(unreadable: unreadable)
  }

  /// Exports the lines of ``exportDigests(matching:in:to:)`` as bytes, many lines at a time, each
  /// with its line break.
  @discardableResult
  package func exportLines(
    matching filter: DigestFilter,
    in part: DigestStore.IncrementalExport? = nil,
    progress: ((DigestReader.Progress) -> Void)? = nil,
    to write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> DigestStore.ExportSummary {
    let cursor = DigestCursor(filter, in: part)
    let unreadable = try forEachPage(of: cursor) { ids, connection in
      try cursor.readLines(of: ids, on: connection)
    } handle: { page in
      try write(page[...])
      return true
    } progress: {
      progress?($0)
    }
    // A filter for coding paths, kinds or novel values selects no decodes without errors. Those of
    // earlier hours were exported with earlier digests.
    var hour = filter.choosesFailures ? nil : part?.lastExported.hour ?? 0
    while let first = hour {
      let (records, next) = try snapshot { try $0.decodes(matching: filter, from: first) }
      try write(records.reduce(into: [UInt8]()) { $1.appendLine(to: &$0) }[...])
      hour = next
    }
    return DigestStore.ExportSummary(unreadable: unreadable)
  }

  /// Exports the occurrences of ``exportOccurrences(matching:in:to:)`` as rows of a table, many at
  /// a time, each ending in LF.
  ///
  /// The cells are the properties of ``DigestStore/Occurrence``, in order.
  @discardableResult
  package func exportRows(
    matching filter: DigestFilter,
    as encoding: CellEncoding,
    progress: ((DigestReader.Progress) -> Void)? = nil,
    to write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> DigestStore.ExportSummary {
    let cursor = DigestCursor(filter)
    let unreadable = try forEachPage(of: cursor) { ids, connection in
      try cursor.readOccurrences(of: ids, on: connection, fullPage: DigestCursor.fullPage) {
        encoding.append($0, to: &$1)
      }
    } handle: { page in
      try write(page[...])
      return true
    } progress: {
      progress?($0)
    }
    return DigestStore.ExportSummary(unreadable: unreadable)
  }
}

extension DigestReader {
  /// Copies a snapshot of the store into a new file with mode 0600, while others may write.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read or the copy cannot be written.
  package func copy(to path: String) throws {
    do {
      try createPrivateFile(at: path)
      try readFile { try $0.copy(into: Connection(path: path, mode: .readWrite)) }
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: try fileConnections.path)
    }
  }
}

extension DigestStore.Occurrence {
  /// Reads a row of ``ErrorQuery/occurrences(_:)``.
  init(_ row: any Row) {
    let first = ErrorQuery.firstColumn
    func text(_ column: Int32) -> String? { row.text(at: first + column) }
    self.init(
      digestID: text(0) ?? "",
      recordedAt: row.moment(at: first + 1).date,
      release: text(2),
      model: text(3) ?? "",
      codingPath: text(4) ?? "",
      kind: ErrorDigest.Kind(stored: text(5) ?? ""),
      expectedType: text(6),
      novelValue: text(7),
      valueType: text(8),
      foundType: text(9).flatMap(ErrorDigest.FoundValue.ValueType.init),
      foundValue: text(10),
      times: Int(row.count(at: first + 11)),
      environment: text(12),
      operation: text(13)
    )
  }
}

extension ArraySlice<UInt8> {
  /// The lines, without their breaks.
  var lines: [String] {
    split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension DigestStore.Occurrence {
  /// The coding path as a path; nil if the error is only counted over a limit.
  ///
  /// The keys of dictionaries are as other keys.
  public var path: ErrorDigest.Path? { ErrorDigest.Path(stored: codingPath) }
}

extension DigestStore {
  /// A bookmark of where an export ended. Store it until the next export.
  public struct ExportCursor: Codable, Sendable, Hashable {
    /// The identity of the store.
    let store: String

    /// The number of the last digest, or 0 if there was none.
    let digest: Int64

    /// When that digest was recorded, in milliseconds since 1970. A different time means that
    /// another digest has the number, as after a backup was restored.
    let recordedAt: Int64
  }
}

extension DigestStore {
  /// The digests written since an earlier export, as of one snapshot.
  public struct IncrementalExport: Sendable {
    /// Whether this part begins with the first digest.
    ///
    /// It does if there was no earlier export, and if the store does not have the digest that was
    /// exported last: it is another store, it was restored from a backup, or the digest was evicted.
    public let isFromStart: Bool

    /// The cursor for the next export. Store it once this part is written.
    public let end: ExportCursor

    /// The numbers of the digests; nil if there are none.
    let ids: ClosedRange<Int64>?

    /// When the last digest of the earlier export was recorded; the earliest time from the start.
    let lastExported: Moment
  }
}

extension DigestReader {
  /// Returns the digests written since an earlier export.
  ///
  ///     let part = try store.exportPart(after: cursor)
  ///     try store.exportDigests(in: part) { line in send(line) }
  ///     cursor = part.end
  ///
  /// To export every digest at least once, store ``DigestStore/IncrementalExport/end`` only once
  /// all lines are safe. If the process dies before that, the next part has the same digests again,
  /// and an import recognizes them by their ids.
  ///
  /// - Parameter cursor: the end of the earlier export; nil for all digests.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func exportPart(after cursor: DigestStore.ExportCursor? = nil) throws
    -> DigestStore.IncrementalExport
  {
    try snapshot { connection in
      func lastDigest(_ condition: String, _ values: [String: SQLValue] = [:]) throws
        -> DigestStore.ExportCursor?
      {
        try connection.rows(
          """
          SELECT (SELECT identity FROM store), d.id, d.recorded_at FROM digest AS d
          WHERE \(condition) ORDER BY d.id DESC LIMIT 1
          """, values
        ) {
          DigestStore.ExportCursor(
            store: $0.text(at: 0) ?? "", digest: $0.integer(at: 1), recordedAt: $0.integer(at: 2))
        }.first
      }
      let first = try cursor.flatMap { cursor in
        try lastDigest("d.id = :id", [":id": .integer(cursor.digest)]).flatMap {
          $0 == cursor ? cursor : nil
        }
      }
      let last = try lastDigest("true")
      let begin = (first?.digest ?? 0) + 1
      return DigestStore.IncrementalExport(
        isFromStart: first == nil,
        end: last ?? DigestStore.ExportCursor(store: "", digest: 0, recordedAt: 0),
        ids: last.flatMap { begin <= $0.digest ? begin...$0.digest : nil },
        lastExported: first.map { Moment(milliseconds: $0.recordedAt) } ?? .earliest)
    }
  }
}
