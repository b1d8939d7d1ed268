/// What a failure is, in words.
struct FailureNames: Sendable {
  let model: String
  let codingPath: String
  let kind: String
  let expectedType: String?
  let novelValue: String?
  let valueType: String?
  let foundType: String?
  let foundValue: String?
}

extension FailureNames {
  /// The order of failures that are equally frequent.
  static func failuresPrecede(_ lhs: Self, _ rhs: Self) -> Bool {
    precede(lhs, rhs, [\.kind, \.expectedType, \.valueType])
  }

  /// The order of novel values that are equally frequent.
  static func novelValuesPrecede(_ lhs: Self, _ rhs: Self) -> Bool {
    precede(lhs, rhs, [\.valueType])
  }

  private static func precede(_ lhs: Self, _ rhs: Self, _ rest: [(Self) -> String?]) -> Bool {
    let keys: [(Self) -> String?] = [\.model, \.codingPath, \.novelValue] + rest
    for key in keys {
      let order = String.compareBytes(key(lhs), key(rhs))
      if order != 0 { return order < 0 }
    }
    return false
  }
}

extension String {
  /// Compares texts by their bytes, as SQLite does (`BINARY`), nothing before any of them.
  ///
  /// - Returns: less than 0, 0 or more, as `lhs` precedes, equals or follows `rhs`.
  static func compareBytes(_ lhs: String?, _ rhs: String?) -> Int {
    guard let lhs, let rhs else { return (lhs == nil ? 0 : 1) - (rhs == nil ? 0 : 1) }
    var left = lhs.utf8.makeIterator()
    var right = rhs.utf8.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (let byte?, let other?) where byte != other: return byte < other ? -1 : 1
      case (_?, _?): continue
      case (nil, nil): return 0
      case (nil, _?): return -1
      case (_?, nil): return 1
      }
    }
  }
}
