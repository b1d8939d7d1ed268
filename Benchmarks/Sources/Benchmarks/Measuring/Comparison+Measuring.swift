// google/swift-benchmark and ordo-one/benchmark both finish one benchmark before they begin the
// next, and compare numbers of different minutes. On a machine whose speed changes by the minute
// only work done in turns can be told apart by a few per cent, hence this loop.

extension Comparison {
  /// Does both works in turns, after one round that warms up.
  func measure(rounds: Int) throws -> Measurement {
    let pair = try prepare()
    let expected = try pair.expected ?? pair.reference()
    var isCorrect = try pair.measured() == expected
    var reference: [Double] = []
    var measured: [Double] = []
    blackHole(try pair.reference())
    for _ in 0..<rounds {
      reference.append(try Stopwatch.time(pair.reference).nanoseconds)
      let (outcome, nanoseconds) = try Stopwatch.time(pair.measured)
      measured.append(nanoseconds)
      isCorrect = isCorrect && outcome == expected
    }
    return Measurement(
      name: name, target: target, reference: reference, measured: measured, isCorrect: isCorrect
    )
  }
}
