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
    read readPage:
      @Sendable (inout Reader, ClosedRange<Int64>, Connection) throws -> (Page, PageEnd),
    handle: (Page) throws -> Bool,
    progress: ((DigestReader.Progress) -> Void)? = nil
  ) throws -> Int {
    let ranges = try read { try scan.ranges($0) }
    let total = ranges.reduce(0) { $0 + $1.count }
    var done = 0
    var unreadable = 0
    let reader = Locked(reader)
    for range in scan.isNewestFirst ? ranges.reversed() : ranges {
      var rest: ClosedRange<Int64>? = range
      while let ids = rest {
        let (page, end) = try read { connection in
          try reader.withLock { try readPage(&$0, ids, connection) }
        }
        unreadable += end.unreadable
        guard try handle(page) else { return unreadable }
        rest = end.rest
        done += ids.count - (end.rest?.count ?? 0)
        progress?(DigestReader.Progress(unit: .digests, done: done, total: total))
      }
    }
    return unreadable
  }
}
