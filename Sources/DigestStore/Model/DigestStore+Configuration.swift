public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// Configures how a store writes, what it keeps, and what it does with digests it cannot write.
  public struct Configuration: Sendable {
    /// The version of the app, for digests that do not name a release.
    public var release: String?

    /// The backend's environment, such as `production` or `staging`; nil without one.
    public var environment: String?

    /// The events that a flushed digest survives. By default the death of the process.
    public var durability: Durability

    /// Whether a flush waits for the file. By default it does.
    public var writing: Writing

    /// Whether the store suspends itself with the app, or the app suspends it (the default).
    public var suspension: Suspension

    /// How long the store keeps a digest, measured back from the newest digest in the file that is
    /// not in the future.
    ///
    /// So a store that is opened while the clock is ahead deletes nothing, and a store that records
    /// nothing keeps what it has. The store deletes older digests even if they are out of order. It
    /// also deletes a failure's sample, its message and found value, that is older, within a tenth
    /// of this duration or a day. Reports still count deleted digests, so the store keeps the names
    /// of their failures: models, path patterns, types, and novel values. It also keeps the recorded
    /// losses. To keep a value out of the file altogether, use ``redact``.
    ///
    /// The store looks for old digests when it has recorded new ones. To look at once, call
    /// ``DigestStore/prune(maximumAge:maximumBytes:progress:)``.
    public var maximumAge: Duration?

    /// The largest size in bytes of the database file, at least 1 MiB.
    ///
    /// The store deletes the oldest digests before it reaches the limit. Every report still counts
    /// them, but no export includes them, and a window that ends among them is exact to the hour.
    /// Counts of hours are kept at most four times as long as digests. Then the counts of the
    /// oldest days go, then the totals of the releases that sent nothing for longest.
    ///
    /// The store never deletes the names of failures and releases, the counts of all time and all
    /// releases, or the recorded losses. The write-ahead log is extra, some 4 MiB. See
    /// <doc:LimitsAndPrivacy> and ``DigestStore/prune(maximumAge:maximumBytes:progress:)``.
    public var maximumBytes: Int?

    /// The largest number of different novel values of one model at one path.
    ///
    /// The store counts further values exactly too, but all as one value, `(other values)`: see
    /// ``DigestReader/reachedLimits(matching:)``. It always distinguishes values that are in the
    /// file already. The limit applies to the process that writes, and is not stored in the file.
    public var maximumNovelValuesPerPath: Int

    /// The largest number of different failures in a file.
    ///
    /// The store counts further failures exactly too, but as one failure of each model, at the path
    /// `["(other paths)"]`.
    public var maximumFailures: Int

    /// The largest length of a novel value, found value, message or key, in bytes of UTF-8: from 64
    /// to 65,536.
    ///
    /// Longer text is cut and marked with its length and a hash, so that different values stay
    /// different. A path is cut key by key. It loses its end if it has more than 128 components, or
    /// if the keys of its pattern together are longer than eight values.
    ///
    /// The store keeps up to 2 MiB of a digest, measured as its line in an export. If its entries
    /// take more than half of that, the rest are counted by failure, without messages, found values
    /// and indices. If even that does not fit, the rest are counted as one failure of kind `other`
    /// at the empty path.
    public var maximumValueLength: Int

    /// Whether the store also counts decodes without errors, so that reports can show the share of
    /// decodes that have errors. By default it does.
    ///
    /// The number of decodes is written with the next digest, after some seconds, and by
    /// ``DigestStore/flush()``, ``DigestStore/suspend()`` and ``DigestStore/close()``. A process
    /// that is killed loses the decodes of the last seconds, but no errors. Counting takes no
    /// memory that grows with the number of decodes.
    public var countsDecodes: Bool

    /// Whether the store records keys that payloads lack, where a property wrapper has a value for
    /// them. By default it does not.
    ///
    /// A missing key is counted as a failure of kind `missingKey`. It isn't an error: it counts in no
    /// rate, and in reports on failures only if a filter names its kind. See
    /// `CodingUserInfoKey.reportsMissingKeys` of the module ResilientDecoding.
    public var reportsMissingKeys: Bool

    /// Whether the store records keys of payloads that no property decodes. By default it does not.
    ///
    /// An unknown key is counted as a failure of kind `unknownKey`, once for each pattern in a
    /// decode. It isn't an error: it counts in no rate, and in reports on failures only if a filter
    /// names its kind. Only `decode(_:from:recordingTo:)` finds unknown keys, and takes two to four
    /// times as long. See `CodingUserInfoKey.reportsUnknownKeys` of the module ResilientDecoding.
    ///
    /// The keys are text of payloads. ``redact`` can remove those that are data, such as the ids of
    /// users.
    public var reportsUnknownKeys: Bool

    /// Receives each error before it is written. Returns it, a reduced copy, or nil to omit it.
    ///
    ///     configuration.redact = { entry in
    ///       var entry = entry
    ///       entry.foundValue = nil
    ///       entry.message = ""
    ///       return entry
    ///     }
    ///
    /// Values from the payload can be in the novel value, the found value, the message (a decoder
    /// may quote one) and, as keys of dictionaries, in the coding path. Errors that were only
    /// counted are passed as one entry for each failure. Imported errors are passed too. An omitted
    /// error is counted as ``DigestStore/Loss/Reason-swift.struct/redacted``, and its digest is
    /// written without it.
    ///
    /// Called on the thread that records or imports, without any lock held, so that it may use the
    /// store. Errors that it records there are passed to it as well.
    public var redact: (@Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?)?

    /// Receives every digest that could not be written, or not yet: see
    /// ``DigestStore/WriteFailure/isKept``.
    ///
    /// Called without any lock held, so that it may use the store, also to record, flush and close.
    /// Runs on the thread that flushed. If flushes do not wait for the file, runs on a thread of
    /// the store, or on one that calls ``DigestStore/flush()`` or the like. If the closure itself
    /// records a digest that cannot be written either, that digest is counted but not reported
    /// again.
    public var onWriteFailure: (@Sendable (WriteFailure) -> Void)?

    /// Receives every damaged file that was renamed and replaced.
    ///
    /// Called without any lock held, so that it may use the store, also to record, flush and close.
    /// Runs on the thread that found the damage, or on another thread that was writing then. May
    /// run while the store is being opened, before ``DigestStore/init(path:configuration:)``
    /// returns.
    public var onQuarantine: (@Sendable (Quarantine) -> Void)?

    /// Whether a damaged file is renamed and replaced by a new one, so that an app goes on recording.
    /// A tool leaves it to its user.
    package var setsDamagedFilesAside = true

    /// Returns the time at which a digest is recorded. Replace it in tests and replays.
    public var clock: @Sendable () -> Date

    /// How long to wait for a file that another process has locked, in milliseconds. Tests wait
    /// shorter.
    var patience = Connection.usualPatience

    /// Makes a configuration. The properties document the parameters.
    public init(
      release: String? = nil,
      environment: String? = nil,
      durability: Durability = .processCrash,
      writing: Writing = .beforeReturning,
      suspension: Suspension = .manual,
      maximumAge: Duration? = nil,
      maximumBytes: Int? = nil,
      maximumNovelValuesPerPath: Int = 1_000,
      maximumFailures: Int = 100_000,
      maximumValueLength: Int = 512,
      countsDecodes: Bool = true,
      reportsMissingKeys: Bool = false,
      reportsUnknownKeys: Bool = false,
      redact: (@Sendable (ErrorDigest.Entry) -> ErrorDigest.Entry?)? = nil,
      onWriteFailure: (@Sendable (WriteFailure) -> Void)? = nil,
      onQuarantine: (@Sendable (Quarantine) -> Void)? = nil,
      clock: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.release = release
      self.environment = environment
      self.durability = durability
      self.writing = writing
      self.suspension = suspension
      self.maximumAge = maximumAge
      self.maximumBytes = maximumBytes
      self.maximumNovelValuesPerPath = maximumNovelValuesPerPath
      self.maximumFailures = maximumFailures
      self.maximumValueLength = maximumValueLength
      self.countsDecodes = countsDecodes
      self.reportsMissingKeys = reportsMissingKeys
      self.reportsUnknownKeys = reportsUnknownKeys
      self.redact = redact
      self.onWriteFailure = onWriteFailure
      self.onQuarantine = onQuarantine
      self.clock = clock
    }
  }

  /// The events that a digest survives once its flush has returned.
  public enum Durability: Sendable {
    /// The death of the process, whatever the cause. A power cut may lose the newest digests, but
    /// does not damage the file (SQLite, "PRAGMA synchronous": NORMAL in WAL mode).
    case processCrash

    /// A power cut too (`synchronous = FULL`), if the disk honors `fsync`. Each flush then waits
    /// for the disk.
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
    /// Before the flush returns. A digest that a flush returned is in the file, unless another
    /// process keeps the file busy for two seconds: then it waits in memory, up to 4 MiB, until the
    /// store can write it.
    case beforeReturning

    /// Soon, on a thread of the store. For threads that must not wait for a disk.
    ///
    /// A flush hands its digest over and returns. ``DigestStore/DigestStore/flush()`` waits until
    /// all digests handed over are written. ``DigestStore/DigestStore/close()`` writes waiting
    /// digests, and so does a process that ends with `exit` or by returning from `main`. A crash,
    /// or a signal that ends the process, loses them. They wait for a file that another process
    /// keeps busy. Digests beyond about `maximumBytes` of memory are counted in the file as
    /// `overflow` and reported to ``Configuration-swift.struct/onWriteFailure``.
    case inBackground(maximumBytes: Int = 4 << 20)

    /// The largest memory that waiting digests may take, in bytes, also those of a suspended store.
    var maximumBytes: Int {
      switch self {
      case .beforeReturning: 4 << 20
      case .inBackground(let maximumBytes): maximumBytes
      }
    }
  }

  /// The ways to suspend a store when the system suspends its app.
  public enum Suspension: Sendable {
    /// The app calls ``DigestStore/DigestStore/suspend()`` and
    /// ``DigestStore/DigestStore/resume()``.
    case manual

    /// The store suspends itself when the app or the extension enters the background, and resumes
    /// when it enters the foreground. A digest that is recorded in between is written, too.
    ///
    /// Has an effect on iOS, tvOS, watchOS and visionOS. The store follows the notifications of the
    /// app from the time it is opened. After opening it in the background, call
    /// ``DigestStore/DigestStore/suspend()`` when the work is done.
    case automatic
  }

  /// A damaged file that was renamed and replaced by a new one. Nothing in it was deleted or
  /// changed.
  public struct Quarantine: Sendable {
    /// The file's new path. Its companion files have the same name with `-wal` and `-shm`.
    public let path: String

    /// The problem, as reported by SQLite.
    public let error: DigestStoreError
  }

  /// A digest that is not in the file, although the flush returned it.
  public struct WriteFailure: Sendable {
    /// The reason.
    public let error: DigestStoreError

    /// Whether the store keeps the digest in memory and tries again, because another process keeps
    /// the file busy. Such a digest is not counted as a loss.
    ///
    /// A digest that is not kept is lost. The store counts it as
    /// ``DigestStore/Loss/Reason-swift.struct/failedWrite`` or
    /// ``DigestStore/Loss/Reason-swift.struct/overflow`` as soon as it can write the file. A kept
    /// digest that is lost later, for example because the store is closed while the file is still
    /// busy, is reported a second time.
    public let isKept: Bool

    /// The model that was decoded.
    public let model: String

    /// The digest as it was reported, before ``Configuration-swift.struct/redact`` changed it.
    public let digest: ErrorDigest
  }
}
