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

/// A new store under another name in the directory of its place, where it appears as a whole.
struct StagedStore: ~Copyable {
  let path: String
  private let place: String

  /// Makes an empty file beside a place that has none.
  ///
  /// - Returns: nil where something is there already, or the directory takes no file.
  init?(for place: String) {
    // A log without its database would be taken for that of the new one.
    guard !place.isEmpty,
      ([""] + QuarantinedFile.companions).allSatisfy({ FileIdentity(path: place + $0) == nil })
    else { return nil }
    var name = Array("\(place).draft-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.place = place
  }

  deinit {
    for companion in QuarantinedFile.companions + [""] { unlink(path + companion) }
  }

  /// Puts the store into its place, once it is closed.
  ///
  /// - Returns: false when another one has got there first, which stays as it is.
  /// - Throws: ``DigestStoreError`` when it is not complete, or cannot be put there.
  func publish() throws -> Bool {
    guard (FileIdentity(path: path + "-wal")?.size ?? 0) == 0 else {
      throw DigestStoreError(
        .inputOutput, "\(place): the write-ahead log could not be copied; check the disk")
    }
    // Unlike a rename, a link replaces nothing.
    if link(path, place) == 0 { return true }
    var reason = errno
    if reason != EEXIST {
      // Some file systems have no links. There a lock keeps other stores from being made meanwhile.
      let patience = Connection.Patience.default.rawValue
      let isRenamed = lockingDirectory(of: place, waiting: patience) { isLocked in
        guard isLocked, FileIdentity.isMissing(place) else { return false }
        defer { reason = errno }
        return rename(path, place) == 0
      }
      if isRenamed { return true }
    }
    guard reason == EEXIST || FileIdentity(path: place) != nil else {
      throw DigestStoreError(
        .inputOutput,
        "\(place): the new store cannot be put there (\(String(cString: strerror(reason)))); check "
          + "the directory")
    }
    return false
  }
}
