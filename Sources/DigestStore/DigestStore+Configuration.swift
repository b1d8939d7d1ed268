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

    /// What a flushed digest survives.
    public var durability: Durability

    /// The longest value, novel or found, message or key that is kept, in bytes of UTF-8; at least 64.
    ///
    /// What is longer is cut and marked with its length and a hash, so that different values stay
    /// different. A path is cut key by key.
    public var maximumValueLength: Int

    /// Hears of every digest that could not be written.
    ///
    /// Called on the thread that flushed, without any lock held.
    public var onWriteFailure: (@Sendable (WriteFailure) -> Void)?

    /// Tells the time at which a digest is recorded; another one than now for tests and replays.
    public var clock: @Sendable () -> Date

    /// Makes a configuration; each parameter is explained at its property.
    public init(
      release: String? = nil,
      durability: Durability = .processCrash,
      maximumValueLength: Int = 512,
      onWriteFailure: (@Sendable (WriteFailure) -> Void)? = nil,
      clock: @escaping @Sendable () -> Date = { Date() }
    ) {
      self.release = release
      self.durability = durability
      self.maximumValueLength = maximumValueLength
      self.onWriteFailure = onWriteFailure
      self.clock = clock
    }
  }

  /// What a digest whose flush has returned survives.
  public enum Durability: Sendable {
    /// The death of the process, however it dies; a power cut may take the last digests, and
    /// leaves the file sound (SQLite, "PRAGMA synchronous": NORMAL in WAL mode).
    case processCrash

    /// A power cut too, at the price of waiting for the disk (`synchronous = FULL`).
    case powerLoss

    var synchronous: String {
      switch self {
      case .processCrash: "NORMAL"
      case .powerLoss: "FULL"
      }
    }
  }

  /// A digest that could not be written.
  public struct WriteFailure: Sendable {
    /// Why.
    public let error: DigestStoreError

    /// The model that was decoded.
    public let model: String

    /// What is not in the file.
    public let digest: ErrorDigest
  }
}
