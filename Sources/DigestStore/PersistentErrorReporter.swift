public import ResilientDecoding

/// A reporter whose flush writes the digest to a store.
///
/// It serves one model: install one in the decoder of that model, or use
/// `decode(_:from:recordingTo:)`, which needs none. Threads may share it; a flush takes what all of
/// them have reported.
///
/// The error that a decode throws is recorded if the decode runs in `collectErrors(_:)`. A reporter that
/// is installed in a decoder does not see it: hand it to `report(_:decoding:)`.
// Sendable as its superclass is; its own properties are constants.
open class PersistentErrorReporter: ResilientDecodingErrorReporter, @unchecked Sendable {
  private let store: DigestStore
  private let modelName: String
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
    self.modelName = typeName(model)
    self.release = release
    super.init(maximumEntries: maximumEntries)
    self.model = model
  }

  /// Takes all that was reported since the last flush and writes it.
  ///
  /// - Returns: the digest, or nil when nothing was reported. It is committed by then, unless the
  ///   store writes in the background or is suspended. When it could not be written it is returned
  ///   all the same, and told to ``DigestStore/DigestStore/Configuration-swift.struct/onWriteFailure``.
  @discardableResult
  open override func flushReportedErrors() -> ErrorDigest? {
    guard let digest = super.flushReportedErrors() else { return nil }
    store.record(digest, model: modelName, release: release)
    return digest
  }
}
