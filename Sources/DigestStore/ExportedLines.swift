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
  let store: DigestReader
  private let cursor: DigestCursor
  private let lines = Locked<LinePages?>(nil)

  init(store: DigestReader, filter: DigestFilter, part: DigestStore.IncrementalExport?) {
    self.store = store
    cursor = DigestCursor(filter, in: part)
  }

  /// Reads the next page; nil at the end.
  func next() throws -> [String]? {
    try lines.withLock { current in
      var lines = try current ?? store.lines(of: cursor)
      defer { current = lines }
      if let page = try store.next(of: &lines) { return page[...].lines }
      guard lines.unreadable == 0 else {
        throw DigestStoreError(
          .damaged,
          "\(store.path): \(lines.unreadable) digests cannot be read; all others are exported")
      }
      return nil
    }
  }
}
