/// What a piece of work has returned: kept until the clock has stopped, then compared.
struct Outcome: Equatable {
  /// All that was decoded; models with equal fields hash alike, whatever wraps the fields.
  let value: any Hashable

  /// How many errors the reporter has heard of.
  let errorCount: Int

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.errorCount == rhs.errorCount && lhs.value.hashValue == rhs.value.hashValue
  }
}
