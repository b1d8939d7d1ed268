// swift-log: one line for the first occurrence of each failure, while the store counts all of them.

public import DigestStore
public import Foundation
public import Logging
public import ResilientDecoding
import Synchronization

/// Logs each failure once in the life of the process.
///
/// A failure is recognized by its model, path pattern and kind, so a backend that sends a thousand
/// novel values at one path gets one line. After a restart each failure is logged once more.
///
///     let log = FailureLog(Logger(label: "decoding"))
///     let listing = try decoder.decode(
///       Listing.self, from: data, recordingTo: store, loggingTo: log)
public final class FailureLog: Sendable {
  private let logger: Logger
  private let level: Logger.Level
  private let includesValues: Bool
  private let maximumFailures: Int
  private let loggedFingerprints = Mutex<Set<String>>([])

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - logger: The logger to write to.
  ///   - level: The level of each line.
  ///   - maximumFailures: The most failures that are logged. A last line says that the log is full.
  ///   - includesValues: Whether a line has the novel value. It is text of the payload, which may
  ///     be personal.
  public init(
    _ logger: Logger, level: Logger.Level = .warning, maximumFailures: Int = 1_000,
    includesValues: Bool = false
  ) {
    self.logger = logger
    self.level = level
    self.maximumFailures = maximumFailures
    self.includesValues = includesValues
  }

  /// Logs those failures of a digest that were not logged before.
  public func log(_ digest: ErrorDigest, decoding model: Any.Type) {
    for failure in digest.entries.map(\.failure) + digest.omissions.map(\.failure) {
      let error = FailureError(failure, decoding: model, includingValues: includesValues)
      switch addToLogged(error.fingerprint) {
      case .known: continue
      case .full: return
      case .new(let isLast):
        logger.log(level: level, "decoding failure", metadata: metadata(of: error))
        if isLast {
          logger.log(
            level: level, "no further decoding failures are logged; the store has all of them",
            metadata: ["failures": "\(maximumFailures)"])
        }
      }
    }
  }

  private enum Sight {
    case new(isLast: Bool)
    case known
    case full
  }

  private func addToLogged(_ fingerprint: String) -> Sight {
    loggedFingerprints.withLock { logged in
      if logged.contains(fingerprint) { return .known }
      guard logged.count < maximumFailures else { return .full }
      logged.insert(fingerprint)
      return .new(isLast: logged.count == maximumFailures)
    }
  }

  private func metadata(of error: FailureError) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "model": "\(error.domain)", "path": "\(error.codingPath)", "kind": "\(error.kind)",
      "fingerprint": "\(error.fingerprint)",
    ]
    if let value = error.value {
      // Cut, and without control characters: a value cannot begin a line of its own.
      let scalars = value.unicodeScalars.prefix(80).map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}" as Unicode.Scalar
        default: scalar
        }
      }
      metadata["value"] = "\(String(String.UnicodeScalarView(scalars)))"
    }
    return metadata
  }
}

/// A reporter whose flush also logs the failures that are new.
// Sendable like its superclass: its own properties are constants.
public final class LoggingErrorReporter: PersistentErrorReporter, @unchecked Sendable {
  private let log: FailureLog
  private let decodedType: Any.Type

  /// Makes a reporter for errors in decoding `model`.
  public init(store: DigestStore, model: Any.Type, log: FailureLog) {
    self.log = log
    decodedType = model
    super.init(store: store, model: model)
  }

  /// Writes the digest to the store, and logs the failures that are new.
  @discardableResult
  public override func flushReportedErrors() -> ErrorDigest? {
    let digest = super.flushReportedErrors()
    if let digest { log.log(digest, decoding: decodedType) }
    return digest
  }
}

extension JSONDecoder {
  /// Decodes a value, records the errors to a store, and logs the failures that are new.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Data, recordingTo store: DigestStore, loggingTo log: FailureLog
  ) throws -> T {
    let reporter = LoggingErrorReporter(store: store, model: type, log: log)
    defer { reporter.flushReportedErrors() }
    return try reporter.collectErrors { try decode(type, from: data) }
  }
}
