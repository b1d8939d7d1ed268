import Foundation
import ResilientDecoding
import ResilientPlatform

@testable import DigestStore

/// A folder with a store in it that is gone when the test is over.
final class TemporaryStore: Sendable {
  let store: DigestStore
  private let temporary: TemporaryFolder

  /// What the store told of failed writes.
  let failures: FailureLog

  var folder: URL { temporary.url }
  var path: String { store.path }

  /// Makes a store, and writes digests to it.
  init(
    _ configuration: DigestStore.Configuration = DigestStore.Configuration(),
    holding records: [DigestRecord] = []
  ) throws {
    temporary = try TemporaryFolder()
    let failures = FailureLog()
    var configuration = configuration
    configuration.onWriteFailure = { failures.append($0) }
    store = try DigestStore(
      path: temporary.url.appending(path: "digests.sqlite").path, configuration: configuration)
    self.failures = failures
    try store.appendAll(records)
  }

  convenience init(
    _ configuration: DigestStore.Configuration = DigestStore.Configuration(),
    holding record: DigestRecord, _ others: DigestRecord...
  ) throws {
    try self.init(configuration, holding: [record] + others)
  }

  /// Reads a column of text through a connection that is not the store's, and trusts it no further
  /// than a reader of the public views may.
  func query(_ sql: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    try connection.execute("PRAGMA trusted_schema = OFF")
    return try connection.rows(sql) { $0.text(at: 0) ?? "null" }
  }

  /// The names of the files in the folder, as of ``Foundation/URL/storeFiles()``.
  func files() throws -> [String] { try folder.storeFiles() }

  /// What the two columns of a view have that say what was found.
  func found(in view: String) throws -> [String] {
    try query("SELECT ifnull(found_type, '-') || '|' || ifnull(found_value, '-') FROM \(view)")
  }

  /// The errors in the view: path, kind, expected type, novel value, and what was found.
  func errors() throws -> [String] {
    try query(
      """
      SELECT coding_path || '|' || kind || '|' || ifnull(expected_type, '-') || '|'
        || ifnull(novel_value, '-') || '|' || ifnull(found_type, '-') || '|'
        || ifnull(found_value, '-') FROM occurrences
      """)
  }

  /// Folds what is not folded yet, as another process would.
  func foldAll() throws {
    let fold = try Fold(Connection(path: path, mode: .readWrite))
    while try fold.run() > 0 {}
  }

  /// The files that hold something of the store, and whether a text is in the bytes of one.
  func files(containing text: String) throws -> [String] {
    try ["", "-wal", "-shm"].filter { suffix in
      guard FileManager.default.fileExists(atPath: path + suffix) else { return false }
      return try Data(contentsOf: URL(fileURLWithPath: path + suffix)).range(of: Data(text.utf8))
        != nil
    }
  }

  /// Changes the file behind the store's back.
  func execute(_ sql: String) throws {
    try Connection(path: path, mode: .readWrite).execute(sql)
  }
}

extension URL {
  /// The names of the files in a folder, sorted, but for an empty log and the shared memory of a
  /// closed store.
  func storeFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
      guard name.hasSuffix("-wal") || name.hasSuffix("-shm") else { return true }
      return try FileIdentity.size(of: appending(path: "\(name.dropLast(4))-wal").path) > 0
    }
  }
}

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "digest-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}

/// Remembers failed writes.
final class FailureLog: Sendable {
  // No `Mutex`, of which ThreadSanitizer would think on Linux that it lets two threads in.
  private let failures = Locked<[DigestStore.WriteFailure]>([])

  var all: [DigestStore.WriteFailure] { failures.withLock { $0 } }

  /// The code of each failure, and whether the store keeps its digest: `busy kept`.
  var rows: [String] { all.map { "\($0.error.code.rawValue) \($0.isKept ? "kept" : "lost")" } }

  func append(_ failure: DigestStore.WriteFailure) {
    failures.withLock { $0.append(failure) }
  }
}

extension Fold {
  /// Folds the oldest new digests, in one transaction.
  @discardableResult
  func run(limit: Int = Fold.maximumDigests) throws -> Int {
    try connection.transaction { try foldBatch(limit: limit) }
  }
}
