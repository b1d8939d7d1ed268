/// Two ways to do the same work, and how much longer than the first the second may take.
struct Comparison {
  typealias Work = () throws -> Outcome

  let name: String

  /// The ratio that is not to be exceeded, where one is required.
  var target: Double?

  /// Builds the payloads; called right before the comparison is measured, and not timed.
  let prepare: () throws -> Pair

  /// The work that is the measure, and the work that is measured.
  struct Pair {
    let reference: Work
    let measured: Work

    /// What `measured` has to return each time; nil for what `reference` returns.
    var expected: Outcome?
  }
}
