/// How to write text cells in a table with one occurrence per row.
package struct CellEncoding: Sendable {
  /// The byte between two cells.
  package let separator: UInt8

  /// Encodes the text of a cell. It must not change a nonempty text of only ASCII letters, digits
  /// and `_.:/[]`.
  package let text: @Sendable (String) -> String

  /// Makes an encoding from its properties.
  package init(separator: UInt8, text: @escaping @Sendable (String) -> String) {
    self.separator = separator
    self.text = text
  }
}

/// The output format of an export.
enum ExportFormat: Sendable {
  /// A line of JSON for each digest.
  case ndjson

  /// A row for each occurrence.
  case rows(CellEncoding)
}

/// The parts of a digest's output.
extension ExportFormat {
  /// Appends the beginning of a digest's line; in a table, of each of its rows.
  func appendBeginning(_ digest: StoredDigest, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      bytes.append(contentsOf: #"{"id":"#.utf8)
      bytes.append(json: digest.id)
      bytes.append(contentsOf: #","recordedAt":""#.utf8)
      digest.recordedAt.append(to: &bytes)
      bytes.append(contentsOf: #"","model":"#.utf8)
      bytes.append(json: digest.model)
      append(member: "release", digest.release, to: &bytes)
      append(member: "environment", digest.environment, to: &bytes)
      append(member: "operation", digest.operation, to: &bytes)
      bytes.append(contentsOf: #","errors":["#.utf8)
    case .rows(let encoding):
      append(cell: digest.id, encoding, to: &bytes)
      bytes.append(encoding.separator)
      digest.recordedAt.append(to: &bytes)
      for text in [digest.release, digest.model] {
        bytes.append(encoding.separator)
        append(cell: text, encoding, to: &bytes)
      }
      bytes.append(encoding.separator)
    }
  }

  /// Appends the path of an error.
  func append(path: String, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      bytes.append(contentsOf: #"{"path":"#.utf8)
      bytes.append(json: path)
    case .rows(let encoding):
      append(cell: path, encoding, to: &bytes)
    }
  }

  /// Returns the output of a failure's occurrences between path and found value.
  func afterPath(of failure: StoredFailure) -> [UInt8] {
    let names = failure.names
    var bytes: [UInt8] = []
    switch self {
    case .ndjson:
      // Only if there are dictionary keys, which cannot be recognized in the path.
      let hasPattern = names.codingPath.unicodeScalars.contains("*")
      let members = [
        ("pattern", hasPattern ? names.codingPath : nil), ("kind", names.kind),
        ("novelValue", names.novelValue), ("novelValueType", names.valueType),
        ("expectedType", names.expectedType),
      ]
      for (name, text) in members { append(member: name, text, to: &bytes) }
    case .rows(let encoding):
      for cell in [names.kind, names.expectedType, names.novelValue, names.valueType] {
        bytes.append(encoding.separator)
        append(cell: cell, encoding, to: &bytes)
      }
    }
    return bytes
  }

  /// Appends the end of an error: its found value and how often it occurred.
  func appendEnd(of error: StoredError, in digest: StoredDigest, to bytes: inout [UInt8]) {
    switch self {
    case .ndjson:
      append(member: "foundType", error.foundType, to: &bytes)
      append(member: "foundValue", error.foundValue, to: &bytes)
      if error.times > 1 { bytes.append(contentsOf: ",\"count\":\(error.times)".utf8) }
      bytes.append(UInt8(ascii: "}"))
    case .rows(let encoding):
      let cells = [
        error.foundType, error.foundValue, "\(error.times)", digest.environment, digest.operation,
      ]
      for cell in cells {
        bytes.append(encoding.separator)
        append(cell: cell, encoding, to: &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Appends a member after another one, unless its value is nil.
  private func append(member name: String, _ text: String?, to bytes: inout [UInt8]) {
    guard let text else { return }
    bytes.append(UInt8(ascii: ","))
    bytes.append(json: name)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(json: text)
  }

  private func append(cell text: String?, _ encoding: CellEncoding, to bytes: inout [UInt8]) {
    // Nil is an empty cell; empty text may be encoded differently.
    guard let text else { return }
    if text.isPlainCell {
      bytes.append(contentsOf: text.utf8)
    } else {
      bytes.append(contentsOf: encoding.text(text).utf8)
    }
  }
}

extension String {
  /// Whether the text is not empty, and neither JSON nor any table encoding changes it.
  package var isPlainCell: Bool {
    let isPlain = utf8.withContiguousStorageIfAvailable { $0.allSatisfy(\.isPlain) }
    return !isEmpty && isPlain ?? utf8.allSatisfy(\.isPlain)
  }
}

extension UInt8 {
  /// Whether neither JSON nor any table encoding changes this byte.
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}

/// Reads digests as text, one page of digests at a time.
struct LineExporter: Sendable {
  /// The length of text, in bytes, at which a page ends, including the digest that reaches it.
  private let fullPage: Int

  private let format: ExportFormat
  private let scan: DigestCursor

  init(_ filter: DigestFilter, _ format: ExportFormat, fullPage: Int = 1 << 19) {
    self.fullPage = fullPage
    self.format = format
    scan = DigestCursor(filter)
  }

  /// Reads a page.
  func page(
    of ids: ClosedRange<Int64>, on connection: any Engine
  ) throws -> ([UInt8], PageEnd) {
    var page: [UInt8] = []
    page.reserveCapacity(fullPage + 1 << 14)
    // The output of failures between path and found value, which many errors share.
    var templates: [Int64: [UInt8]] = [:]
    let end = try scan.readPage(of: ids, on: connection) { digest in
      var beginning: [UInt8] = []
      format.appendBeginning(digest, to: &beginning)
      func append(_ error: StoredError) {
        format.append(path: error.codingPath, to: &page)
        if templates[error.failure.id] == nil {
          templates[error.failure.id] = format.afterPath(of: error.failure)
        }
        page += templates[error.failure.id] ?? []
        format.appendEnd(of: error, in: digest, to: &page)
      }
      switch format {
      case .ndjson:
        guard isMatching(digest) else { return true }
        page += beginning
        for (index, error) in digest.errors.enumerated() {
          if index > 0 { page.append(UInt8(ascii: ",")) }
          append(error)
        }
        page.append(contentsOf: "]}\n".utf8)
      case .rows:
        for error in digest.errors where error.failure.isMatching {
          page += beginning
          append(error)
        }
      }
      return page.count < fullPage
    }
    return (page, end)
  }

  /// Whether a digest is exported: as a whole, if one of its failures matches the filter.
  private func isMatching(_ digest: StoredDigest) -> Bool {
    !scan.filter.choosesFailures || digest.errors.contains(where: \.failure.isMatching)
  }
}

extension DigestReader {
  /// Passes the clean decodes of a store to `body` as lines of NDJSON, some at a time.
  ///
  /// A filter for coding paths, kinds or novel values selects none of them.
  ///
  /// - Parameter part: the digests of the export, whose hours and later ones are included; nil for
  ///   all.
  func forEachPageOfDecodes(
    matching filter: DigestFilter, in part: DigestStore.IncrementalExport?,
    _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    guard !filter.choosesFailures else { return }
    var position: DecodeCursor? = DecodeCursor(after: part)
    while let cursor = position {
      let (page, next) = try snapshot { try $0.decodes(matching: filter, from: cursor) }
      var bytes: [UInt8] = []
      for record in page { record.appendLine(to: &bytes) }
      if !bytes.isEmpty { try body(bytes[...]) }
      position = next
    }
  }
}

/// A position between the hours with clean decodes.
struct DecodeCursor {
  /// The first hour to read.
  fileprivate let hour: Int64

  /// - Parameter part: decodes of earlier hours were exported with earlier digests.
  init(after part: DigestStore.IncrementalExport?) {
    hour = part?.lastExported.hour ?? 0
  }

  fileprivate init(hour: Int64) {
    self.hour = hour
  }
}

extension Engine {
  /// Reads the clean decodes of an hour that can be copied to other stores.
  ///
  /// Hours with evicted digests are left out: without these, their clean decodes would lower the
  /// rates of the other store.
  ///
  /// - Returns: the records, and the next hour; nil at the end.
  func decodes(
    matching filter: DigestFilter, from cursor: DecodeCursor
  ) throws -> ([DecodeRecord], next: DecodeCursor?) {
    let hours = filter.window.range
    let values: [String: SQLValue] = [
      ":first": .integer(max(cursor.hour, hours.lowerBound.hour)),
      ":last": .integer((hours.upperBound.milliseconds - 1) / Moment.hour),
    ]
    let next = try rows(
      """
      SELECT min(start) FROM decodes
      WHERE span = 1 AND context = 0 AND start BETWEEN :first AND :last AND decodes > digests
      """, values
    ) { $0.optionalInteger(at: 0) }.first.flatMap(\.self)
    guard let hour = next else { return ([], nil) }
    let after = DecodeCursor(hour: hour + 1)
    guard try hasDigests(hour: hour) else { return ([], after) }
    let records = try rows(
      """
      SELECT s.identity, m.name, x.release, x.environment, x.operation, c.decodes - c.digests
      FROM decodes AS c
      CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS s ON s.id = x.source
      CROSS JOIN model AS m ON m.id = c.model
      WHERE c.span = 1 AND c.start = :hour AND \(filter.eachContext("c.context"))
        AND c.decodes > c.digests AND m.name <> '' AND \(filter.modelCondition())
      ORDER BY 1, 2, 3, 4, 5
      """, filter.values().merging([":hour": .integer(hour)]) { first, _ in first }
    ) { row in
      DecodeRecord(
        source: row.text(at: 0) ?? "", hour: hour, model: row.text(at: 1) ?? "",
        context: DigestContext(
          release: row.text(at: 2), environment: row.text(at: 3), operation: row.text(at: 4)),
        decodes: row.count(at: 5))
    }
    return (records, after)
  }
}
