/// The lines of an export, a page at a time: those of digests, then those of decodes.
struct LinePages: Sendable {
  fileprivate let filter: DigestFilter
  fileprivate var digests: DigestPages<[UInt8]>

  /// The hours with clean decodes that are left. A filter for coding paths, kinds or novel values
  /// selects none of them.
  fileprivate var decodes: DecodeCursor?

  /// The number of digests examined so far.
  var progress: DigestReader.Progress { digests.progress }

  /// The number of digests that were skipped because they cannot be read.
  var unreadable: Int { digests.unreadable }
}

extension DigestReader {
  /// Begins to read the lines of an export.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  func lines(of cursor: DigestCursor) throws -> LinePages {
    LinePages(
      filter: cursor.filter,
      digests: try pages(of: cursor) { try cursor.readLines(of: $0, on: $1) },
      decodes: cursor.filter.choosesFailures ? nil : DecodeCursor(after: cursor.part))
  }

  /// Reads the next lines, each with its line break; nil at the end.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  func next(of lines: inout LinePages) throws -> [UInt8]? {
    if let page = try next(of: &lines.digests) { return page }
    guard let cursor = lines.decodes else { return nil }
    let (records, next) = try snapshot { [filter = lines.filter] in
      try $0.decodes(matching: filter, from: cursor)
    }
    lines.decodes = next
    return records.reduce(into: []) { $1.appendLine(to: &$0) }
  }
}

extension DigestCursor {
  /// The length of text, in bytes, at which a page ends, including the digest that reaches it.
  static let fullPage = 1 << 19

  /// Reads a page of lines, each with its line break.
  func readLines(
    of ids: ClosedRange<Int64>, on connection: any Engine
  ) throws -> ([UInt8], PageEnd) {
    var (page, line): ([UInt8], [UInt8]) = ([], [])
    var isMatching = !filter.choosesFailures
    let first = ErrorQuery.firstColumn
    let end = try readPage(of: ids, on: connection, .lines(filter)) { row in
      line.append(contentsOf: (row.text(at: first)?.escapingLineEnds ?? ",").utf8)
      line.append(contentsOf: (row.text(at: first + 1)?.escapingLineEnds ?? "").utf8)
      isMatching = isMatching || row.integer(at: first + 2) != 0
    } endDigest: { isReadable in
      if isReadable, isMatching {
        line.append(contentsOf: "]}\n".utf8)
        page.append(contentsOf: line)
      }
      line.removeAll(keepingCapacity: true)
      isMatching = !filter.choosesFailures
      return page.count < Self.fullPage
    }
    return (page, end)
  }
}

extension String {
  /// The JSON with escapes for the characters that some readers of NDJSON take for line ends.
  fileprivate var escapingLineEnds: String {
    guard utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else { return self }
    return replacingScalars("\u{85}", with: "\\u0085")
      .replacingScalars("\u{2028}", with: "\\u2028").replacingScalars("\u{2029}", with: "\\u2029")
  }
}
