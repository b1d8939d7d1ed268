import ResilientPlatform

extension DigestStore {
  /// The lines of an export as an asynchronous sequence: see
  /// ``DigestReader/exportedLines(matching:in:)``.
  public struct ExportedLines: AsyncSequence, Sendable {
    fileprivate let store: DigestReader
    fileprivate let filter: DigestFilter
    fileprivate let part: IncrementalExport?

    /// Begins an export.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(pages: ExportPages(store: store, filter: filter, part: part))
    }

    /// Reads some digests at a time, on another thread.
    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let pages: ExportPages
      private var lines: ArraySlice<String> = []

      fileprivate init(pages: ExportPages) { self.pages = pages }

      /// Returns the next line.
      ///
      /// - Throws: ``DigestStoreError`` when the file cannot be read; `CancellationError` when the
      ///   task is cancelled.
      public mutating func next() async throws -> String? {
        while lines.isEmpty {
          let pages = pages
          guard let page = try await pages.store.perform({ try pages.next() }) else { return nil }
          lines = page[...]
        }
        return lines.popFirst()
      }
    }
  }
}

extension DigestReader {
  /// Exports digests as ``exportDigests(matching:in:to:)`` does, at the pace of the consumer:
  ///
  ///     for try await line in store.exportedLines() { try await send(line) }
  ///
  /// Keeps a few digests in memory. Between two lines it holds neither the file nor a thread.
  /// Digests that cannot be read are skipped, and after the last line the sequence throws an error
  /// with code `damaged`: ``verify(progress:)`` finds them.
  ///
  /// - Parameters:
  ///   - filter: the digests to export.
  ///   - part: the digests written since an earlier export; nil for all.
  public final func exportedLines(
    matching filter: DigestFilter = DigestFilter(),
    in part: DigestStore.IncrementalExport? = nil
  ) -> DigestStore.ExportedLines {
    DigestStore.ExportedLines(store: self, filter: filter, part: part)
  }
}

/// The pages of an export as lines. One page is read at a time.
private final class ExportPages: Sendable {
  private struct LineState: Sendable {
    var digests: DigestPages<LineExporter, [UInt8]>?
    var decodes: DecodeCursor?
    var hasBegun = false
  }

  let store: DigestReader
  private let filter: DigestFilter
  private let part: DigestStore.IncrementalExport?
  private let state = Locked(LineState())

  init(store: DigestReader, filter: DigestFilter, part: DigestStore.IncrementalExport?) {
    self.store = store
    self.filter = filter
    self.part = part
  }

  /// Reads the next page; nil at the end.
  func next() throws -> [String]? {
    try state.withLock { state in
      if !state.hasBegun {
        let scan = DigestCursor(filter, in: part)
        state.digests = try store.pages(of: scan, LineExporter(scan.filter, .ndjson)) {
          pages, ids, connection in
          try pages.page(of: ids, on: connection)
        }
        if !filter.choosesFailures {
          state.decodes = DecodeCursor(after: part)
        }
        state.hasBegun = true
      }
      if var digests = state.digests, let page = try store.next(of: &digests) {
        state.digests = digests
        return page[...].lines
      }
      let unreadable = state.digests?.unreadable ?? 0
      guard let cursor = state.decodes else {
        guard unreadable == 0 else {
          throw DigestStoreError(
            .damaged, "\(store.path): \(unreadable) digests cannot be read; all others are exported"
          )
        }
        return nil
      }
      let (page, next) = try store.snapshot { try $0.decodes(matching: filter, from: cursor) }
      state.decodes = next
      var bytes: [UInt8] = []
      for record in page { record.appendLine(to: &bytes) }
      return bytes[...].lines
    }
  }
}
