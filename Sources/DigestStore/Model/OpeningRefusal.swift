import CSQLite
import ResilientPlatform

/// The reason why the system does not let a process open or create a file, and a remedy.
struct OpeningRefusal: Equatable {
  let code: DigestStoreError.Code
  let description: String

  /// What is known of the place of a file.
  struct Place {
    var directory: String

    /// Whether no file can be seen: there is none, or the directory may not be searched.
    var isFileMissing = true
    var isDirectoryMissing = false

    /// Whether the system encrypts files while the device is locked.
    var hasDataProtection = false
  }

  /// Explains an error of the system; nil if it says no more than SQLite's own error.
  ///
  /// - Parameter systemCode: the `errno` of the system call that failed.
  init?(systemCode: Int32, at place: Place) {
    switch systemCode {
    case EPERM where place.hasDataProtection:
      self.init(.protected, "the file is protected until the device is unlocked; try again then")
    case ENOENT where place.isDirectoryMissing:
      self.init(.inputOutput, "the directory \(place.directory) does not exist; create it first")
    case ENOTDIR:
      self.init(.inputOutput, "\(place.directory) is not a directory; choose another path")
    case EACCES where place.isFileMissing, EPERM where place.isFileMissing, EROFS:
      self.init(
        .readOnly,
        "the directory \(place.directory) may not be used; check its permissions or choose another one, in "
          + "an app that of DigestStore.application()")
    default: return nil
    }
  }

  /// Explains an error of SQLite that opens a file.
  init?(_ error: SQLiteError, path: String) {
    let directory = path.resolvedPath.directory
    var place = Place(directory: directory, isDirectoryMissing: FileIdentity.isMissing(directory))
    if case .file = FileIdentity.lookUp(path) { place.isFileMissing = false }
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      place.hasDataProtection = true
    #endif
    switch error.primaryCode {
    case SQLITE_CANTOPEN: self.init(systemCode: error.systemCode, at: place)
    // Apple's SQLite reports this for a protected file.
    case SQLITE_AUTH where place.hasDataProtection: self.init(systemCode: EPERM, at: place)
    default: return nil
    }
  }

  private init(_ code: DigestStoreError.Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
