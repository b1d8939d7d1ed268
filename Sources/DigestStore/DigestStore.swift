import ResilientDecoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A SQLite file that keeps every flushed digest and counts its failures exactly.
///
/// Any number of threads share one store, any number of processes one file. Recording never throws
/// into the app: what could not be written is counted, and told to
/// ``Configuration-swift.struct/onWriteFailure``.
public final class DigestStore: Sendable {
  /// Where the file is.
  public let path: String

  /// What the store was opened with.
  public let configuration: Configuration

  /// Nil in a store that is only read, and once it is closed.
  private let writer: Locked<Writer?>

  /// Reports have a connection of their own, so that they do not keep a flush waiting.
  private let reader: Locked<Connection?>

  /// Opens the store at `path`, or makes a new one that only its owner may read (mode 0600).
  ///
  /// A file of an older version is brought to the schema of this one.
  ///
  /// - Throws: ``DigestStoreError`` when the file is something else, newer than this version,
  ///   damaged, or cannot be opened.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    do {
      try Self.checkIsFile(path)
      createPrivateFile(at: path)
      let connection = try Connection(path: path, mode: .readWrite)
      try Self.prepare(connection, path: path, durability: configuration.durability)
      writer = try Locked(Writer(connection, maximumValueLength: configuration.maximumValueLength))
      reader = Locked(nil)
    } catch {
      throw DigestStoreError(error, path: path)
    }
    self.path = path
    self.configuration = configuration
  }

  /// Opens the store at `path` for reports only; nothing of the file is changed.
  ///
  /// A file of an older version is read as it is; what that version did not know is nil.
  ///
  /// - Throws: ``DigestStoreError`` when there is no such file, when it is something else, newer
  ///   than this version, damaged, or cannot be read.
  public init(readingFrom path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw DigestStoreError(.noSuchStore, "\(path): no such store")
    }
    do {
      try Self.checkIsFile(path)
      reader = try Locked(Self.openForReading(path))
      writer = Locked(nil)
    } catch {
      throw DigestStoreError(error, path: path)
    }
    self.path = path
    self.configuration = Configuration()
  }

  /// Closes the file, so that it can be moved or deleted.
  ///
  /// A later report throws, a later flush is told to `onWriteFailure`. Calling it twice does nothing.
  ///
  /// - Throws: ``DigestStoreError`` when digests could not be written and the file cannot be told
  ///   so now either; it is closed all the same.
  public func close() throws {
    do {
      // Both locks at once, the reader's first as a report takes them: no report opens it again.
      try reader.withLock { reader in
        reader = nil
        try writer.withLock { writer in
          defer { writer = nil }
          try writer?.close()
        }
      }
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Runs `body` with the connection for reports.
  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    do {
      return try reader.withLock { reader in
        // What no one wrote when it was opened may be written by now: then it is opened again.
        if let reader, reader.mode != .immutable { return try body(reader) }
        let isOpen = reader != nil || writer.withLock { $0 != nil }
        guard isOpen else { throw DigestStoreError.closed(path) }
        let connection = try Self.openForReading(path)
        reader = connection
        return try body(connection)
      }
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Runs `body` with the only writer of this process.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    do {
      return try writer.withLock { writer in
        guard let writer else { throw DigestStoreError.closed(path) }
        return try body(writer)
      }
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }
}

extension DigestStore {
  /// Whether the write-ahead log beside a file has something in it.
  static func hasWAL(_ path: String) -> Bool {
    // A `UInt` with FoundationEssentials, and a number that can be one with Foundation.
    (attributes(of: path + "-wal")?[.size] as? UInt ?? 0) > 0
  }

  /// Sets up a connection that writes, and the file with it if it is new.
  private static func prepare(
    _ connection: Connection,
    path: String,
    durability: Durability
  ) throws {
    _ = try Migrator.version(of: connection, path: path)
    // Space of deleted rows can be given back only if this is set before the first table.
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = \(durability.synchronous)")
    try Migrator.migrate(connection, path: path)
  }

  /// Refuses what SQLite would take for something else, or has no good word for.
  private static func checkIsFile(_ path: String) throws {
    guard !path.isEmpty else {
      throw DigestStoreError(.inputOutput, "the path of the store is empty; name a file")
    }
    if attributes(of: path)?[.type] as? FileAttributeType == .typeDirectory {
      throw DigestStoreError(.inputOutput, "\(path): this is a directory; name a file in it")
    }
  }

  private static func openForReading(_ path: String) throws -> Connection {
    do {
      let connection = try Connection(path: path, mode: .readOnly)
      try check(connection, path: path)
      return connection
    } catch let error as SQLiteError where error.isAboutSharedMemory && !hasWAL(path) {
      // A directory that may not be written, and no one writes there: SQLite cannot make the files
      // that readers of a WAL database share, and there is nothing in a WAL either (SQLite,
      // "Write-Ahead Logging", section "Read-Only Databases").
      let connection = try Connection(path: path, mode: .immutable)
      try check(connection, path: path)
      return connection
    }
  }

  /// Checks that reports can be read, and that whoever made the file cannot make us do more.
  private static func check(_ connection: Connection, path: String) throws {
    try connection.execute("PRAGMA trusted_schema = OFF")
    let version = try Migrator.version(of: connection, path: path)
    guard version > 0 else {
      throw DigestStoreError(
        .notAStore,
        "\(path) is an empty database; let the app write to it first"
      )
    }
    try Migrator.imitateMigrations(since: version, on: connection)
    try connection.execute("PRAGMA query_only = ON")
  }

  /// What the file system says of a file; nil of one that is not there, for SQLite to tell of.
  private static func attributes(of path: String) -> [FileAttributeKey: Any]? {
    try? FileManager.default.attributesOfItem(atPath: path)
  }
}

extension DigestStoreError {
  fileprivate static func closed(_ path: String) -> Self {
    Self(.closed, "\(path): the store is closed or was opened for reading; open it again")
  }
}
