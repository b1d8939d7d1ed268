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

/// A store of digests that come from elsewhere, in a directory that is gone afterwards.
enum TemporaryStore {
  /// - Parameters:
  ///   - pages: lines of NDJSON, each with its line break.
  ///   - body: also hears how many of the lines are no digests: whoever may push may send anything.
  static func with<Value>(
    _ pages: [String], _ body: (DigestStore, _ unreadable: Int) throws -> Value
  ) throws -> Value {
    var name = Array("\(FileManager.default.temporaryDirectory.path)/digests.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw failure() }
    let directory = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: directory) }  // Only left behind.
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
    // A report has what it has read.
    defer { try? store.close() }
    return try body(store, imported.invalid)
  }

  /// What was kept once is kept.
  private static let everything = DigestStore.Configuration(
    maximumNovelValuesPerPath: .max, maximumFailures: .max, maximumValueLength: .max)

  private static func failure() -> FleetError {
    FleetError(
      .failed,
      "\(FileManager.default.temporaryDirectory.path): \(String(cString: strerror(errno))); name a "
        + "directory that can be written in $TMPDIR")
  }
}
