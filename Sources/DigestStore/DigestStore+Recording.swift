import Dispatch
public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// Writes a digest. By default it is committed when this returns; see
  /// ``Configuration-swift.struct/writing``.
  ///
  /// The store reports a digest that it cannot write to
  /// ``Configuration-swift.struct/onWriteFailure``.
  ///
  /// - Parameters:
  ///   - digest: the result of a reporter's flush.
  ///   - model: the decoded type.
  ///   - release: the version of the app; the default is the configuration's release.
  ///   - operation: the API operation that returned the payload: its method and path template, such
  ///     as `GET /listings/{id}`, or its `operationId`; nil if unknown. See <doc:Contexts>.
  public func record(
    _ digest: ErrorDigest, model: Any.Type, release: String? = nil, operation: String? = nil
  ) {
    record(digest, model: typeName(model), context(release: release, operation: operation))
  }

  /// Runs a decode on any decoder, and records the errors it recovers from and the error it throws.
  ///
  /// All errors form one digest, which is written after `decode` returns or throws. A decode
  /// without errors is only counted.
  ///
  ///     let listing = try store.recordErrors(of: Listing.self) {
  ///       try YAMLDecoder().decode(Listing.self, from: text)
  ///     }
  ///
  /// The decoder is not modified, so threads can share it.
  ///
  /// - Parameters:
  ///   - model: the type to decode.
  ///   - release: the version of the app; the default is the configuration's release.
  ///   - operation: the API operation that returned the payload: its method and path template, such
  ///     as `GET /listings/{id}`, or its `operationId`; nil if unknown. See <doc:Contexts>.
  ///   - decode: decodes on the calling thread.
  /// - Throws: only errors of `decode`.
  // Otherwise `await` would choose this form for a synchronous closure.
  @_disfavoredOverload
  public func recordErrors<Value>(
    of model: Any.Type,
    release: String? = nil,
    operation: String? = nil,
    _ decode: () throws -> Value
  ) rethrows -> Value {
    try recordErrors(of: model, release, operation, [], decode)
  }

  /// Runs an asynchronous decode, and records its errors as the synchronous form does.
  ///
  /// Every error that `decode` throws is recorded, also one of a request: fetch the data first.
  /// Errors of child tasks are recorded too, and those that a `Task { }` reports after `decode` has
  /// returned are lost. A cancelled decode is not counted as one without errors, and its
  /// `CancellationError` is not recorded.
  ///
  ///     let data = try await client.data()
  ///     let listing = try await store.recordErrors(of: Listing.self) {
  ///       try await parser.listing(in: data)
  ///     }
  ///
  /// The digest is written on a queue of the store, so that no task is blocked. In asynchronous
  /// code this form is chosen for a synchronous closure, too.
  ///
  /// - Parameters:
  ///   - model: the type to decode.
  ///   - release: the version of the app; the default is the configuration's release.
  ///   - operation: the API operation that returned the payload: its method and path template, such
  ///     as `GET /listings/{id}`, or its `operationId`; nil if unknown. See <doc:Contexts>.
  ///   - isolation: the actor that `decode` runs on; the default is the caller's.
  ///   - decode: decodes.
  /// - Throws: only errors of `decode`.
  public func recordErrors<Value>(
    of model: Any.Type,
    release: String? = nil,
    operation: String? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ decode: () async throws -> Value
  ) async rethrows -> Value {
    let reporter = PersistentErrorReporter(
      store: self, model: model, release: release, operation: operation)
    reporter.finished = Locked(false)
    do {
      let value = try await reporter.collectErrors(isolation: isolation, decode)
      reporter.finished?.withLock { $0 = true }
      await write(reporter) { reporter.flushReportedErrors() }
      return value
    } catch {
      reporter.finished?.withLock { $0 = true }
      await write(reporter) { reporter.flush(after: error) }
      throw error
    }
  }

  /// The number of asynchronous recordings, of all stores.
  private static let recordings = AtomicInteger(0)

  /// Runs `flush`, on a queue of the store if it writes, also for a cancelled task.
  private func write(
    _ reporter: PersistentErrorReporter, _ flush: @escaping @Sendable () -> ErrorDigest?
  ) async {
    guard reporter.hasErrors, case .beforeReturning = configuration.writing else {
      _ = flush()
      return
    }
    await withCheckedContinuation { continuation in
      recordingQueues[Self.recordings.add(1) % recordingQueues.count].async {
        _ = flush()
        continuation.resume()
      }
    }
  }

  fileprivate func recordErrors<Value>(
    of model: Any.Type, _ release: String?, _ operation: String?, _ keys: ReportedKeys,
    _ decode: () throws -> Value
  ) rethrows -> Value {
    let reporter = PersistentErrorReporter(
      store: self, model: model, release: release, operation: operation)
    reporter.reportedKeys.formUnion(keys)
    reporter.finished = Locked(false)
    do {
      let value = try reporter.collectErrors(decode)
      reporter.finished?.withLock { $0 = true }
      reporter.flushReportedErrors()
      return value
    } catch {
      reporter.finished?.withLock { $0 = true }
      reporter.flush(after: error)
      throw error
    }
  }

  /// The keys to report although they aren't errors.
  var reportedKeys: ReportedKeys {
    var keys: ReportedKeys = []
    if configuration.reportsMissingKeys { keys.insert(.missing) }
    if configuration.reportsUnknownKeys { keys.insert(.unknown) }
    return keys
  }

  /// The context of a decode in this store.
  func context(release: String?, operation: String?) -> DigestContext {
    DigestContext(
      release: release ?? configuration.release, environment: configuration.environment,
      operation: operation
    ).map(ValueLimit(configuration.maximumValueLength).cut)
  }

  /// Counts a decode without errors. The count is written with the next digest, or some seconds
  /// later.
  func countCleanDecode(of model: String, _ context: DigestContext, at date: Date? = nil) {
    guard configuration.countsDecodes else { return }
    let key = PendingDecodes.DecodeKey(
      hour: Moment(date ?? configuration.clock()).hour, model: model, context: context)
    if file.pendingDecodes.add(key) { maintenance.request(.writeSoon) }
  }

  func record(_ digest: ErrorDigest, model: String, _ context: DigestContext) {
    let date = configuration.clock()
    let record = DigestRecord(
      digest,
      model: model,
      context: context,
      at: Moment(date),
      redact: configuration.redact
    )
    let pending = PendingWrite(record, of: digest)
    let waits = if case .beforeReturning = configuration.writing { true } else { false }
    maintenance.request(queue.write(pending, waits: waits))
    suspension?.digestWasRecorded()
  }
}

extension JSONDecoder {
  /// Decodes a value, and records the errors it recovers from and the error it throws in one
  /// digest.
  ///
  /// The decoder is not modified, so threads can share it. A decode without errors is only
  /// counted.
  /// If `keyDecodingStrategy` is `convertFromSnakeCase`, paths use the names of the payload:
  /// `home_page`, not `homePage`.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - data: the payload.
  ///   - store: the store that the digest is written to; nil to record nothing, for example before
  ///     a store is open.
  ///   - release: the version of the app; the default is the release of the store's configuration.
  ///   - operation: the API operation that returned the payload: its method and path template, such
  ///     as `GET /listings/{id}`, or its `operationId`; nil if unknown. See <doc:Contexts>.
  /// - Throws: only errors of `decode(_:from:)`.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from data: Data,
    recordingTo store: DigestStore?,
    release: String? = nil,
    operation: String? = nil
  ) throws -> T {
    guard let store else { return try decode(type, from: data) }
    return try store.recordErrors(
      of: type, release, operation, ReportedKeys(of: userInfo)
    ) {
      try decodeDocument(type, from: data)
    }
  }
}

extension PropertyListDecoder {
  /// Decodes a value, and records the errors it recovers from and the error it throws in one
  /// digest.
  ///
  /// The decoder is not modified, so threads can share it. A decode without errors is only
  /// counted.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - data: the payload.
  ///   - store: the store that the digest is written to; nil to record nothing, for example before
  ///     a store is open.
  ///   - release: the version of the app; the default is the release of the store's configuration.
  ///   - operation: the API operation that returned the payload: its method and path template, such
  ///     as `GET /listings/{id}`, or its `operationId`; nil if unknown. See <doc:Contexts>.
  /// - Throws: only errors of `decode(_:from:)`.
  public func decode<T: Decodable>(
    _ type: T.Type,
    from data: Data,
    recordingTo store: DigestStore?,
    release: String? = nil,
    operation: String? = nil
  ) throws -> T {
    guard let store else { return try decode(type, from: data) }
    return try store.recordErrors(
      of: type, release, operation, ReportedKeys(of: userInfo)
    ) {
      try decodeDocument(type, from: data)
    }
  }
}
