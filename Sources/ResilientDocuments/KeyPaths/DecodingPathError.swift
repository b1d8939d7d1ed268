public import ResilientDecoding

/// An error at a decoding path, with an excerpt of the payload there.
///
/// Its description is one line, such as
/// `keyNotFound at object.repo.owner: "name" in {"id": 1, "login": "anviking"}`.
/// It may contain up to 200 characters of the payload: consider where you log it.
public struct DecodingPathError: ExplainingError {
  /// What went wrong.
  public let kind: ErrorDigest.Kind

  /// The place, from the root of the payload; for a missing key, the object that should have it.
  public let path: ErrorDigest.Path

  /// The expected type, or the missing key in quotes; nil if unknown.
  public let expected: String?

  /// The beginning of the value found there, in a notation like JSON; nil if there is none.
  public let found: String?

  /// The decoder's error, from which a reporter makes its entry.
  public let underlyingError: DecodingError
}

extension DecodingPathError: CustomStringConvertible {
  /// The error in one line.
  public var description: String {
    let place = path.components.isEmpty ? "the root" : path.description
    let rest: String
    if kind == .keyNotFound {
      rest = (expected ?? "a key") + (found.map { " in \($0)" } ?? "")
    } else {
      let expectation = expected.map { "expected \($0), " } ?? ""
      rest = "\(expectation)found \(found ?? "nothing")\(reason)"
    }
    return "\(kind.rawValue) at \(place): \(rest)".onOneLine
  }

  /// The decoder's reason why the data is invalid.
  private var reason: String {
    guard kind == .dataCorrupted, case .dataCorrupted(let context) = underlyingError else {
      return ""
    }
    return " (\(context.debugDescription))"
  }
}
