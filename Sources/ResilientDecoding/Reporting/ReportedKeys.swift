import ResilientPlatform

/// The keys that a decode reports even though they are not errors.
package struct ReportedKeys: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The keys of wrappers that a payload lacks.
  package static let missing = Self(rawValue: 1)

  /// The keys of a payload that no property decodes.
  package static let unknown = Self(rawValue: 2)

  /// The keys that a decoder's `userInfo` asks for, by itself or through the reporter in it.
  package init(of userInfo: [CodingUserInfoKey: Any]) {
    self = []
    let reporter =
      userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter
    formUnion(reporter?.reportedKeys ?? [])
    if userInfo[.missingKeys] as? Bool == true { insert(.missing) }
    if userInfo[.reportsUnknownKeys] as? Bool == true { insert(.unknown) }
  }

  /// The options as a decoder's `userInfo`.
  package var userInfo: [CodingUserInfoKey: any Sendable] {
    isEmpty ? [:] : [.missingKeys: contains(.missing), .reportsUnknownKeys: contains(.unknown)]
  }

  /// Whether any decode of the process has asked for missing keys.
  ///
  /// A keyed container does not know its `userInfo`, and finding it takes as long as decoding some
  /// values. So it is searched only if it may ask for them.
  static var mayIncludeMissing: Bool { areMissingUsed.load() != 0 }
  private static let areMissingUsed = AtomicInteger(0)

  /// Notes that a decode may ask for missing keys.
  static func noteMissing() { areMissingUsed.store(1) }
}

extension CodingUserInfoKey {
  fileprivate static let missingKeys = CodingUserInfoKey(
    rawValue: "ResilientDecodingReportsMissingKeys"
  )!  // Never nil: the initializer is failable only because its protocol's is.

  /// The key under which a decoder's `userInfo` holds whether to report missing keys of wrappers: a
  /// `Bool`.
  ///
  /// A missing key is then an entry of kind ``ErrorDigest/Kind/missingKey``, although the property
  /// has a value for it: nil, an empty collection or a default. It isn't an error:
  /// ``ErrorDigest/errors`` leaves it out, as it leaves out novel values, and it counts in no rate
  /// of a store. Values and outcomes are the same as without the option.
  ///
  /// Once a process has asked for missing keys, each missing key of a wrapper takes some
  /// microseconds more in decodes without a reporter.
  public static var reportsMissingKeys: CodingUserInfoKey {
    ReportedKeys.noteMissing()
    return missingKeys
  }

  /// The key under which a decoder's `userInfo` holds whether to report unknown keys: a `Bool`.
  ///
  /// A key of the payload that no property decodes is then an entry of kind
  /// ``ErrorDigest/Kind/unknownKey``, once for each pattern in a decode. It isn't an error:
  /// ``ErrorDigest/errors`` leaves it out, as it leaves out novel values, and it counts in no rate
  /// of a store.
  ///
  /// Unknown keys are found by `JSONDecoder.decode(_:from:reportResilientDecodingErrors:)`, and by
  /// decoding to a store, with `JSONDecoder` and `PropertyListDecoder`. Other decodes and decoders
  /// do not show a library where a document begins. A key is known if any type that decodes an
  /// object with the same pattern asks for it or lists it in its coding keys, even if
  /// that type fails. Dictionaries, and objects more than 40 levels deep, have no unknown keys.
  /// Beyond 100 unknown keys of one pattern, the others are one entry, `*`. With the
  /// `keyDecodingStrategy` `convertFromSnakeCase`, a name may be the converted one.
  ///
  /// A decode that looks for unknown keys takes two to four times as long.
  public static let reportsUnknownKeys = CodingUserInfoKey(
    rawValue: "ResilientDecodingReportsUnknownKeys"
  )!
}
