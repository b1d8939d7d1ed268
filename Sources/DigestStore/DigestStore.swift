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
/// ``Configuration-swift.struct/onWriteFailure``. Reports throw ``DigestStoreError``.
///
/// A process needs one store for each file. It is closed by ``close()``, or when it is let go of.
public final class DigestStore: Sendable {
  /// The path that the store was opened with.
  ///
  /// A relative one was resolved then, so that the process may change its directory.
  public let path: String

  /// What the store was opened with.
  public let configuration: Configuration

  let file: StoreFile
  let queue: WriteQueue
  let maintenance: Maintenance

  /// Opens the store at `path`, or makes a new one that only its owner may read (mode 0600).
  ///
  /// A file of an older version is brought to the schema of this one. One that is damaged is set
  /// aside, as `<path>.broken-<time>`, and a fresh one takes its place. The directory has to exist.
  ///
  /// - Parameters:
  ///   - path: the file; SQLite keeps two more beside it, with `-wal` and `-shm` behind its name.
  ///   - configuration: how the store writes, and what it keeps.
  /// - Throws: ``DigestStoreError`` when the file is something else, newer than this version, or
  ///   cannot be opened.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    try path.checkIsFile()
    let resolvedPath = path.resolvedPath
    let isNew = FileIdentity(path: resolvedPath) == nil
    do {
      file = try StoreFile(path: resolvedPath, configuration: configuration)
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: resolvedPath)
    }
    self.path = path
    self.configuration = configuration
    queue = WriteQueue(file, onWriteFailure: configuration.onWriteFailure)
    maintenance = Maintenance(
      file, queue, maximumAge: configuration.maximumAge, clock: configuration.clock)
    OpenStores.add(self)
    // From now on its thread looks by itself what has become too old.
    if configuration.maximumAge != nil { maintenance.start(with: isNew ? [] : [.fold, .evict]) }
  }

  /// Opens the store at `path` for reports only; nothing of the file is changed.
  ///
  /// A file of an older version is read as it is; what that version did not know is nil. What is
  /// flushed to this store is told to no one; it is for processes that ask.
  ///
  /// - Throws: ``DigestStoreError`` when there is no such file, when it is something else, newer
  ///   than this version, damaged, or cannot be read.
  public init(readingFrom path: String) throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(
        .noSuchStore, "\(path): no such store; init(path:configuration:) makes one")
    }
    try path.checkIsFile()
    let resolvedPath = path.resolvedPath
    do {
      file = try StoreFile(readingFrom: resolvedPath)
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: resolvedPath)
    }
    self.path = path
    self.configuration = Configuration()
    queue = WriteQueue(file, onWriteFailure: nil)
    maintenance = Maintenance(file, queue)
    OpenStores.add(self)
  }

  /// Makes a store of names in memory, whose counts are elsewhere.
  init(name: String, reading connection: sending Connection, _ tallies: any CountSource) {
    file = StoreFile(readingOnly: name, by: connection, tallies)
    path = name
    configuration = Configuration()
    queue = WriteQueue(file, onWriteFailure: nil)
    maintenance = Maintenance(file, queue)
    OpenStores.add(self)
  }

  deinit {
    OpenStores.remove(self)
    // A suspended store has no thread that would write what it has kept.
    if queue.isSuspended { maintenance.request(queue.resume { file.resume() }) }
    // The thread keeps what it needs until it has written what was handed over.
    maintenance.stop(andWait: false)
  }

  /// Closes the file, so that it can be moved or deleted, and waits until that is done.
  ///
  /// Digests that were handed over before are written first, also those that a suspended store has
  /// kept. A later report throws; a later flush, also a concurrent one that comes too late, is
  /// reported to `onWriteFailure`. Calling it twice does nothing.
  ///
  /// - Throws: ``DigestStoreError`` when digests could not be written and the file cannot be told
  ///   so now either; it is closed all the same.
  public func close() throws {
    maintenance.stop(andWait: true)
    maintenance.performDue()
    do {
      try queue.close(resuming: { file.resume() }, { try file.close() })
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
  }

  /// Waits until all that was flushed before is in the file, or told to `onWriteFailure`.
  ///
  /// Needed with ``Writing/inBackground(maximumBytes:)`` only. While the store is suspended it
  /// returns at once.
  public func flush() {
    maintenance.request(queue.drain())
  }

  /// Runs `body` with the connection for reports.
  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    do {
      return try file.read(body)
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
  }

  /// Runs `body` with the only writer of this process, when nothing else is being written.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    do {
      return try queue.withTurn { try file.write(body) }
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
  }
}

extension DigestStore {
  /// Answers a question about one moment.
  func snapshot<Value: Sendable>(
    _ body: @Sendable (Snapshot) throws -> Value
  ) throws -> Value {
    try read { [file] in try Snapshot.of($0, countedBy: file.tallies, body) }
  }

  /// Runs `body`, whose reports all see the file as it is now, so that their numbers agree.
  ///
  /// For a store that was opened for reading. `body` must not wait for anyone: meanwhile the app
  /// cannot empty its write-ahead log. Only one thread may use the store.
  package func atOneMoment<Value>(_ body: () throws -> Value) throws -> Value {
    // SQLite takes the snapshot with the first read of a transaction.
    try read { connection in
      try connection.execute("BEGIN")
      _ = try connection.schemaVersion()
    }
    defer { file.endMoment() }
    return try body()
  }

  /// Answers a question that takes long, while other reports go on.
  func readAlone<Value: Sendable>(_ body: (Snapshot) throws -> Value) throws -> Value {
    do {
      return try file.readAlone { try Snapshot.of($0, countedBy: file.tallies, body) }
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: file.path)
    }
  }
}

extension DigestStore: ForkableStore {
  var pendingDigests: any PendingDigests { queue }

  func reserveTurnForFork() {
    queue.reserveTurnForFork()
  }

  func beginFork() {
    maintenance.beginFork()
    queue.beginFork()
    file.beginFork()
  }

  func endFork(inChild isChild: Bool) {
    file.endFork(inChild: isChild)
    queue.endFork(inChild: isChild)
    maintenance.endFork(inChild: isChild)
  }
}
