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

/// Makes a store of lines of NDJSON in a temporary directory.
enum TemporaryStore {
  /// - Parameters:
  ///   - pages: lines of NDJSON, each with its line break.
  ///   - body: gets the store, and how many of the lines are not digests, as a pusher may send anything.
  static func with<Value>(
    _ pages: [String], _ body: (DigestStore, _ unreadable: Int) throws -> Value
  ) throws -> Value {
    var name = Array("\(FileManager.default.temporaryDirectory.path)/digests.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw failure() }
    let directory = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // A failure only leaves the directory behind.
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let lines = "\(directory)/digests.ndjson"
    try Data(pages.joined().utf8).write(to: URL(filePath: lines))
    let descriptor = open(lines, O_RDONLY)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    unlink(lines)
    let path = "\(directory)/digests.sqlite"
    let imported = try DigestStore.importDigests(
      fromFileDescriptor: descriptor, intoStoreAt: path, configuration: everything,
      skippingInvalid: true)
    let store = try DigestStore(readingFrom: path)
    // Closing a store that was only read loses nothing.
    defer { try? store.close() }
    return try body(store, imported.invalid)
  }

  /// No limits: the stores that sent the digests have applied theirs.
  private static let everything = DigestStore.Configuration(
    maximumNovelValuesPerPath: .max, maximumFailures: .max, maximumValueLength: .max)

  private static func failure() -> FleetError {
    FleetError(
      .failed,
      "\(FileManager.default.temporaryDirectory.path): \(String(cString: strerror(errno))); name a "
        + "directory that can be written in $TMPDIR")
  }
}
