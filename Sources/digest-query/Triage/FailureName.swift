import DigestStore
import ResilientDecoding

/// The identity of a failure in a store. A novel value at a path is one failure, and a conversion of
/// it is another.
struct FailureName: Hashable {
  private let texts: [BinaryString?]

  init(_ row: DigestStore.FailureCount) {
    self.init(
      row.model, row.codingPath, row.kind, row.expectedType, row.novelValue, row.valueType,
      row.foundType)
  }

  init(_ row: DigestStore.FailureChange) {
    self.init(
      row.model, row.codingPath, row.kind, row.expectedType, row.novelValue, row.valueType,
      row.foundType)
  }

  private init(
    _ model: String, _ codingPath: String, _ kind: ErrorDigest.Kind, _ expectedType: String?,
    _ novelValue: String?, _ valueType: String?, _ foundType: ErrorDigest.FoundValue.ValueType?
  ) {
    let body = foundType?.isOfBody == true ? foundType : nil
    let rest =
      novelValue.map { [ErrorKinds.others.contains(kind) ? kind.rawValue : nil, $0, valueType] }
      ?? [kind.rawValue, expectedType, body?.rawValue, nil]
    texts = ([model, codingPath] + rest).map { $0.map(BinaryString.init) }
  }

  /// A hash that is the same in every run.
  var hash: String { fingerprint(of: texts.map { $0?.text }, bytes: 8) }
}

/// A row about one failure.
protocol TriagedRow {
  var failureName: FailureName { get }
  var occurrences: Int { get }
}

extension DigestStore.FailureCount: TriagedRow {
  var failureName: FailureName { FailureName(self) }
}

extension DigestStore.FailureChange: TriagedRow {
  var failureName: FailureName { FailureName(self) }
  var occurrences: Int { occurrencesBefore.adding(count: occurrencesAfter) }
}

extension JudgedFailure: TriagedRow {
  var failureName: FailureName { FailureName(failure) }
}

extension [JudgedFailure] {
  /// The number of failures. One with several verdicts has several rows.
  var failures: Int { Set(map(\.failureName)).count }
}

/// A text with the wildcards of filters: `*` for any text and `?` for any character.
struct Pattern: Hashable {
  private let scalars: [Unicode.Scalar]

  /// The text, if it has no wildcards.
  private let exact: BinaryString?

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    exact = text.hasWildcards ? nil : BinaryString(text)
  }

  /// Whether the pattern matches a whole text. Takes time in proportion to the product of the
  /// lengths at worst.
  func matches(_ text: String) -> Bool {
    if let exact { return exact == BinaryString(text) }
    let text = Array(text.unicodeScalars)
    var (place, index) = (0, 0)
    // Where to go on if the text after the last star does not match.
    var retry: (place: Int, index: Int)?
    while index < text.count {
      if place < scalars.count, scalars[place] == "*" {
        retry = (place + 1, index)
        place += 1
      } else if place < scalars.count, scalars[place] == "?" || scalars[place] == text[index] {
        place += 1
        index += 1
      } else if let last = retry {
        retry = (last.place, last.index + 1)
        (place, index) = (last.place, last.index + 1)
      } else {
        return false
      }
    }
    return scalars[place...].allSatisfy { $0 == "*" }
  }
}
