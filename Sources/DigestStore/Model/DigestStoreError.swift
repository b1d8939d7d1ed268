import CSQLite
public import ResilientPlatform

/// An error of a store. Its description is one line with the problem and a remedy.
///
/// `localizedDescription` is the same line, in English. It never contains a value from a payload.
public struct DigestStoreError: LocalizedError, Sendable, CustomStringConvertible {
  /// The kind of a problem. Later versions may add more.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, for logs.
    public let rawValue: String

    /// Makes a code, to compare with one that a later version adds.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no file at the path.
    public static let noSuchStore = Code(rawValue: "noSuchStore")
    /// The file is not a store.
    public static let notAStore = Code(rawValue: "notAStore")
    /// The file was written by a newer version.
    public static let newerStore = Code(rawValue: "newerStore")
    /// The contents of the file are damaged.
    public static let damaged = Code(rawValue: "damaged")
    /// Another program has added an index or a trigger to a table of the store, or a table that
    /// hides a function that the store calls. The file is unchanged. The description says how to
    /// remove the object; digests flushed until then are not written.
    public static let foreignSchema = Code(rawValue: "foreignSchema")
    /// Another process kept the file locked for longer than the store waits.
    public static let busy = Code(rawValue: "busy")
    /// The disk is full.
    public static let diskFull = Code(rawValue: "diskFull")
    /// The file may not be written.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The file is encrypted, because the device has not been unlocked since it was started, or is
    /// locked and the file has a stricter protection. Try again once protected data is available.
    public static let protected = Code(rawValue: "protected")
    /// The file cannot be opened, read or written.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// The store has been closed.
    public static let closed = Code(rawValue: "closed")
    /// The store is suspended.
    public static let suspended = Code(rawValue: "suspended")
    /// More digests wait to be written than may be kept in memory.
    public static let overflow = Code(rawValue: "overflow")
    /// The names and total counts of the file exceed the requested size. All else was deleted.
    public static let unreachableSize = Code(rawValue: "unreachableSize")
    /// The arguments or the input of an import are invalid, or not possible for this store.
    public static let invalidInput = Code(rawValue: "invalidInput")
    /// The role at a server lacks a privilege.
    /// An import is of more new stores than it may add.
    package static let tooManyStores = Code(rawValue: "tooManyStores")

    package static let notPermitted = Code(rawValue: "notPermitted")
    /// The URL of a server cannot be used.
    package static let invalidURL = Code(rawValue: "invalidURL")
  }

  /// The kind of the problem.
  public let code: Code

  /// The problem and the remedy.
  public let description: String

  /// The problem and the remedy, which `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// The number of the line of an import that is invalid; nil for another error.
  package let line: Int?

  package init(_ code: Code, _ description: String, line: Int? = nil) {
    self.code = code
    self.description = description
    self.line = line
  }
}

extension DigestStoreError {
  static func closed(_ path: String) -> Self {
    Self(.closed, "\(path): the store is closed; open it again")
  }

  static func suspended(_ path: String) -> Self {
    Self(.suspended, "\(path): the store is suspended; resume it first")
  }

  static func overflow(_ path: String) -> Self {
    Self(.overflow, "\(path): too many digests are waiting to be written; \(overflowRemedy)")
  }

  /// The remedy for digests that arrive faster than they are written, or at a suspended store.
  static let overflowRemedy =
    "find out what keeps the file locked, allow more with .inBackground(maximumBytes:), or resume a "
    + "suspended store earlier"
}

extension DigestStoreError {
  /// Describes an error of a store with the path that the app passed instead of the resolved one.
  init(_ error: any Error, path: String, insteadOf resolvedPath: String) {
    let resolved = DigestStoreError(error, path: resolvedPath)
    self.init(resolved.code, resolved.description.replacing(resolvedPath, with: path))
  }

  /// Describes an error with its file and a remedy.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as DigestStoreError: self = error
    case let error as SQLiteError:
      if let refusal = OpeningRefusal(error, path: path) {
        self.init(refusal.code, "\(path): \(refusal.description)")
        return
      }
      let (code, description) =
        error.primaryCode == SQLITE_NOTADB && StoreHeader.isMarked(path)
        ? (.damaged, Self.damage("its header is not SQLite's")) : Self.codeAndDescription(error)
      self.init(code, "\(path): \(description)")
    case is Connection.FilesMoved:
      self.init(.busy, "\(path): the file keeps being moved or replaced; try again")
    case is Connection.SchemaChanged:
      self.init(.busy, "\(path): other programs keep changing the schema; try again")
    case let error as UnreadableRow:
      self.init(.damaged, "\(path): \(error.description); run digest-query verify")
    default:
      self.init(.inputOutput, "\(path): \(error)")
    }
  }

  /// Says what happened and what to do, without the statement, which a user knows nothing of.
  private static func codeAndDescription(_ error: SQLiteError) -> (Code, String) {
    switch error.primaryCode {
    case SQLITE_NOTADB: (.notAStore, "this isn't a store; choose another path")
    case _ where error.isDamage:
      (.damaged, damage(error.message))
    case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another process keeps it locked; try again")
    case _ where error.isOverflow: (.damaged, "counts are too large; run digest-query verify")
    case _ where error.isDiskFull: (.diskFull, "the disk is full; free some space")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      (.readOnly, "the file may not be written; check the permissions of file and directory")
    case SQLITE_CANTOPEN:
      (
        .inputOutput,
        "the file cannot be opened (\(error.reason)); check the path, and the permissions of file and "
          + "directory"
      )
    case SQLITE_IOERR:
      (
        .inputOutput,
        "the file cannot be read or written (\(error.reason)); check the disk and the file"
      )
    default: (.inputOutput, "SQLite reports: \(error.message); run digest-query doctor")
    }
  }

  private static func damage(_ reason: String) -> String {
    "the file is damaged (\(reason)), and an app that writes to it sets it aside; \(damageRemedy)"
  }

  /// How the contents of a damaged file are saved.
  static let damageRemedy =
    "save what .recover or .dump of sqlite3 can read, or import the last export into a new store"
}

extension SQLiteError {
  /// The system's message, or SQLite's if no system call failed.
  fileprivate var reason: String {
    systemCode == 0 ? message : String(cString: strerror(systemCode))
  }
}

/// The reason why the system does not let a process open or create a file, and a remedy.
struct OpeningRefusal {
  let code: DigestStoreError.Code
  let description: String

  /// Whether the system encrypts files while the device is locked.
  static var hasDataProtection: Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      true
    #else
      false
    #endif
  }

  private init(_ code: DigestStoreError.Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension OpeningRefusal {
  /// Explains an error of SQLite that opens a file; nil if the system says no more than SQLite.
  init?(_ error: SQLiteError, path: String, hasDataProtection: Bool = hasDataProtection) {
    let directory = path.resolvedPath.directory
    // No file can be seen if there is none, or if the directory may not be searched.
    let isFileMissing = if case .file = FileIdentity.lookUp(path) { false } else { true }
    switch (error.primaryCode, error.systemCode) {
    // Apple's SQLite reports SQLITE_AUTH for a protected file.
    case (SQLITE_AUTH, _) where hasDataProtection, (SQLITE_CANTOPEN, EPERM) where hasDataProtection:
      self.init(.protected, "the file is protected until the device is unlocked; try again then")
    case (SQLITE_CANTOPEN, ENOENT) where FileIdentity.isMissing(directory):
      self.init(.inputOutput, "the directory \(directory) does not exist; create it first")
    case (SQLITE_CANTOPEN, ENOTDIR):
      self.init(.inputOutput, "\(directory) is not a directory; choose another path")
    case (SQLITE_CANTOPEN, EACCES) where isFileMissing,
      (SQLITE_CANTOPEN, EPERM) where isFileMissing,
      (SQLITE_CANTOPEN, EROFS):
      self.init(
        .readOnly,
        "the directory \(directory) may not be used; check its permissions or choose another one, in "
          + "an app that of DigestStore.application()")
    default: return nil
    }
  }
}
