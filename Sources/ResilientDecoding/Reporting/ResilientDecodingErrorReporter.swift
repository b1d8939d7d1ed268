package import ResilientPlatform

/// Collects the errors of decoding until they are flushed.
///
/// Install a reporter in a decoder's `userInfo` under
/// `CodingUserInfoKey.resilientDecodingErrorReporter`, or call ``collectErrors(_:)``. One reporter
/// can serve several decoders on several threads. To process each flushed digest, make a subclass.
// Sendable although it can be subclassed: mutexes guard all state of this class that changes while
// it is shared, and a subclass is responsible for its own state.
open class ResilientDecodingErrorReporter: @unchecked Sendable {
  /// The current reporter while errors are discarded, for observers too.
  static let discarding = ResilientDecodingErrorReporter()

  /// A closure that receives each reported error.
  public typealias Observer = @Sendable (ErrorDigest.Entry) -> Void

  /// The default maximum number of entries in a digest.
  static let defaultMaximumEntries = 1_000

  /// The maximum number of entries in a digest.
  let maximumEntries: Int

  /// The type of the documents, if all have the same; only the initializer of a subclass sets it.
  package final var model: Any.Type?

  /// The keys to report even though they are not errors; set only before the first use.
  package final var reportedKeys: ReportedKeys = [] {
    didSet { if reportedKeys.contains(.missing) { ReportedKeys.noteMissing() } }
  }

  /// The entry of an error that is being thrown.
  final let explained = Locked<ErrorDigest.Entry?>(nil)

  private let collected: Locked<ErrorDigest.Collector>

  /// Creates a reporter whose digests hold at most `maximumEntries` entries.
  ///
  /// Further errors are counted by failure in ``ErrorDigest/omissions``: a broken array of millions
  /// of elements takes a bounded amount of memory.
  public init(maximumEntries: Int = 1_000) {
    self.maximumEntries = maximumEntries
    collected = Locked(ErrorDigest.Collector(maximumEntries: maximumEntries))
  }

  /// Returns and removes all errors reported since the last flush.
  ///
  /// - Returns: The digest, or nil if nothing was reported.
  @discardableResult
  open func flushReportedErrors() -> ErrorDigest? {
    collected.withLock { $0.flush() }
  }

  /// Whether nothing will flush the reporter again, although a task may still have inherited it;
  /// nil if it can be flushed for ever. Set only before the first use.
  package final var finished: Locked<Bool>?

  /// Whether the reporter takes no more errors.
  final var isFinished: Bool { finished?.withLock { $0 } ?? false }

  /// Whether an error was reported since the last flush.
  package final var hasErrors: Bool { collected.withLock { !$0.isEmpty } }

  /// Whether the next error is only counted.
  final var isFull: Bool { collected.withLock { $0.isFull } }

  final func add(_ entry: ErrorDigest.Entry) {
    collected.withLock { $0.add(entry) }
  }

  /// Counts an error that does not fit in the digest.
  ///
  /// - Parameter describe: Returns the failure and the message; not called for a repeat of the last
  ///   one.
  final func count(
    _ key: CollectedFailure?,
    _ describe: () -> (failure: ErrorDigest.Failure, message: String)
  ) {
    if collected.withLock({ $0.countRepeat(of: key) }) { return }
    // Described before the lock is taken: a model's `description` may do anything.
    let (failure, message) = describe()
    collected.withLock { $0.count(failure, message: message, key: key) }
  }

  /// Returns the bad member, by a search or as found before, see
  /// ``ErrorDigest/Collector/badMember(_:)``.
  final func badMember(_ key: CollectedFailure, _ search: () -> BadMember?) -> BadMember? {
    if let known = collected.withLock({ $0.badMember(key) }) { return known }
    let member = search()
    collected.withLock { $0.remember(member, for: key) }
    return member
  }

  /// Adds errors that another reporter has only counted.
  final func add(_ omissions: [ErrorDigest.Omission]) {
    collected.withLock { $0.add(omissions) }
  }
}
