import ResilientPlatform

extension DigestReader {
  /// Reads pages of digests, and releases the file before it handles each.
  ///
  /// - Parameters:
  ///   - read: reads a page, and returns its end.
  ///   - handle: returns whether to go on.
  ///   - progress: called with the number of digests examined so far.
  /// - Returns: the number of digests that were skipped because they cannot be read.
  @discardableResult
  func forEachPage<Page: Sendable>(
    of cursor: DigestCursor,
    read readPage: @escaping DigestPages<Page>.Read,
    handle: (Page) throws -> Bool,
    progress: ((DigestReader.Progress) -> Void)? = nil
  ) throws -> Int {
    var pages = try pages(of: cursor, readPage)
    while let page = try next(of: &pages) {
      guard try handle(page) else { break }
      progress?(pages.progress)
    }
    return pages.unreadable
  }

  /// Begins to read pages of digests.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  func pages<Page: Sendable>(
    of cursor: DigestCursor, _ readPage: @escaping DigestPages<Page>.Read
  ) throws -> DigestPages<Page> {
    let ranges = try read { try cursor.ranges($0) }
    return DigestPages(read: readPage, ranges: cursor.isNewestFirst ? ranges.reversed() : ranges)
  }

  /// Reads the next page, and releases the file; nil at the end.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  func next<Page: Sendable>(of pages: inout DigestPages<Page>) throws -> Page? {
    guard let ids = pages.ranges.first else { return nil }
    let readPage = pages.read
    let (page, end) = try read { try readPage(ids, $0) }
    pages.finish(ids, end)
    return page
  }
}

/// Pages of digests that are read one at a time.
struct DigestPages<Page: Sendable>: Sendable {
  typealias Read = @Sendable (ClosedRange<Int64>, any Engine) throws -> (Page, PageEnd)

  fileprivate let read: Read

  /// The ids of the digests that are left.
  fileprivate var ranges: ArraySlice<ClosedRange<Int64>>

  private let total: Int
  private var done = 0

  /// The number of digests that were skipped because they cannot be read.
  private(set) var unreadable = 0

  fileprivate init(read: @escaping Read, ranges: [ClosedRange<Int64>]) {
    self.read = read
    self.ranges = ranges[...]
    total = ranges.sum(of: \.count)
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
