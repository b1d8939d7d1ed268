import ResilientPlatform

/// A new store that is built under a temporary name in the target's directory, and published as a
/// whole.
struct StagedStore: ~Copyable {
  let path: String
  private let place: String

  /// Creates an empty file in the directory of a path that has no store.
  ///
  /// - Returns: nil if something exists at the path already, or if no file can be created.
  init?(for place: String) {
    // SQLite would use a lone log for the new database.
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

  /// Publishes the store at its path. Close it first.
  ///
  /// - Returns: false if another store was published first. It stays unchanged.
  /// - Throws: ``DigestStoreError`` if the store is not complete or cannot be published.
  func publish() throws -> Bool {
    guard FileIdentity.size(of: path + "-wal") == 0 else {
      throw DigestStoreError(
        .inputOutput, "\(place): the write-ahead log could not be copied; check the disk")
    }
    // A link never replaces a file; a rename does.
    if link(path, place) == 0 { return true }
    var reason = errno
    if reason != EEXIST {
      // Some file systems have no links. There a lock prevents other stores from being created
      // meanwhile.
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
