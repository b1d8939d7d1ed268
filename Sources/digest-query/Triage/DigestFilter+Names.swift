import DigestStore

extension DigestFilter {
  /// The names to filter by, if those of all failures that matter are these; none if one is nil or a
  /// pattern, or if there are so many that reading all failures is faster.
  static func names(_ names: [String?]) -> [String] {
    guard names.allSatisfy({ $0?.hasWildcards == false }) else { return [] }
    let unique = Set(names.compactMap { $0.map(BinaryString.init) })
    return unique.count > 100 ? [] : unique.map(\.text)
  }
}
