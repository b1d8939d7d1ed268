import ResilientPlatform

/// A new store that is built under a temporary name in the target's directory, and published as a
/// whole.
struct StagedStore: ~Copyable {
  private static let patience = Connection.Patience.default.rawValue

  let path: String
  private let place: String

  /// Creates an empty file in the directory of a path that has no store.
  ///
  /// - Returns: nil if something exists at the path already, or if no file can be created.
  init?(for place: String) {
    // SQLite would use a lone log for the new database.
    guard !place.isEmpty,
      lockingDirectory(of: place, waiting: Self.patience, { $0 && Self.isFree(place) })
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
    return try lockingDirectory(of: place, waiting: Self.patience) { isLocked in
      guard isLocked, Self.isFree(place) else { return false }
      // A link never replaces a file; a rename does. Some file systems have no links.
      if link(path, place) == 0 { return true }
      if errno == EEXIST { return false }
      if rename(path, place) == 0 { return true }
      throw DigestStoreError(
        .inputOutput,
        "\(place): the new store cannot be put there (\(String(cString: strerror(errno)))); check "
          + "the directory")
    }
  }

  /// Whether a path has neither a store nor the log of one that was moved away. The directory must be
  /// locked.
  private static func isFree(_ place: String) -> Bool {
    FileIdentity.isMissing(place) && QuarantinedFile.removeNeedlessCompanions(of: place)
  }
}
