public import ResilientDecoding

/// A reporter whose flush writes the digest to a store.
///
/// It serves one model: install one in the decoder of that model, or use
/// `decode(_:from:recordingTo:)`, which needs none.
// Sendable as its superclass is; its own properties are constants.
open class PersistentErrorReporter: ResilientDecodingErrorReporter, @unchecked Sendable {
  private let store: DigestStore
  private let model: String
  private let release: String?

  /// Makes a reporter for what goes wrong when `model` is decoded.
  ///
  /// - Parameters:
  ///   - store: where digests go.
  ///   - model: the type that is handed to `decode`.
  ///   - release: the version of the app; by default that of the store's configuration.
  ///   - maximumEntries: how many errors a digest holds; more are counted by failure.
  public init(
    store: DigestStore,
    model: Any.Type,
    release: String? = nil,
    maximumEntries: Int = 1_000
  ) {
    self.store = store
    self.model = typeName(model)
    self.release = release
    super.init(maximumEntries: maximumEntries)
  }

  /// Takes all that was reported since the last flush and writes it.
  ///
  /// - Returns: the digest, which is committed by then, or nil when nothing was reported. When it
  ///   could not be written it is returned all the same, and the store says so in its own way.
  @discardableResult
  open override func flushReportedErrors() -> ErrorDigest? {
    guard let digest = super.flushReportedErrors() else { return nil }
    store.record(digest, model: model, release: release)
    return digest
  }
}
