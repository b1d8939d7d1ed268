import ResilientDecoding

/// One loss as a digest describes it, without the decoder's wording.
struct Loss: Hashable, Sendable {
  let path: ErrorDigest.Path
  let recoveryPath: ErrorDigest.Path
  let kind: ErrorDigest.Kind
  let found: ErrorDigest.FoundValue.ValueType?
  let foundText: String?
  let novelValue: String?
}

extension Loss {
  init(_ entry: ErrorDigest.Entry) {
    path = entry.codingPath
    recoveryPath = entry.recoveryPath
    kind = entry.kind
    found = entry.foundValue?.type
    foundText = entry.foundValue?.text
    novelValue = entry.novelValue?.text
  }
}

extension Loss: CustomStringConvertible {
  var description: String {
    "\(path) (\(path.pattern)) at \(recoveryPath): \(kind), found \(found.map { "\($0)" } ?? "-") "
      + "\(foundText?.debugDescription ?? "-") novel \(novelValue?.debugDescription ?? "-")"
  }
}

extension JSON {
  /// Its kind in a digest.
  var foundType: ErrorDigest.FoundValue.ValueType {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .real, .literal: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Its found value in a digest.
  var foundText: String? {
    switch self {
    case .null, .array, .object: nil
    case .boolean(let boolean): String(boolean)
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .literal(let literal): literal.exactText
    case .string(let string): string
    }
  }
}
