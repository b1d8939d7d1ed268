public import ResilientDecoding
import ResilientPlatform

/// A reporter whose flush writes the digest to a store.
///
/// A reporter serves one model: install it in the decoder of that model, or use
/// `decode(_:from:recordingTo:)`, which needs no reporter. Threads can share a reporter; a flush
/// takes the errors reported by all of them.
///
/// A reporter that is released writes the errors that were not flushed as a digest.
///
/// The reporter records the error that a decode throws if the decode runs in `collectErrors(_:)`. A
/// reporter installed in a decoder does not see that error: pass it to `report(_:decoding:)`.
// Sendable like its superclass: its own properties are constants.
open class PersistentErrorReporter: ResilientDecodingErrorReporter, @unchecked Sendable {
  private let store: DigestStore
  private let modelName: String
  private let context: DigestContext

  /// Makes a reporter for errors in decoding `model`.
  ///
  /// - Parameters:
  ///   - store: the store that digests are written to.
  ///   - model: the type passed to `decode`.
  ///   - release: the version of the app; the default is the release of the store's configuration.
  ///   - operation: the API operation that returns the payloads: its method and path template, such
  ///     as `GET /listings/{id}`, or its `operationId`; nil if unknown. See <doc:Contexts>.
  ///   - maximumEntries: the most errors that a digest lists; further errors are counted by
  ///     failure.
  public init(
    store: DigestStore,
    model: Any.Type,
    release: String? = nil,
    operation: String? = nil,
    maximumEntries: Int = 1_000
  ) {
    self.store = store
    self.modelName = typeName(model)
    context = store.context(release: release, operation: operation)
    super.init(maximumEntries: maximumEntries)
    self.model = model
    reportedKeys = store.reportedKeys
  }

  deinit {
    // Not the method of a subclass, whose own properties are gone by now.
    if let digest = super.flushReportedErrors() {
      store.record(digest, model: modelName, context)
    }
  }

  /// Takes the errors reported since the last flush and writes them as a digest.
  ///
  /// Flush once after each decode: a flush without errors counts a clean decode, as
  /// ``DigestStore/DigestStore/Configuration-swift.struct/countsDecodes`` describes.
  ///
  /// - Returns: the digest, or nil when nothing was reported. The digest is committed by then,
  ///   unless the store writes in the background or is suspended. A digest that cannot be written,
  ///   or not yet, is returned too, and reported to
  ///   ``DigestStore/DigestStore/Configuration-swift.struct/onWriteFailure``.
  @discardableResult
  open override func flushReportedErrors() -> ErrorDigest? {
    guard let digest = super.flushReportedErrors() else {
      store.countCleanDecode(of: modelName, context)
      return nil
    }
    store.record(digest, model: modelName, context)
    return digest
  }

  /// Flushes after a decode that threw. A cancelled one is not counted as a decode without errors.
  @discardableResult
  func flush(after error: any Error) -> ErrorDigest? {
    let isCancellation = error is CancellationError || Task.isCancelled
    return isCancellation && !hasErrors ? nil : flushReportedErrors()
  }
}
