import ResilientDecoding
import Testing

/// What an entry says that has to be the same whatever the decoder is.
struct Report: Equatable, Sendable {
  let path: String
  let recoveryPath: String
  let kind: ErrorDigest.Kind
  let expected: String?
  let novelValue: String?

  /// An expected report; by default it was recovered where it happened.
  init(
    _ path: String,
    recoveredAt recoveryPath: String? = nil,
    _ kind: ErrorDigest.Kind,
    expecting expected: String? = nil,
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
      expecting: entry.expectedType,
      novel: entry.novelValue?.text
    )
  }
}

extension Report: CustomTestStringConvertible {
  var testDescription: String {
    let expected = expected.map { " expecting \($0)" } ?? ""
    let novel = novelValue.map { " novel \($0)" } ?? ""
    return "\(path) recovered at \(recoveryPath): \(kind)\(expected)\(novel)"
  }
}
