import ResilientDecoding
import ResilientPlatform

extension DigestReader {
  /// Reads pages of digests, and releases the file before it handles each.
  ///
  /// - Parameters:
  ///   - reader: state that is kept from page to page.
  ///   - read: reads a page, and returns its end.
  ///   - handle: returns whether to go on.
  ///   - progress: called with the number of digests examined so far.
  /// - Returns: the number of digests that were skipped because they cannot be read.
  @discardableResult
  func forEachPage<Reader: Sendable, Page: Sendable>(
    of scan: DigestCursor,
    _ reader: Reader,
    read readPage: @escaping DigestPages<Reader, Page>.Read,
    handle: (Page) throws -> Bool,
    progress: ((DigestReader.Progress) -> Void)? = nil
  ) throws -> Int {
    var pages = try pages(of: scan, reader, read: readPage)
    while let page = try next(of: &pages) {
      guard try handle(page) else { break }
      progress?(pages.progress)
    }
    return pages.unreadable
  }

  /// Begins to read pages of digests.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  func pages<Reader: Sendable, Page: Sendable>(
    of scan: DigestCursor, _ reader: Reader, read: @escaping DigestPages<Reader, Page>.Read
  ) throws -> DigestPages<Reader, Page> {
    let ranges = try self.read { try scan.ranges($0) }
    return DigestPages(
      reader: Locked(reader), read: read,
      ranges: (scan.isNewestFirst ? ranges.reversed() : ranges)[...],
      total: ranges.sum(of: \.count))
  }

  /// Reads the next page, and releases the file; nil at the end.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  func next<Reader: Sendable, Page: Sendable>(
    of pages: inout DigestPages<Reader, Page>
  ) throws -> Page? {
    guard let ids = pages.ranges.first else { return nil }
    let (reader, readPage) = (pages.reader, pages.read)
    let (page, end) = try read { connection in
      try reader.withLock { try readPage(&$0, ids, connection) }
    }
    pages.finish(ids, end)
    return page
  }
}

/// Pages of digests that are read one at a time.
struct DigestPages<Reader: Sendable, Page: Sendable>: Sendable {
  typealias Read =
    @Sendable (inout Reader, ClosedRange<Int64>, any Engine) throws -> (Page, PageEnd)

  fileprivate let reader: Locked<Reader>
  fileprivate let read: Read

  /// The ids of the digests that are left.
  fileprivate var ranges: ArraySlice<ClosedRange<Int64>>

  fileprivate let total: Int
  private var done = 0

  /// The number of digests that were skipped because they cannot be read.
  private(set) var unreadable = 0

  fileprivate init(
    reader: Locked<Reader>, read: @escaping Read, ranges: ArraySlice<ClosedRange<Int64>>, total: Int
  ) {
    self.reader = reader
    self.read = read
    self.ranges = ranges
    self.total = total
  }

  /// The number of digests examined so far.
  var progress: DigestReader.Progress {
    DigestReader.Progress(unit: .digests, done: done, total: total)
  }

  /// Goes behind a page.
  fileprivate mutating func finish(_ ids: ClosedRange<Int64>, _ end: PageEnd) {
    unreadable += end.unreadable
    done = done.adding(count: ids.count - (end.rest?.count ?? 0))
    ranges.removeFirst()
    if let rest = end.rest { ranges = [rest] + ranges }
  }
}
