import ResilientDecoding

/// A digest as it is read from its row.
struct StoredDigest: Sendable {
  let number: Int64

  /// The id of the digest in exports and other stores.
  let id: String
  let recordedAt: Moment
  let model: String
  let release: String?
  let environment: String?
  let operation: String?

  /// The errors in their order.
  let errors: [StoredError]

  /// The number of errors, including those that are only counted.
  var count: Int64 { errors.sum(of: \.times) }
}

/// An error of a digest.
struct StoredError: Sendable {
  let failure: StoredFailure

  /// The exact path; nil if it equals the pattern.
  let path: String?
  let times: Int64
  let foundType: String?
  let foundValue: String?

  var codingPath: String { path ?? failure.names.codingPath }
}

/// A failure that errors refer to.
final class StoredFailure: Sendable {
  let id: Int64
  let names: Failure

  /// Whether the failure matches the filter.
  let isMatching: Bool

  init(id: Int64, names: Failure, isMatching: Bool) {
    self.id = id
    self.names = names
    self.isMatching = isMatching
  }

  /// The approximate size, in bytes.
  var cost: Int {
    [
      names.codingPath, names.kind, names.expectedType ?? "", names.novelValue ?? "",
      names.valueType ?? "",
    ].reduce(400) { $0 + $1.utf8.count }
  }
}
