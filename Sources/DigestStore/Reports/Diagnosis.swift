#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a store is doing: its file, what is in it and what is not any more.
///
/// These are the facts; ``findings`` says what to think of them.
public struct Diagnosis: Sendable, Hashable {
  /// The version of SQLite that this process runs with, such as `3.51.3`.
  public var sqliteVersion: String
  /// Whether that version can damage a file that two connections write or checkpoint at the same
  /// instant.
  ///
  /// It is very rare, and mended in 3.51.3, 3.50.7 and 3.44.6 (SQLite, "Write-Ahead Logging",
  /// section "The WAL-Reset Bug"). Whether a distributor has mended an older one cannot be seen.
  public var hasWALResetBug: Bool

  /// Where the file is.
  public var path: String
  /// Who may read and write it, as in `chmod`: 0o600 when the store has made it.
  public var permissions: Int
  /// The schema of the file.
  public var schemaVersion: Int
  /// How long a page of the file is, in bytes.
  public var pageSize: Int
  /// How SQLite makes transactions whole: `wal` in a store that has been written; nil where it does
  /// not say, because the directory may not be written.
  public var journalMode: String?
  /// Whether the space of what was deleted can be given back: `incremental`, or else `none` or `full`.
  public var autoVacuum: String

  /// The length of the file, in bytes.
  public var fileBytes: Int
  /// The length of the write-ahead log beside it, in bytes.
  public var logBytes: Int
  /// How many pages of the file are free.
  public var freePages: Int

  /// How many digests the file holds.
  public var digests: Int
  /// How many errors they have: all that the store counts, without what was evicted.
  public var occurrences: Int
  /// How many digests are not in the tallies yet, so that each report counts them one by one.
  public var tailDigests: Int
  /// Digests up to this number may be gone; 0 when none was evicted.
  public var evictedThrough: Int
  /// The moment before which the tallies of hours are gone, and only those of days are left.
  public var coarseBefore: Date?

  /// When each process began to write in the background that has not closed the store: it is
  /// running, or it ended, and the digests that waited in its memory are lost.
  public var backgroundProcesses: [Date]

  /// The limits that were reached.
  public var limitsHit: [LimitHit]
  /// The ledger: what could not be kept, by reason and hour.
  public var losses: [Loss]
  /// The names of damaged files that were set aside and still lie beside the store; nil where the
  /// directory cannot be listed.
  public var setAside: [String]?

  /// When this was.
  public var date: Date

  /// How much room the free pages take, in bytes.
  public var freeBytes: Int { freePages * pageSize }

  /// Whether no finding is a warning.
  public var isHealthy: Bool { !findings.contains { $0.status == .warning } }
}

extension Diagnosis {
  /// What to think of one fact.
  public struct Finding: Sendable, Hashable {
    /// What was looked at: a name that does not change, such as `log_bytes`.
    public let check: String
    /// What is there.
    public let value: String
    /// Whether that is good.
    public let status: Status
    /// What can be done about it; nil where nothing needs to be.
    public let remedy: String?
  }

  /// Whether a finding is good.
  public enum Status: String, Sendable, Hashable, CaseIterable {
    /// As it should be.
    case ok
    /// Good to know; nothing is wrong with the file now.
    case note
    /// Someone should do something about it, and can.
    case warning
  }
}
