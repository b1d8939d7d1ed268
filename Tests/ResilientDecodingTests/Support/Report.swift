import ResilientDecoding
import Testing

/// The parts of an entry that do not depend on the decoder and its version.
struct Report: Equatable, Sendable {
  let path: String
  let recoveryPath: String
  let pattern: String
  let kind: ErrorDigest.Kind
  let expectedType: String?
  let novelValue: String?
  let novelValueType: String?

  /// An expected report; by default the error was recovered where it occurred.
  init(
    _ path: String,
    recoveredAt recoveryPath: String? = nil,
    pattern: String? = nil,
    _ kind: ErrorDigest.Kind,
    expecting expectedType: String? = nil,
    novel: String? = nil,
    of novelValueType: String? = nil
  ) {
    self.path = path
    self.recoveryPath = recoveryPath ?? path
    self.pattern = pattern ?? path
    self.kind = kind
    self.expectedType = expectedType
    self.novelValue = novel
    self.novelValueType = novelValueType
  }

  init(_ entry: ErrorDigest.Entry) {
    path = entry.codingPath.description
    recoveryPath = entry.recoveryPath.description
    pattern = entry.codingPath.pattern
    kind = entry.kind
    expectedType = entry.expectedType
    novelValue = entry.novelValue?.text
    novelValueType = entry.novelValue?.type
  }
}

extension Report: CustomTestStringConvertible {
  var testDescription: String {
    let expected = expectedType.map { " expecting \($0)" } ?? ""
    let novel = novelValue.map { " novel \($0): \(novelValueType ?? "")" } ?? ""
    return "\(path) (\(pattern)) recovered at \(recoveryPath): \(kind)\(expected)\(novel)"
  }
}

extension ErrorDigest {
  var reports: [Report] { entries.map(Report.init) }
  var paths: [String] { entries.map(\.codingPath.description) }
}
