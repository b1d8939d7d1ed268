/// Reads digests as text, one page of digests at a time.
struct LineExporter: Sendable {
  /// The length of text, in bytes, at which a page ends, including the digest that reaches it.
  private let fullPage: Int
  private let format: ExportFormat
  private let scan: DigestCursor
  private let filter: DigestFilter
  private var failures = GenerationCache<Int64, FailureTemplate>(limit: 9 << 19) { $1.cost }
  private var names = NameCache()

  init(_ filter: DigestFilter, _ format: ExportFormat, fullPage: Int = 1 << 19) {
    self.fullPage = fullPage
    self.filter = filter
    self.format = format
    scan = DigestCursor(filter)
  }

  /// Reads a page.
  ///
  /// - Parameter body: called with each digest of the page.
  mutating func page(
    of ids: ClosedRange<Int64>,
    on connection: Connection,
    _ body: (StoredDigest) throws -> Void = { _ in }
  ) throws -> (LinePage, PageEnd) {
    let identity = try connection.text("SELECT identity FROM store") ?? ""
    let findFailure = try StoredFailure.statement(filter, connection)
    var page = LinePage()
    page.bytes.reserveCapacity(fullPage + 1 << 14)
    var beginning: [UInt8] = []
    let scan = scan
    let end = try scan.readPage(of: ids, on: connection) { digest in
      beginning.removeAll(keepingCapacity: true)
      format.appendBeginning(
        id: digest.externalID(identity),
        at: digest.recordedAt,
        model: try names.model(digest.model, connection),
        release: try names.release(digest.release, connection),
        to: &beginning
      )
      let (length, repeats) = (page.bytes.count, page.repeats.count)
      do {
        switch format {
        case .ndjson: try appendLine(digest, beginning, findFailure, to: &page)
        case .rows: try appendRows(digest, beginning, findFailure, to: &page)
        }
      } catch {
        page.bytes.removeSubrange(length...)
        page.repeats.removeSubrange(repeats...)
        throw error
      }
      try body(digest)
      return page.bytes.count < fullPage
    }
    return (page, end)
  }

  /// Appends a whole digest, if one of its failures matches the filter.
  private mutating func appendLine(
    _ digest: StoredDigest,
    _ beginning: [UInt8],
    _ findFailure: borrowing Statement,
    to page: inout LinePage
  ) throws {
    let start = page.bytes.count
    page.bytes += beginning
    var isMatching = !filter.choosesFailures
    var isFirst = true
    var errors: Int64 = 0
    var reader = digest.reader
    while try reader.next() {
      let template = try template(reader.failure, findFailure)
      // An import would refuse the line, and with it the whole file.
      errors = errors.adding(count: reader.count)
      guard errors <= DigestLine.maximumCount else { throw UnreadableRow.tooManyErrors }
      isMatching = isMatching || template.failure.isMatching
      if !isFirst { page.bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      template.append(reader, to: &page.bytes)
    }
    if isMatching {
      page.bytes.append(contentsOf: "]}\n".utf8)
    } else {
      page.bytes.removeSubrange(start...)
    }
  }

  /// Appends the errors of a digest that match the filter.
  private mutating func appendRows(
    _ digest: StoredDigest,
    _ beginning: [UInt8],
    _ findFailure: borrowing Statement,
    to page: inout LinePage
  ) throws {
    var rows: Int64 = 0
    var reader = digest.reader
    while try reader.next() {
      let template = try template(reader.failure, findFailure)
      guard template.failure.isMatching else { continue }
      let count = reader.count
      rows = rows.adding(count: count)
      guard rows <= DigestLine.maximumCount else { throw UnreadableRow.tooManyErrors }
      let start = page.bytes.count
      page.bytes += beginning
      template.append(reader, to: &page.bytes)
      if count > 1 { page.repeats.append((start..<page.bytes.count, count)) }
    }
  }

  private mutating func template(
    _ failure: Int64,
    _ find: borrowing Statement
  ) throws -> FailureTemplate {
    let format = format
    return try failures.value(failure) {
      FailureTemplate(try StoredFailure.find(failure, find), format)
    }
  }
}

/// The text of a page of digests.
struct LinePage: Sendable {
  /// The most bytes of repeated text to write at once.
  private static let block = 1 << 16

  var bytes: [UInt8] = []

  /// The ranges of `bytes` to repeat, in ascending order; all other bytes are written once.
  var repeats: [(range: Range<Int>, count: Int64)] = []

  /// Writes the text, in bounded memory however often a range is repeated.
  func forEachPart(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    var start = 0
    for (range, count) in repeats {
      try body(bytes[start..<range.lowerBound])
      let times = max(1, min(count, Int64(Self.block / range.count)))
      let block = Array([ArraySlice<UInt8>](repeating: bytes[range], count: Int(times)).joined())
      for _ in 0..<count / times { try body(block[...]) }
      try body(block[..<(Int(count % times) * range.count)])
      start = range.upperBound
    }
    if start < bytes.count { try body(bytes[start...]) }
  }
}
