// swift-metrics: the number of errors by model and kind, added once for each digest.

public import CoreMetrics
public import DigestStore
public import Foundation
public import ResilientDecoding
import Synchronization

/// Counts errors in the counter `decoding_errors` with the dimensions `model` and `kind`.
///
/// Both dimensions come from the source code of the app, so their number is bounded. Paths and
/// novel values are not dimensions: each new value would be a new time series. The store has them.
///
///     let counters = ErrorCounters()
///     let listing = try decoder.decode(
///       Listing.self, from: data, recordingTo: store, countingIn: counters)
public final class ErrorCounters: Sendable {
  private struct Dimensions: Hashable {
    let model: String
    let kind: ErrorDigest.Kind
  }

  private let factory: any MetricsFactory
  private let counters = Mutex<[Dimensions: Counter]>([:])

  /// Makes the counters, in the factory of the process unless another is given.
  public init(factory: any MetricsFactory = MetricsSystem.factory) {
    self.factory = factory
  }

  /// Adds the errors of a digest, also those that a full reporter only counted.
  public func add(_ digest: ErrorDigest, decoding model: Any.Type) {
    guard let failure = digest.entries.first?.failure ?? digest.omissions.first?.failure else {
      return
    }
    // The name under which the store has the model.
    let name = FailureError(failure, decoding: model).domain
    var sums: [Dimensions: Int] = [:]
    for entry in digest.entries { sums[Dimensions(model: name, kind: entry.kind), default: 0] += 1 }
    for omission in digest.omissions {
      sums[Dimensions(model: name, kind: omission.failure.kind), default: 0] += omission.count
    }
    for (dimensions, sum) in sums { counter(dimensions).increment(by: sum) }
  }

  private func counter(_ dimensions: Dimensions) -> Counter {
    counters.withLock { counters in
      if let counter = counters[dimensions] { return counter }
      let counter = Counter(
        label: "decoding_errors",
        dimensions: [("model", dimensions.model), ("kind", "\(dimensions.kind)")],
        factory: factory)
      counters[dimensions] = counter
      return counter
    }
  }
}

/// A reporter whose flush also adds to the counters.
// Sendable like its superclass: its own properties are constants.
public final class CountingErrorReporter: PersistentErrorReporter, @unchecked Sendable {
  private let counters: ErrorCounters
  private let decodedType: Any.Type

  /// Makes a reporter for errors in decoding `model`.
  public init(store: DigestStore, model: Any.Type, counters: ErrorCounters) {
    self.counters = counters
    decodedType = model
    super.init(store: store, model: model)
  }

  /// Writes the digest to the store, and adds its errors to the counters.
  @discardableResult
  public override func flushReportedErrors() -> ErrorDigest? {
    let digest = super.flushReportedErrors()
    if let digest { counters.add(digest, decoding: decodedType) }
    return digest
  }
}

extension JSONDecoder {
  /// Decodes a value, records the errors to a store, and adds them to the counters.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Data, recordingTo store: DigestStore,
    countingIn counters: ErrorCounters
  ) throws -> T {
    let reporter = CountingErrorReporter(store: store, model: type, counters: counters)
    defer { reporter.flushReportedErrors() }
    return try reporter.collectErrors { try decode(type, from: data) }
  }
}
