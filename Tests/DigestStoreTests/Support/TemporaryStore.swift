import Foundation
import ResilientDecoding
import ResilientPlatform

@testable import DigestStore

/// A folder with a store in it that is gone when the test is over.
final class TemporaryStore: Sendable {
  let folder: URL
  let store: DigestStore

  /// What the store told of failed writes.
  let failures: FailureLog

  var path: String { store.path }

  init(_ configuration: DigestStore.Configuration = DigestStore.Configuration()) throws {
    folder = try Self.makeFolder()
    let failures = FailureLog()
    var configuration = configuration
    configuration.onWriteFailure = { failures.append($0) }
    store = try DigestStore(
      path: folder.appending(path: "digests.sqlite").path, configuration: configuration)
    self.failures = failures
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "digest-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
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

  /// Folds what is not folded yet, as another process would.
  func foldAll() throws {
    let fold = try Fold(Connection(path: path, mode: .readWrite))
    while try fold.run() > 0 {}
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
    url = try TemporaryStore.makeFolder()
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

  func append(_ failure: DigestStore.WriteFailure) {
    failures.withLock { $0.append(failure) }
  }
}
