import Dispatch
import ResilientDecoding
import ResilientPlatform

/// A SQLite file that keeps every flushed digest and counts its failures exactly.
///
/// Any number of threads can share a store, and any number of processes a file. Recording never
/// throws into the app: the store counts digests that it cannot write, and reports them to
/// ``Configuration-swift.struct/onWriteFailure``. Reports throw ``DigestStoreError``; all of them
/// are methods of ``DigestReader``.
///
/// A process needs one store per file. ``close()`` closes the store, and so does its
/// deinitialization.
// Sendable: all properties are constants of Sendable types.
public final class DigestStore: DigestReader, @unchecked Sendable {
  /// The configuration that the store was opened with.
  public let configuration: Configuration

  let file: StoreFile
  let queue: WriteQueue
  let maintenance: Maintenance

  /// Where asynchronous recordings wait for the file: not behind a report of ``perform(_:)``, and
  /// on several queues, because threads that write together share a transaction.
  let recordingQueues = (0..<8).map { DispatchQueue(label: "DigestStore.recordErrors.\($0)") }

  /// Suspends the store with the app, if the configuration says so.
  let suspension: AutomaticSuspension?
  private let lifecycleObserver: (any Sendable)?

  /// Opens the store at `path`, or makes a new one that only its owner can read and write (mode
  /// 0600).
  ///
  /// A file with an older schema is migrated. A damaged file is renamed to `<path>.broken-<time>`
  /// and replaced by a new one. The directory must exist;
  /// ``application(named:group:configuration:)`` creates one for an app.
  ///
  /// A locked file or a full disk does not throw: the store opens the file later. Until then it
  /// keeps digests for a locked file, and counts those that it cannot write to a full disk.
  ///
  /// - Parameters:
  ///   - path: the file. SQLite keeps two more files beside it, with `-wal` and `-shm` appended to
  ///     the name. Once the store is closed, an empty `-wal` and a `-shm` hold no data. Keep a
  ///     `-wal` that is not empty.
  ///   - configuration: how the store writes, and what it keeps.
  /// - Throws: ``DigestStoreError`` when the file is not a store, is newer than this version, has an
  ///   index or a trigger of another program on a table of the store, or cannot be opened.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    let resolvedPath = path.resolvedPath
    let isNew: Bool
    let file: StoreFile
    do {
      try path.checkIsFile()
      isNew = try FileIdentity.find(resolvedPath) == nil
      file = try StoreFile(path: resolvedPath, configuration: configuration)
    } catch {
      throw DigestStoreError(error, path: path, insteadOf: resolvedPath)
    }
    self.file = file
    self.configuration = configuration
    queue = WriteQueue(file)
    maintenance = Maintenance(file, queue, clock: configuration.clock)
    let suspension = configuration.suspension == .automatic ? AutomaticSuspension() : nil
    self.suspension = suspension
    lifecycleObserver = suspension?.followingApp()
    super.init(path: path, file.readers, clock: configuration.clock)
    suspension?.begin(
      suspend: { [weak self] in self?.suspend() }, resume: { [weak self] in self?.resume() })
    ExitFlush.add(queue) { [weak queue] in queue?.writeAtExit() }
    // The file may have digests that are too old for this configuration.
    if configuration.maximumAge != nil, !isNew { maintenance.request([.fold, .evict]) }
  }

  deinit {
    // A suspended store has no thread that would write the digests it keeps.
    if queue.isSuspended { maintenance.request(queue.resume { file.resume() }) }
    // The thread retains what it needs until it has written the digests handed over.
    maintenance.stop(andWait: false)
  }

  /// Closes the file, and waits until it can be moved or deleted.
  ///
  /// Digests handed over earlier are written first, including those kept by a suspended store. If
  /// another process keeps the file busy for two seconds, they are lost and reported to
  /// `onWriteFailure`. A later report throws. A later flush, or a concurrent one that comes too
  /// late, is reported to `onWriteFailure`. Closing a store twice has no effect.
  ///
  /// - Throws: ``DigestStoreError`` when digests could not be written and the file cannot record
  ///   that loss now either. The store is closed anyway.
  public override func close() throws {
    let busyError = queue.close { file.resume() }
    maintenance.stop(andWait: true)
    // Maintenance would wait for the busy file as well, and the digests have already waited.
    if busyError == nil { maintenance.performDue() }
    try mappingErrors { try queue.withVisit(closesFile: true) { try file.close(after: busyError) } }
  }

  /// Waits until each digest flushed earlier is in the file, or was reported to `onWriteFailure`,
  /// and writes the number of decodes counted so far.
  ///
  /// Waits at most two seconds for a file that another process keeps busy, and as long again if
  /// another thread of the store is waiting for it. Then it reports the digests that still wait
  /// (``WriteFailure/isKept``), and returns.
  ///
  /// Needed for digests only with ``Writing/inBackground(maximumBytes:)``. Returns at once while
  /// the store is suspended.
  public func flush() {
    maintenance.request(queue.drain(reportsKept: true))
  }

  /// Closes the file until ``resume()``, so that this process holds no lock on it.
  ///
  /// For apps that the system suspends: iOS terminates an app that is suspended while it holds a
  /// lock on a file in a shared container (exception code `0xdead10cc`). The store first writes all
  /// digests flushed or handed over so far, and waits for a running report to finish: call this
  /// where you can wait. An export stops after the page that it is reading.
  ///
  /// Digests flushed while the store is suspended, and those that wait for a busy file, stay in
  /// memory, up to the number of bytes set by ``Configuration-swift.struct/writing`` (default: 4
  /// MiB). Digests beyond that are counted as ``DigestStore/Loss/Reason-swift.struct/overflow``. A
  /// report throws ``DigestStoreError`` with code `suspended`.
  public override func suspend() {
    queue.suspend { file.suspend() }
  }

  /// Opens the file again and, before it returns, writes the digests flushed since ``suspend()``.
  ///
  /// Has no effect on a store that is not suspended.
  public override func resume() {
    maintenance.request(queue.resume { file.resume() })
    if !file.pendingDecodes.isEmpty { maintenance.request(.writeSoon) }
  }

  override func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try mappingErrors { try file.reading(body) }
  }

  /// Runs `body` with the only writer of this process, while nothing else is written.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    try mappingErrors { try queue.withVisit { try file.write(body) } }
  }

  /// Runs one step of maintenance.
  func step<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    try mappingErrors { try maintenance.step(body) }
  }
}
