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
