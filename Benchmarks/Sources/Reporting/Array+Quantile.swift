extension [Double] {
  /// Returns a quantile, interpolated between two values.
  package func quantile(_ share: Double) -> Double {
    let ordered = sorted()
    let position = share * Double(count - 1)
    let (lower, upper) = (
      ordered[Int(position.rounded(.down))], ordered[Int(position.rounded(.up))]
    )
    return lower + (upper - lower) * (position - position.rounded(.down))
  }
}
