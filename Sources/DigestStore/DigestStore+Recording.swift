public import ResilientDecoding

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DigestStore {
  /// Writes a digest as ``Configuration-swift.struct/writing`` says: by default it is committed when
  /// this returns.
  ///
  /// A digest that cannot be written is told to ``Configuration-swift.struct/onWriteFailure``.
  ///
  /// - Parameters:
  ///   - digest: what a reporter was flushed to.
  ///   - model: the type that was decoded.
  ///   - release: the version of the app; by default that of the configuration.
  public func record(_ digest: ErrorDigest, model: Any.Type, release: String? = nil) {
    record(digest, model: typeName(model), release: release)
  }

  /// Runs a decode on any decoder and records what it recovers from and what it throws.
  ///
  /// All of it is one digest, written when `decode` has returned or thrown. A decode without an
  /// error writes nothing.
  ///
  ///     let listing = try store.recordErrors(of: Listing.self) {
  ///       try YAMLDecoder().decode(Listing.self, from: text)
  ///     }
  ///
  /// The decoder is not touched, so that threads can share it.
  ///
  /// - Parameters:
  ///   - model: the type that is decoded.
  ///   - release: the version of the app; by default that of the configuration.
  ///   - decode: decodes, on the thread that calls this.
  /// - Throws: what `decode` throws, and nothing else.
  public func recordErrors<Value>(
    of model: Any.Type,
    release: String? = nil,
    _ decode: () throws -> Value
  ) rethrows -> Value {
    let reporter = PersistentErrorReporter(store: self, model: model, release: release)
    return try recordErrors(with: reporter, decode)
  }

  fileprivate func recordErrors<Value>(
    with reporter: PersistentErrorReporter,
    _ decode: () throws -> Value
  ) rethrows -> Value {
    defer { reporter.flushReportedErrors() }
    return try reporter.collectErrors(decode)
  }

  func record(_ digest: ErrorDigest, model: String, release: String?) {
    let record = DigestRecord(
      digest,
      model: model,
      release: release ?? configuration.release,
      at: Moment(configuration.clock()),
      redact: configuration.redact
    )
    let ticket = PendingWrite(record, as: file.known.encode(record), of: digest)
    let maximumBytes = configuration.writing.maximumBytes
    switch configuration.writing {
    case .beforeReturning:
      maintenance.request(queue.write(ticket, maximumBytes: maximumBytes))
    case .inBackground:
      queue.enqueue(ticket, maximumBytes: maximumBytes)
      maintenance.request(.write)
    }
  }
}

extension JSONDecoder {
  /// Decodes a value and records what it recovers from, and what it throws, in one digest.
  ///
  /// The decoder stays as it is, also when threads share it. A decode without an error writes
  /// nothing. With `keyDecodingStrategy` set to `convertFromSnakeCase`, paths have the names of the
  /// payload: `home_page`, not `homePage`.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - data: the payload.
  ///   - store: where the digest goes.
  ///   - release: the version of the app; by default that of the store's configuration.
  /// - Throws: what `decode(_:from:)` throws, and nothing else.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from data: Data,
    recordingTo store: DigestStore,
    release: String? = nil
  ) throws -> T {
    let reporter = PersistentErrorReporter(store: store, model: type, release: release)
    reporter.names = PayloadNames(of: data, for: self)
    return try store.recordErrors(with: reporter) {
      try decode(WholeDocument<T>.self, from: data).value
    }
  }
}

extension PropertyListDecoder {
  /// Decodes a value and records what it recovers from, and what it throws, in one digest.
  ///
  /// The decoder stays as it is, also when threads share it. A decode without an error writes
  /// nothing.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - data: the payload.
  ///   - store: where the digest goes.
  ///   - release: the version of the app; by default that of the store's configuration.
  /// - Throws: what `decode(_:from:)` throws, and nothing else.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from data: Data,
    recordingTo store: DigestStore,
    release: String? = nil
  ) throws -> T {
    try store.recordErrors(of: type, release: release) {
      try decode(WholeDocument<T>.self, from: data).value
    }
  }
}
