/// The size of a database file in pages. Pages that are still in the write-ahead log count as if
/// they were in the file.
struct FileSize {
  var pages: Int
  var freePages: Int
  var pageSize: Int

  /// The size of the file, in bytes.
  var bytes: Int { pages * pageSize }

  /// The size of the file without its free pages, in bytes.
  ///
  /// The file contains pointer-map pages. Each maps as many of the pages after it as a fifth of the
  /// page size in bytes (SQLite, "Database File Format", section 1.8). Fewer pages need fewer maps.
  var usedBytes: Int {
    let mapped = max(1, pageSize / 5)
    let lastMap = pages < 2 ? 0 : (pages - 2) / (mapped + 1) * (mapped + 1) + 2
    let needlessMaps = max(0, (freePages - pages + lastMap + mapped) / mapped)
    return (pages - freePages - needlessMaps) * pageSize
  }
}

/// Reads the size of a database file.
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
