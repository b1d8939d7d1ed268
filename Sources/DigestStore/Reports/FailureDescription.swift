/// A failure with the name of its model.
struct FailureDescription: Sendable {
  let model: String
  let modelID: Int64
  let failure: Failure
}

extension FailureDescription {
  /// Sorts equally frequent failures.
  static func failuresPrecede(_ lhs: Self, _ rhs: Self) -> Bool {
    var order = lhs.place.order(to: rhs.place)
    if order == 0 { order = lhs.failure.kind.byteOrder(to: rhs.failure.kind) }
    if order == 0 { order = String.byteOrder(lhs.failure.expectedType, rhs.failure.expectedType) }
    if order == 0 { order = String.byteOrder(lhs.failure.valueType, rhs.failure.valueType) }
    return order < 0
  }

  /// Sorts equally frequent novel values.
  static func novelValuesPrecede(_ lhs: Self, _ rhs: Self) -> Bool {
    var order = lhs.place.order(to: rhs.place)
    if order == 0 { order = String.byteOrder(lhs.failure.valueType, rhs.failure.valueType) }
    return order < 0
  }

  /// The fields that equally frequent rows are sorted by first.
  struct Place {
    let model: String
    let codingPath: String
    let novelValue: String?

    /// Returns a negative number, 0 or a positive number if this precedes, equals or follows `other`.
    func order(to other: Self) -> Int {
      var order = model.byteOrder(to: other.model)
      if order == 0 { order = codingPath.byteOrder(to: other.codingPath) }
      if order == 0 { order = String.byteOrder(novelValue, other.novelValue) }
      return order
    }
  }

  var place: Place {
    Place(model: model, codingPath: failure.codingPath, novelValue: failure.novelValue)
  }
}

extension String {
  /// Compares texts by their bytes, as SQLite does (`BINARY`); nil comes first.
  static func byteOrder(_ lhs: String?, _ rhs: String?) -> Int {
    guard let lhs, let rhs else { return (lhs == nil ? 0 : 1) - (rhs == nil ? 0 : 1) }
    return lhs.byteOrder(to: rhs)
  }

  /// Compares texts by their bytes.
  ///
  /// - Returns: a negative number, 0 or a positive number if this precedes, equals or follows
  ///   `other`.
  func byteOrder(to other: String) -> Int {
    let order = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        let length = Swift.min(bytes.count, others.count)
        var index = 0
        while index < length, bytes[index] == others[index] { index += 1 }
        return index < length
          ? Int(bytes[index]) - Int(others[index]) : bytes.count - others.count
      }
    }
    // A text without contiguous UTF-8 storage is copied.
    return (order ?? nil)
      ?? String(decoding: Array(utf8), as: UTF8.self)
      .byteOrder(to: String(decoding: Array(other.utf8), as: UTF8.self))
  }
}
