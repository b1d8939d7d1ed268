import ResilientPlatform
import Synchronization

/// The keys that a decode reports although they are no errors.
package struct ReportedKeys: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The keys of wrappers that a payload lacks.
  package static let missing = Self(rawValue: 1)

  /// The keys of a payload that no property decodes.
  package static let unknown = Self(rawValue: 2)

  /// Reads the options of a decoder.
  package init(_ userInfo: [CodingUserInfoKey: Any]) {
    self = []
    guard Self.mayBeInUserInfo.load(ordering: .relaxed) else { return }
    if userInfo[.missingKeys] as? Bool == true { insert(.missing) }
    if userInfo[.unknownKeys] as? Bool == true { insert(.unknown) }
  }

  /// Whether a decoder's `userInfo` may have such an option.
  ///
  /// A keyed container does not know its `userInfo`, and finding it takes as long as decoding some
  /// values. So it is not searched before the process has named one of the options.
  fileprivate static let mayBeInUserInfo = Atomic(false)

  /// Whether a decoder's `userInfo` may ask for something.
  static var mayBeAskedFor: Bool { mayBeInUserInfo.load(ordering: .relaxed) }
}

extension CodingUserInfoKey {
  fileprivate static let missingKeys = CodingUserInfoKey(
    rawValue: "ResilientDecodingReportsMissingKeys"
  )!  // Never nil: the initializer is failable only because its protocol's is.

  fileprivate static let unknownKeys = CodingUserInfoKey(
    rawValue: "ResilientDecodingReportsUnknownKeys"
  )!

  /// The key under which a decoder's `userInfo` holds whether to report missing keys of wrappers: a
  /// `Bool`.
  ///
  /// A missing key is then an entry of kind ``ErrorDigest/Kind/keyNotFound``, although the property
  /// has a value for it: nil, an empty collection or a default. ``ErrorDigest/errors`` leaves it
  /// out, as it leaves out novel values. Values and outcomes are the same as without the option.
  ///
  /// Once a process has used this property, each missing key of a wrapper takes about two
  /// microseconds more in decodes that no reporter is in charge of.
  public static var reportsMissingKeys: CodingUserInfoKey {
    ReportedKeys.mayBeInUserInfo.store(true, ordering: .relaxed)
    return missingKeys
  }

  /// The key under which a decoder's `userInfo` holds whether to report unknown keys: a `Bool`.
  ///
  /// A key of the payload that no property decodes is then an entry of kind
  /// ``ErrorDigest/Kind/unknownKey``, once for each pattern in a decode. ``ErrorDigest/errors``
  /// leaves it out, as it leaves out novel values.
  ///
  /// Unknown keys are found by `JSONDecoder.decode(_:from:reportResilientDecodingErrors:)`, and by
  /// decoding to a store, with `JSONDecoder` and `PropertyListDecoder`. Other decodes and decoders
  /// do not tell a library where a document begins. An object is left out if it could not be
  /// decoded, if nothing in it was decoded, if its keys were listed, as those of a dictionary are,
  /// or if it is more than 40 levels deep. Of an object with more than 100 unknown keys, the others
  /// are one entry, `*`. With the `keyDecodingStrategy` `convertFromSnakeCase`, a name may be the
  /// converted one.
  ///
  /// A decode that looks for unknown keys takes two to three times as long.
  public static var reportsUnknownKeys: CodingUserInfoKey {
    ReportedKeys.mayBeInUserInfo.store(true, ordering: .relaxed)
    return unknownKeys
  }
}
