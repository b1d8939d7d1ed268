/// How large a database file is, as its pages tell: what is in the write-ahead log counts as though
/// it were in the file already.
struct FileSize {
  var pages: Int
  var freePages: Int
  var pageSize: Int

  /// The size of the file, in bytes.
  var bytes: Int { pages * pageSize }

  /// The size of the file once its free pages are given back, in bytes.
  ///
  /// Among the pages is a map of up to a fifth of a page's bytes of them, before the pages that it maps
  /// (SQLite, "Database File Format", section 1.8); fewer pages need fewer maps.
  var usedBytes: Int {
    let mapped = max(1, pageSize / 5)
    let lastMap = pages < 2 ? 0 : (pages - 2) / (mapped + 1) * (mapped + 1) + 2
    let needlessMaps = max(0, (freePages - pages + lastMap + mapped) / mapped)
    return (pages - freePages - needlessMaps) * pageSize
  }
}

/// Asks how large a file is.
final class FileSizeReader {
  private let pages: Statement
  private let freePages: Statement
  private let pageSize: Int

  init(_ connection: Connection) throws {
    pages = try Statement(connection, "PRAGMA page_count")
    freePages = try Statement(connection, "PRAGMA freelist_count")
    pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
  }

  func read() throws -> FileSize {
    FileSize(
      pages: Int(try pages.firstRow { $0.integer(at: 0) } ?? 0),
      freePages: Int(try freePages.firstRow { $0.integer(at: 0) } ?? 0),
      pageSize: pageSize
    )
  }
}
