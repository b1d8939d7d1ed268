extension CodingUserInfoKey {
  /// The key under which a decoder's `userInfo` holds its ``ResilientDecodingErrorReporter``.
  public static let resilientDecodingErrorReporter = CodingUserInfoKey(
    rawValue: "ResilientDecodingErrorReporter"
  )!  // Never nil: the initialiser is failable only because its protocol's is.
}

extension Decoder {
  /// Reports an error that an `init(from:)` has recovered from; does nothing without a reporter.
  public func reportError(_ error: any Error) {
    report(error, at: codingPath, decoding: nil)
  }

  /// Reports an error that was recovered from at `path`, where `type` was expected.
  func report(
    _ error: any Error,
    at path: @autoclosure () -> [any CodingKey],
    decoding type: Any.Type?
  ) {
    guard let reporter = ResilientDecodingErrorReporter.current ?? installedReporter else { return }
    let path = ErrorDigest.Path(path())
    reporter.report(ErrorDigest.Entry(error, recoveryPath: path, decoding: type))
  }

  fileprivate var installedReporter: ResilientDecodingErrorReporter? {
    userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
  }
}

extension KeyedDecodingContainer {
  /// Reports an error that was recovered from at `key`, where `type` was expected.
  func report(_ error: any Error, forKey key: Key, decoding type: Any.Type) {
    guard
      let reporter = ResilientDecodingErrorReporter.current
        ?? decoder(near: key)?.installedReporter
    else { return }
    let path = ErrorDigest.Path(codingPath + [key])
    reporter.report(ErrorDigest.Entry(error, recoveryPath: path, decoding: type))
  }

  /// A decoder of this container, for a container does not know its `userInfo`.
  ///
  /// Only asked for once there is an error. Some decoders have one for the keys that are there
  /// alone; one that has none at all has no reporter to give either.
  private func decoder(near key: Key) -> (any Decoder)? {
    (try? superDecoder(forKey: key)) ?? allKeys.first.flatMap { try? superDecoder(forKey: $0) }
      ?? (try? superDecoder())
  }
}

/// The place of an element, for the decoders' own keys cannot be made.
struct IndexKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }

  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }
}

extension [CodingUserInfoKey: any Sendable] {
  /// Installs a new reporter, in the place of any other, and returns it.
  public mutating func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    let reporter = ResilientDecodingErrorReporter()
    self[.resilientDecodingErrorReporter] = reporter
    return reporter
  }
}

extension [CodingUserInfoKey: Any] {
  /// Installs a new reporter, in the place of any other, and returns it.
  public mutating func enableResilientDecodingErrorReporting() -> ResilientDecodingErrorReporter {
    let reporter = ResilientDecodingErrorReporter()
    self[.resilientDecodingErrorReporter] = reporter
    return reporter
  }
}
