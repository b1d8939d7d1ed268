public import ResilientPlatform

extension DigestStore {
  /// The state of a store: its file, its contents and its losses.
  ///
  /// These are the facts; ``findings`` rates them.
  public struct Diagnosis: Sendable, Hashable, Codable {
    /// The path of the file.
    public var path: String
    /// The permissions of the file, as in `chmod`. A store makes it with 0o600.
    public var permissions: Int
    /// The schema version of the file.
    public var schemaVersion: Int
    /// Whether the space of deleted data can be released: `incremental`, otherwise `none` or
    /// `full`.
    public var autoVacuum: String

    /// The size of the file, in bytes.
    public var fileBytes: Int
    /// The size of the write-ahead log, in bytes.
    public var logBytes: Int
    /// The number of free pages in the file.
    public var freePages: Int
    /// The size of the free pages, in bytes.
    public var freeBytes: Int

    /// The number of digests in the file.
    public var digests: Int
    /// The number of errors in these digests: all errors counted, minus those in evicted digests.
    public var occurrences: Int
    /// The number of digests that are not folded yet. Each report counts them one by one.
    public var tailDigests: Int

    /// When the newest error was recorded: after ``date``, if the clock of a device was ahead.
    public var newestError: Date?

    /// The identities of the stores whose last push to this file has not ended.
    public var interruptedPushes: [String] = []

    /// The limits reached.
    public var reachedLimits: [ReachedLimit]
    /// The losses, by reason and hour.
    public var losses: [Loss]
    /// The time before which losses are left out; nil if none are.
    public var lossesSince: Date?
    /// The names of the damaged files that are still beside the store, and of the logs of files
    /// that were moved away; nil if the directory cannot be listed.
    public var setAside: [String]?
    /// The first problem that SQLite finds in the structure of the file; nil if there is none.
    public var problem: String?

    /// The time of the diagnosis.
    public var date: Date

    /// Whether no finding is a warning.
    public var isHealthy: Bool { !findings.contains { $0.status == .warning } }
  }
}

extension DigestStore.Diagnosis {
  /// A fact, rated.
  public struct Finding: Sendable, Hashable, Codable {
    /// The name of the check, which never changes, such as `log_bytes`.
    public let check: String
    /// The value found.
    public let value: String
    /// The rating of the value.
    public let status: Status
    /// What to do about it; nil if nothing is needed.
    public let remedy: String?
  }

  /// The rating of a finding.
  public enum Status: String, Sendable, Hashable, CaseIterable, Codable {
    /// As it should be.
    case ok
    /// Good to know; nothing is wrong with the file now.
    case note
    /// Someone should do something about it, and can.
    case warning
  }
}

extension DigestReader {
  /// Describes the state of the store, without changing anything.
  ///
  /// To check the contents of the file, use ``verify(progress:)``. This method counts the digests,
  /// and reads the whole file to find damaged pages.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func diagnose() throws -> DigestStore.Diagnosis {
    let now = clock()
    let losses = try losses()
    let reachedLimits = try reachedLimits()
    let newest = try newestError()
    let interruptedPushes = try interruptedPushes()
    let evicted = losses.sum { $0.reason == .evicted ? $0.occurrences : 0 }
    let (name, path) = (path, try fileConnections.path)
    return try readFile { connection in
      let file = try FileIdentity.find(path)
      return try connection.inSnapshot {
        let size = try connection.fileSize()
        let totals = try TotalRows(connection, DigestFilter())
        let counted =
          try connection.rows(
            """
            SELECT coalesce(sum(occurrences), 0) FROM (\(totals.sql())) AS t
            """
          ) { $0.count(at: 0) }.first ?? 0
        return DigestStore.Diagnosis(
          path: name,
          permissions: file?.permissions ?? 0,
          schemaVersion: Int(try connection.schemaVersion()),
          autoVacuum: try connection.autoVacuum(),
          fileBytes: Int(file?.size ?? 0),
          logBytes: try FileIdentity.size(of: path + "-wal"),
          freePages: size.freePages,
          freeBytes: size.freePages * size.pageSize,
          digests: Int(try connection.integer("SELECT count(*) FROM digest") ?? 0),
          occurrences: max(0, Int(clamping: counted) - evicted),
          tailDigests: Int(try connection.integer(Self.countTail) ?? 0),
          newestError: newest,
          interruptedPushes: interruptedPushes,
          reachedLimits: reachedLimits,
          losses: losses,
          setAside: QuarantinedFile.names(of: path),
          problem: try connection.problems(.quick).first,
          date: now
        )
      }
    }
  }

  private static let countTail =
    "SELECT count(*) FROM digest WHERE id > (SELECT folded FROM store)"
}

extension Connection {
  /// The auto-vacuum mode of the file by name (SQLite, "PRAGMA auto_vacuum").
  fileprivate func autoVacuum() throws -> String {
    switch try integer("PRAGMA auto_vacuum") {
    case 0: "none"
    case 1: "full"
    case 2: "incremental"
    case let other: "\(other ?? 0)"
    }
  }
}
