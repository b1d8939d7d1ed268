public import ResilientPlatform

/// A failure as an error for a crash or error service, which groups errors by domain and code or by
/// a fingerprint.
///
/// Its properties are the same on every platform and in every run. None contains text of the
/// payload, unless ``init(_:decoding:includingValues:)`` includes values, or a model decodes an
/// object by `CodingKey`s that accept every name and do not conform to ``DynamicCodingKey``:
///
///     for entry in digest.entries {
///       let error = FailureError(entry.failure, decoding: Listing.self)
///       service.record(NSError(domain: error.domain, code: error.code, userInfo: error.userInfo))
///     }
///
/// On Apple platforms it is a `CustomNSError`, so a service that takes an `Error` sees the same.
public struct FailureError: Error, Sendable, Hashable {
  /// The model, module-qualified.
  public let domain: String

  /// The pattern of the path; the last key is `*` if no property decodes it, because it is the
  /// payload's.
  public let codingPath: String

  /// What went wrong.
  public let kind: ErrorDigest.Kind

  /// The expected type, module-qualified; not part of the identity.
  public let expectedType: String?

  /// The novel value or the unknown key, if asked for; not part of the identity.
  public let value: String?

  /// The maximum length of ``value`` in scalars.
  private static let maximumLength = 1_000

  /// Creates the error of a failure.
  ///
  /// - Parameters:
  ///   - failure: The failure of an entry or an omission.
  ///   - model: The type passed to `decode`.
  ///   - includesValues: Whether ``value``, and so ``userInfo`` and the description, may have text
  ///     of the payload.
  public init(
    _ failure: ErrorDigest.Failure, decoding model: Any.Type,
    includingValues includesValues: Bool = false
  ) {
    self.init(failure, domain: typeName(model), includingValues: includesValues)
  }

  /// Creates the error of a failure of a model that is known by its name, as in a report of a
  /// store.
  public init(
    _ failure: ErrorDigest.Failure, domain: String, includingValues includesValues: Bool = false
  ) {
    var path = failure.codingPath.generalized
    var key: String?
    if failure.kind == .unknownKey, let last = path.components.popLast() {
      key = last.keyName
      path.components.append(.anyDictionaryKey)
    }
    self.domain = domain
    codingPath = path.description
    kind = failure.kind
    expectedType = failure.expectedType
    let value = includesValues ? failure.novelValue?.text ?? key : nil
    self.value = value.map { String($0.unicodeScalars.prefix(Self.maximumLength)) }
  }

  /// A number from 0 through 2,147,483,647: the FNV-1a hash, of 32 bits, of the UTF-8 bytes of
  /// ``codingPath``, a line feed and the kind's raw value, without its highest bit.
  ///
  /// Different failures of a model may have the same code, though rarely.
  public var code: Int {
    Int(
      "\(codingPath)\n\(kind.rawValue)".utf8.fnv1a(0x811C_9DC5 as UInt32, 0x0100_0193) & 0x7FFF_FFFF
    )
  }

  /// Sixteen hexadecimal digits: the FNV-1a hash, of 64 bits, of the UTF-8 bytes of the domain,
  /// ``codingPath`` and the kind's raw value, with a line feed between them.
  public var fingerprint: String {
    let hash = "\(domain)\n\(codingPath)\n\(kind.rawValue)".utf8
      .fnv1a(0xCBF2_9CE4_8422_2325 as UInt64, 0x0100_0000_01B3)
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The fields for an error service: the model, path, kind, expected type, fingerprint and, if
  /// requested, value.
  public var userInfo: [String: String] {
    var info = [
      "NSLocalizedDescription": description, "model": domain, "codingPath": codingPath,
      "kind": kind.rawValue, "fingerprint": fingerprint,
    ]
    info["expectedType"] = expectedType
    info["value"] = value
    return info
  }
}

extension FailureError {
  /// Compares the identities: domain, pattern and kind.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.fingerprint == rhs.fingerprint }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension FailureError: CustomStringConvertible, LocalizedError {
  /// The failure in one line, such as `items[].kind of App.Listing: unknownNovelValue, expected
  /// App.Kind`.
  public var description: String {
    let place = codingPath.isEmpty ? "the document" : codingPath
    let expected = expectedType.map { ", expected \($0)" } ?? ""
    let found = value.map { ", found \($0.jsonQuoted)" } ?? ""
    return "\(place) of \(domain): \(kind.rawValue)\(expected)\(found)".onOneLine
  }

  /// The description.
  public var errorDescription: String? { description }
}

#if canImport(Darwin)
  extension FailureError: CustomNSError {
    /// The domain of each error is its model, ``domain-property``.
    public var _domain: String { domain }

    /// The ``code``.
    public var errorCode: Int { code }

    /// The ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }
  }
#endif

extension Sequence<UInt8> {
  /// The FNV-1a hash (draft-eastlake-fnv, section 2), whose width is that of the parameters.
  fileprivate func fnv1a<Hash: FixedWidthInteger>(_ basis: Hash, _ prime: Hash) -> Hash {
    reduce(basis) { ($0 ^ Hash($1)) &* prime }
  }
}
