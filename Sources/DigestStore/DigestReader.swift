import Dispatch
package import ResilientPlatform

/// Reads a store: its reports, digests and losses.
///
/// Make a reader to look at a store that another process writes. A ``DigestStore`` is a reader too,
/// so an app can use all of this on its own store.
///
///     let reader = try DigestReader(path: "digests.sqlite")
///     for row in try reader.novelValues(limit: 10) {
///       print(row.occurrences, row.codingPath, row.novelValue ?? "")
///     }
///
/// Any number of threads can share a reader. Reports never wait for writers, and writers never wait
/// for reports. They throw ``DigestStoreError``. ``close()`` closes the file, and so does the
/// reader's deinitialization.
// Sendable: all properties, also those of the subclass, are constants of types that are Sendable.
// The compiler checks that of final classes only.
public class DigestReader: @unchecked Sendable {
  /// The path that the file was opened with.
  ///
  /// A relative path is resolved once, when the file is opened, so the process may change its
  /// directory.
  public let path: String

  private let connections: any EngineConnections

  let clock: @Sendable () -> Date

  /// The queue of ``perform(_:)``. Unlike a global queue, it never takes a thread of the pool that
  /// runs tasks.
  private let performQueue = DispatchQueue(label: "DigestReader.perform")

  /// Makes a reader of any database.
  ///
  /// - Parameter path: the path, or the name of the database in messages.
  package init(
    path: String,
    _ connections: any EngineConnections,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.path = path
    self.connections = connections
    self.clock = clock
  }

  /// Opens the store at `path` for reports, and changes nothing in the file.
  ///
  /// To migrate a file with an older schema, open it once as a ``DigestStore``.
  ///
  /// - Throws: ``DigestStoreError`` when there is no such file, or when it is not a store, has an
  ///   older schema, is newer than this version, is damaged, or cannot be read.
  public convenience init(path: String) throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(
        .noSuchStore, "\(path): no such store; DigestStore(path:configuration:) makes one")
    }
    do {
      try path.checkIsFile()
    } catch {
      throw DigestStoreError(error, path: path)
    }
    self.init(path: path, ReaderConnections(path: path.resolvedPath))
    try read { _ in }
  }

  /// Closes the file, and waits until it can be moved or deleted.
  ///
  /// A later report throws. Closing a reader twice has no effect.
  ///
  /// - Throws: never for a reader that is not a ``DigestStore``.
  public func close() throws {
    connections.close()
  }

  /// Closes the file until ``resume()``, so that this process holds no lock on it.
  ///
  /// For apps that the system suspends: iOS terminates an app that is suspended while it holds a
  /// lock on a file in a shared container (exception code `0xdead10cc`). Waits for a running report
  /// to finish. A later report throws ``DigestStoreError`` with code `suspended`.
  public func suspend() {
    connections.suspend()
  }

  /// Allows reports again after ``suspend()``.
  ///
  /// Has no effect on a reader that is not suspended.
  public func resume() {
    connections.resume()
  }

  /// Runs `body`, which reads the file, and throws its errors as those of a store.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try mappingErrors {
      do {
        return try body()
      } catch let damage as FileDamage {
        throw try fileConnections.confirm(damage) ? damage.error : SQLiteError.failedRead
      }
    }
  }
}

extension DigestReader {
  /// Runs work that waits for the disk on a queue of this reader, so that it blocks no task.
  ///
  ///     let values = try await store.perform { try store.novelValues(limit: 20) }
  ///
  /// Every method of a store may wait: for the disk, and for another process. The queue runs one
  /// closure at a time, so do not wait in one for another. Work that has begun is not interrupted
  /// when the task is cancelled.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the work begins; errors of
  ///   `work`.
  public final func perform<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      performQueue.async {
        continuation.resume(with: Swift.Result(catching: work))
      }
    }
  }
}

extension DigestReader {
  /// The connections to the file.
  ///
  /// - Throws: ``DigestStoreError`` for a server.
  var fileConnections: ReaderConnections {
    get throws {
      guard let file = connections as? ReaderConnections else {
        throw DigestStoreError(.invalidInput, "\(path) isn't a file; name the file of a store")
      }
      return file
    }
  }

  /// Runs `body` with the connection for reports.
  func read<Value: Sendable>(_ body: @Sendable (any Engine) throws -> Value) throws -> Value {
    try reading { try connections.read(body) }
  }

  /// Runs `body` with the connection for reports to the file.
  func readFile<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    let file = try fileConnections
    return try reading { try file.read(body) }
  }

  /// Runs `body` with the connection for reports, and a snapshot of the database.
  func snapshot<Value: Sendable>(
    _ body: @Sendable (any Engine) throws -> Value
  ) throws -> Value {
    // A snapshot of ``atOneMoment(_:)`` may be open already.
    try read { connection in try connection.inSnapshot { try body(connection) } }
  }

  /// Runs `body`, whose reports all see the file as it is now, so that their numbers agree.
  ///
  /// `body` must not wait for anyone: meanwhile the app cannot empty its write-ahead log. Only one
  /// thread may use the reader.
  package func atOneMoment<Value>(_ body: () throws -> Value) throws -> Value {
    // SQLite takes the snapshot with the first read of a transaction.
    try read { connection in
      try connection.beginSnapshot()
      _ = try connection.integer("SELECT folded FROM store")
    }
    defer { connections.endMoment() }
    return try body()
  }

  /// Runs `body` with a snapshot on a separate connection: for long reads, while other reports
  /// continue.
  func readAlone<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    let file = try fileConnections
    return try reading {
      try file.readAlone { connection in
        try connection.reading { try body(connection) }
      }
    }
  }

  /// Runs `body`, and throws its errors as those of a store, with the path that the app passed.
  func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw DigestStoreError(
        (error as? FileDamage)?.error ?? error, path: path,
        insteadOf: (connections as? ReaderConnections)?.path ?? path)
    }
  }
}
