/// How large a database file is, as its pages tell: what is in the write-ahead log counts as though
/// it were in the file already.
struct FileSize {
  var pages: Int
  var freePages: Int
  var pageSize: Int

  /// The size of the file, in bytes.
  var bytes: Int { pages * pageSize }

  /// What is used of it, in bytes.
  var usedBytes: Int { (pages - freePages) * pageSize }
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
