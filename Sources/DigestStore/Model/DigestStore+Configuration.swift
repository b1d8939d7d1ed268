public import ResilientDecoding

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DigestStore {
  /// How a store writes, and what it does about what it cannot write.
  public struct Configuration: Sendable {
    /// The version of the app that decodes, for digests that do not name another one.
    public var release: String?

    /// What a flushed digest survives: by default the death of the process.
    public var durability: Durability

    /// Whether a flush waits for the file: by default it does.
    public var writing: Writing

    /// How long a digest is kept after it was recorded.
    ///
    /// An older one goes, whatever a clock that jumped has done to the order; none goes before its
    /// time. With it go its messages and found values, unless a younger digest has the same ones.
    /// It stays counted in every report, so that what its failures are called stays too: models,
    /// paths' patterns, types and novel values. So do the ledger, and what tells digests that were
    /// imported from new ones. What must not stay at all is for ``redact`` to take out.
    ///
    /// An open store looks every tenth of the time, and at least every ten minutes; at once with
    /// ``DigestStore/prune(maximumAge:maximumBytes:progress:)``.
    public var maximumAge: Duration?

    /// The most bytes that the file and its write-ahead log may take together; at least 1 MiB.
    ///
    /// Before that the oldest digests are deleted, so that the file stays between 85 and 100 percent
    /// of the limit. They stay counted in every report, but are in no export, and a window that ends
    /// among them is exact to the hour. If there are no digests left, the store drops the counts of
    /// the oldest hours, the ids of imported digests that are gone, and the counts of the oldest
    /// days. Then the oldest releases are counted together, as `(other releases)`:
    /// ``DigestStore/limitsHit(matching:)`` says which.
    ///
    /// The names of failures and releases, the counts of all time and all releases, and the ledger
    /// are never deleted: some 0.16 MB with 200 failures, 2.8 MB with 10,000. If they alone exceed
    /// the limit, no history is dropped in vain: the file keeps 1 MiB of everything else beyond them.
    /// See <doc:LimitsAndPrivacy> and ``DigestStore/prune(maximumAge:maximumBytes:progress:)``.
    public var maximumBytes: Int?

    /// How many different novel values one model has at one path, at most.
    ///
    /// What comes on top is counted exactly too, all as one value, `(other values)`: see
    /// ``DigestStore/limitsHit(matching:)``. A value that a file has already is always told apart.
    /// The limit is that of the process that writes, not of the file.
    public var maximumNovelValuesPerPath: Int

    /// How many different failures a file has, at most.
    ///
    /// What comes on top is counted exactly too, as one failure of its model, at the path
    /// `["(other paths)"]`.
    public var maximumFailures: Int

    /// The longest value, novel or found, message or key that is kept, in bytes of UTF-8: from 64 to
    /// 65,536.
    ///
    /// A longer one is cut and marked with its length and a hash, so that different values stay
    /// different. A path is cut key by key, and loses its end where it has more than 128 components or
    /// the keys of its pattern are together longer than eight values.
    ///
    /// A digest is kept up to 2 MiB, in the length of its line in an export. Entries that take more than
    /// half of that are counted by failure, without messages, found values and indices; what does not
    /// fit even then is counted as one failure of kind `other` at the empty path.
    public var maximumValueLength: Int

    /// Sees each error before it is written: returns it, a copy with less in it, or nil to leave it out.
    ///
    ///     configuration.redact = { entry in
    ///       var entry = entry
    ///       entry.foundValue = nil
    ///       entry.message = ""
    ///       return entry
    ///     }
    ///
    /// Values from the payload are in the novel value, the found value, the message (a decoder may
    /// quote one) and, as keys of dictionaries, in the coding path. What was only counted comes as
    /// one entry for all errors of a failure. What an import adds comes too; an error left out is
    /// counted as ``Loss/redacted``, and its digest is written without it.
    ///
    /// Called on the thread that records or imports, without any lock held, so that it may use the
    /// store; what it records there comes to it as well.
    public var redact: (@Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?)?

    /// Receives every digest that could not be written.
    ///
    /// Called without any lock held, so that it may use the store, also to record, flush and close:
    /// on the thread that flushed, or, where that does not wait for the file, on one of the store's
    /// or on one that calls ``DigestStore/flush()`` and the like. A digest that the closure itself
    /// records, and that cannot be written either, is counted and not reported again.
    public var onWriteFailure: (@Sendable (WriteFailure) -> Void)?

    /// Receives every file that was damaged and has been set aside.
    ///
    /// Called without any lock held, so that it may use the store, also to record, flush and close:
    /// on the thread that found the damage, or on another one that was writing then. It may be called
    /// while the store is being opened, before ``DigestStore/init(path:configuration:)`` returns.
    public var onQuarantine: (@Sendable (Quarantine) -> Void)?

    /// Tells the time at which a digest is recorded; another one than now for tests and replays.
    public var clock: @Sendable () -> Date

    /// Makes a configuration; each parameter is explained at its property.
    public init(
      release: String? = nil,
      durability: Durability = .processCrash,
      writing: Writing = .beforeReturning,
      maximumAge: Duration? = nil,
      maximumBytes: Int? = nil,
      maximumNovelValuesPerPath: Int = 1_000,
      maximumFailures: Int = 100_000,
      maximumValueLength: Int = 512,
      redact: (@Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?)? = nil,
      onWriteFailure: (@Sendable (WriteFailure) -> Void)? = nil,
      onQuarantine: (@Sendable (Quarantine) -> Void)? = nil,
      clock: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.release = release
      self.durability = durability
      self.writing = writing
      self.maximumAge = maximumAge
      self.maximumBytes = maximumBytes
      self.maximumNovelValuesPerPath = maximumNovelValuesPerPath
      self.maximumFailures = maximumFailures
      self.maximumValueLength = maximumValueLength
      self.redact = redact
      self.onWriteFailure = onWriteFailure
      self.onQuarantine = onQuarantine
      self.clock = clock
    }
  }

  /// What a digest whose flush has returned survives.
  public enum Durability: Sendable {
    /// The death of the process, however it dies; a power cut may take the last digests, and
    /// leaves the file sound (SQLite, "PRAGMA synchronous": NORMAL in WAL mode).
    case processCrash

    /// A power cut too, at the price of waiting for the disk (`synchronous = FULL`), as far as the
    /// disk has what `fsync` has told it to keep.
    case powerLoss

    var synchronous: String {
      switch self {
      case .processCrash: "NORMAL"
      case .powerLoss: "FULL"
      }
    }
  }

  /// When a digest is written.
  public enum Writing: Sendable {
    /// Before the flush returns: what it returned is in the file.
    case beforeReturning

    /// Soon, on a thread of the store's: for threads that must not wait for a disk.
    ///
    /// A flush hands its digest over and returns; ``DigestStore/DigestStore/flush()`` waits for what
    /// was handed over. ``DigestStore/DigestStore/close()`` writes what waits, and so does a process
    /// that exits by `exit` or by returning from `main`; a crash or a signal that ends the process
    /// loses it. Digests beyond about `maximumBytes` of memory are counted in the file as `overflow`
    /// and reported to ``Configuration-swift.struct/onWriteFailure``.
    case inBackground(maximumBytes: Int = 4 << 20)

    /// How much memory digests may take that wait, in bytes: of a suspended store as well.
    var maximumBytes: Int {
      switch self {
      case .beforeReturning: 4 << 20
      case .inBackground(let maximumBytes): maximumBytes
      }
    }
  }

  /// A damaged file that was set aside, nothing of it deleted or changed; a fresh one took its place.
  public struct Quarantine: Sendable {
    /// Where it is now; what SQLite keeps beside it has the same name with `-wal` and `-shm`.
    public let path: String

    /// What is wrong with it, as SQLite says.
    public let error: DigestStoreError
  }

  /// A digest that could not be written, though the flush has returned it.
  ///
  /// It is counted as ``Loss/failedWrite`` or ``Loss/overflow`` as soon as the file can be written.
  public struct WriteFailure: Sendable {
    /// Why.
    public let error: DigestStoreError

    /// The model that was decoded.
    public let model: String

    /// What is not in the file, as it was reported: ``Configuration-swift.struct/redact`` has changed
    /// nothing of it.
    public let digest: ErrorDigest
  }
}
