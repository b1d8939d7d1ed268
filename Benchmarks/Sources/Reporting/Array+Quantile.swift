extension [Double] {
  /// The value that a share of the others is below, between two of them where none is there.
  package func quantile(_ share: Double) -> Double {
    let ordered = sorted()
    let position = share * Double(count - 1)
    let (lower, upper) = (
      ordered[Int(position.rounded(.down))], ordered[Int(position.rounded(.up))]
    )
    return lower + (upper - lower) * (position - position.rounded(.down))
  }
}
