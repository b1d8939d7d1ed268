import ResilientDecoding
import Testing

/// What an entry says that has to be the same whatever the decoder is.
struct Report: Equatable, Sendable {
  let path: String
  let recoveryPath: String
  let kind: ErrorDigest.Kind
  let expected: Expected?
  let novelValue: String?

  /// An expected report; by default it was recovered where it happened.
  init(
    _ path: String,
    recoveredAt recoveryPath: String? = nil,
    _ kind: ErrorDigest.Kind,
    expecting expected: Expected? = nil,
    novel: String? = nil
  ) {
    self.path = path
    self.recoveryPath = recoveryPath ?? path
    self.kind = kind
    self.expected = expected
    self.novelValue = novel
  }

  init(_ entry: ErrorDigest.Entry) {
    self.init(
      entry.codingPath.description,
      recoveredAt: entry.recoveryPath.description,
      entry.kind,
      expecting: entry.expectedType.map(Expected.type),
      novel: entry.novelValue?.text
    )
  }

  /// The report as it is expected of a format.
  func named(in format: Format) -> Self {
    Self(
      path,
      recoveredAt: recoveryPath,
      kind,
      expecting: expected.map { .type($0.name(in: format)) },
      novel: novelValue
    )
  }
}

/// The expected type of a report.
///
/// Yams does not name a type where a structure is wrong, but the node that should have been there.
enum Expected: Equatable, Sendable, ExpressibleByStringLiteral {
  case type(String)
  case array
  case dictionary
  /// A scalar of a type, where there is an array or a dictionary.
  case scalar(String)

  init(stringLiteral type: String) { self = .type(type) }

  func name(in format: Format) -> String {
    switch self {
    case .type(let name): name
    case .array: format == .yaml ? "Yams.Node.Sequence" : "Array<Any>"
    case .dictionary: format == .yaml ? "Yams.Node.Mapping" : "Dictionary<String, Any>"
    case .scalar(let name): format == .yaml ? "Yams.Node.Scalar" : name
    }
  }
}

extension Report: CustomTestStringConvertible {
  var testDescription: String {
    let expected = expected.map { " expecting \($0)" } ?? ""
    let novel = novelValue.map { " novel \($0)" } ?? ""
    return "\(path) recovered at \(recoveryPath): \(kind)\(expected)\(novel)"
  }
}
