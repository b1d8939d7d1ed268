import Reporting

/// The times of one comparison.
struct Measurement {
  let name: String
  let target: Double?

  /// Nanoseconds of each round, in pairs.
  let reference: [Double]
  let measured: [Double]

  /// Whether `measured` has returned in every round what it has to.
  let isCorrect: Bool

  /// How many times as long as the reference the measured work takes.
  ///
  /// The median of the ratios of the rounds. Both halves of a round run within milliseconds, so a
  /// machine that gets slower for a while slows both; and a round that was disturbed is left out.
  var ratio: Double { ratios.quantile(0.5) }

  /// Half of what lies between the quarters of the ratios.
  var spread: Double { (ratios.quantile(0.75) - ratios.quantile(0.25)) / 2 }

  private var ratios: [Double] { zip(measured, reference).map { $0 / $1 } }
}
