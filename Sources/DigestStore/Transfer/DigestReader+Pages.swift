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
    var pages = try DigestPages(of: scan, in: self, reader, read: readPage)
    while let page = try pages.next() {
      guard try handle(page) else { break }
      progress?(pages.progress)
    }
    return pages.unreadable
  }
}

/// Pages of digests, read one at a time.
struct DigestPages<Reader: Sendable, Page: Sendable>: Sendable {
  typealias Read =
    @Sendable (inout Reader, ClosedRange<Int64>, Connection) throws -> (Page, PageEnd)

  private let store: DigestReader
  private let reader: Locked<Reader>
  private let readPage: Read
  private var ranges: ArraySlice<ClosedRange<Int64>>
  private let total: Int
  private var done = 0

  /// The number of digests that were skipped because they cannot be read.
  private(set) var unreadable = 0

  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  init(
    of scan: DigestCursor, in store: DigestReader, _ reader: Reader, read: @escaping Read
  ) throws {
    self.store = store
    self.reader = Locked(reader)
    readPage = read
    let ranges = try store.read { try scan.ranges($0) }
    self.ranges = (scan.isNewestFirst ? ranges.reversed() : ranges)[...]
    total = ranges.reduce(0) { $0 + $1.count }
  }

  /// The number of digests examined so far.
  var progress: DigestReader.Progress {
    DigestReader.Progress(unit: .digests, done: done, total: total)
  }

  /// Reads the next page, and releases the file.
  mutating func next() throws -> Page? {
    guard let ids = ranges.popFirst() else { return nil }
    let (reader, readPage) = (reader, readPage)
    let (page, end) = try store.read { connection in
      try reader.withLock { try readPage(&$0, ids, connection) }
    }
    unreadable += end.unreadable
    done += ids.count - (end.rest?.count ?? 0)
    if let rest = end.rest { ranges = [rest] + ranges }
    return page
  }
}
