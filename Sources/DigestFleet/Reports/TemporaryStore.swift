import DigestStore
import ResilientPlatform

/// Makes a store of lines of NDJSON at a path, and deletes it again.
enum TemporaryStore {
  /// - Parameters:
  ///   - pages: lines of NDJSON, each with its line break.
  ///   - path: where to make the store; no file exists there. SQLite adds its own files beside it.
  ///   - body: receives the store, and the number of lines that are not digests: a pusher may send anything.
  static func with<Value>(
    _ pages: [String], at path: String, _ body: (DigestStore, _ unreadable: Int) throws -> Value
  ) throws -> Value {
    let files = ["", "-wal", "-shm", "-journal"].map { path + $0 }
    // If a file cannot be deleted now, the caller deletes it with the directory.
    defer { for file in files { unlink(file) } }
    // Holds the lines until they are open; then the store takes the name.
    guard FileManager.default.createFile(atPath: path, contents: Data(pages.joined().utf8)) else {
      throw failure(path)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    unlink(path)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    // Made at the path itself, because the caller does not know the name of a draft.
    let store = try DigestStore(path: path, configuration: everything)
    // Nothing is lost with a store that is deleted.
    defer { try? store.close() }
    let imported = try store.importDigests(fromFileDescriptor: descriptor, skippingInvalid: true)
    return try body(store, imported.invalid)
  }

  /// No limits: the stores that sent the digests have applied theirs.
  private static let everything = DigestStore.Configuration(
    maximumNovelValuesPerPath: .max, maximumFailures: .max, maximumValueLength: .max)

  private static func failure(_ path: String) -> FleetError {
    FleetError(
      .failed,
      "\(path): \(String(cString: strerror(errno))); name a directory that can be written in $TMPDIR"
    )
  }
}
