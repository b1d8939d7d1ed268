/// A key of the payload that no property decodes: the backend sends more than this app knows.
///
/// It is never thrown. Entries of kind ``ErrorDigest/Kind/unknownKey`` have it as their error.
public struct UnknownKeyError: Error, CustomStringConvertible {
  /// The path of the key.
  public let path: ErrorDigest.Path

  /// The key as a message, such as `No property decodes items[0].title`.
  public var description: String { "No property decodes \(path)" }
}
