import ResilientDecoding

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One error of one digest.
public struct Occurrence: Sendable, Hashable {
  /// The id of its digest, the same wherever the digest goes.
  public let digestID: String
  /// When its digest was recorded, to the millisecond.
  public let recordedAt: Date
  /// The version of the app that decoded, if it was given.
  public let release: String?
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The exact path; a pattern where a full digest has only counted.
  public let codingPath: String
  /// The raw value of an `ErrorDigest.Kind`.
  public let kind: String
  /// The type that was expected; nil where the error does not say.
  public let expectedType: String?
  /// The raw value that is unknown, if that is what went wrong.
  public let novelValue: String?
  /// The type of the raw value.
  public let valueType: String?
  /// What the decoder said of it.
  public let message: String?
  /// The raw value of an `ErrorDigest.FoundValue.ValueType`: what the payload had in this place; nil
  /// for a missing key, and where nobody could tell.
  public let foundType: String?
  /// The string, number or boolean that was found.
  public let foundValue: String?
}

/// What an export has done.
public struct ExportSummary: Sendable, Hashable {
  /// How many digests cannot be read, and were skipped: ``DigestStore/verify(progress:)`` says more.
  public let unreadable: Int
}

extension DigestStore {
  /// Hands over every digest as a line of NDJSON, without its line break, in the order of writing.
  ///
  /// A filter for models, coding paths, kinds or novel values chooses digests that have such an
  /// error. They are always whole: so whoever imports them can recognise them. Digests that come in
  /// while this runs are left out.
  ///
  /// - Parameters:
  ///   - filter: which digests to export.
  ///   - part: those that have come since an earlier export; nil for all.
  ///   - write: takes a line.
  /// - Returns: how many digests were skipped because they cannot be read.
  /// - Throws: ``DigestStoreError`` when the file cannot be read; what `write` throws.
  @discardableResult
  public func exportDigests(
    matching filter: DigestFilter = DigestFilter(),
    in part: IncrementalExport? = nil,
    to write: (String) throws -> Void
  ) throws -> ExportSummary {
    try exportLines(matching: filter, in: part) { page in
      for line in page.split(separator: UInt8(ascii: "\n")) {
        try write(String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Hands over every occurrence, in the order of writing.
  ///
  /// What a full digest has only counted comes as often as it was counted.
  ///
  /// - Parameters:
  ///   - filter: which occurrences to export.
  ///   - part: the digests that have come since an earlier export; nil for all.
  ///   - write: takes an occurrence.
  /// - Returns: how many digests were skipped because they cannot be read.
  /// - Throws: ``DigestStoreError`` when the file cannot be read; what `write` throws.
  @discardableResult
  public func exportOccurrences(
    matching filter: DigestFilter = DigestFilter(),
    in part: IncrementalExport? = nil,
    to write: (Occurrence) throws -> Void
  ) throws -> ExportSummary {
    let scan = DigestCursor(filter, in: part)
    let unreadable = try forEachPage(of: scan, OccurrenceExporter(filter)) {
      pages, ids, connection in
      try pages.page(of: ids, on: connection)
    } handle: { page in
      for (occurrence, count) in page {
        for _ in 0..<(count ?? 1) { try write(occurrence) }
      }
      return true
    }
    return ExportSummary(unreadable: unreadable)
  }

  /// Hands over what ``exportDigests(matching:in:to:)`` does as bytes, many lines at a time, each with
  /// its line break.
  @discardableResult
  package func exportLines(
    matching filter: DigestFilter,
    in part: IncrementalExport? = nil,
    progress: ((Progress) -> Void)? = nil,
    to write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> ExportSummary {
    try export(DigestCursor(filter, in: part), .ndjson, progress, to: write)
  }

  /// Hands over what ``exportOccurrences(matching:in:to:)`` does as rows of a table, many at a time,
  /// each ended by LF.
  ///
  /// The cells are the properties of ``Occurrence``, in their order.
  @discardableResult
  package func exportRows(
    matching filter: DigestFilter,
    in part: IncrementalExport? = nil,
    as encoding: CellEncoding,
    progress: ((Progress) -> Void)? = nil,
    to write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> ExportSummary {
    try export(DigestCursor(filter, in: part), .rows(encoding), progress, to: write)
  }

  private func export(
    _ scan: DigestCursor,
    _ style: ExportFormat,
    _ progress: ((Progress) -> Void)?,
    to write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> ExportSummary {
    let unreadable = try forEachPage(of: scan, LineExporter(scan.filter, style)) {
      pages, ids, connection in
      try pages.page(of: ids, on: connection)
    } handle: { page in
      try page.forEachPart(write)
      return true
    } progress: {
      progress?($0)
    }
    return ExportSummary(unreadable: unreadable)
  }
}
