import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes a store of lines of NDJSON at a path, and deletes it again.
enum TemporaryStore {
  /// - Parameters:
  ///   - pages: lines of NDJSON, each with its line break.
  ///   - path: a path without a file. No other files are made than there and SQLite's own.
  ///   - body: gets the store, and how many of the lines are not digests, as a pusher may send anything.
  static func with<Value>(
    _ pages: [String], at path: String, _ body: (DigestStore, _ unreadable: Int) throws -> Value
  ) throws -> Value {
    let files = ["", "-wal", "-shm", "-journal"].map { path + $0 }
    // The directory is deleted with all that is left in it.
    defer { for file in files { unlink(file) } }
    // The lines have the name of the store only until they are open.
    guard FileManager.default.createFile(atPath: path, contents: Data(pages.joined().utf8)) else {
      throw failure(path)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    unlink(path)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    // Not by way of a draft, whose name nobody knows.
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
