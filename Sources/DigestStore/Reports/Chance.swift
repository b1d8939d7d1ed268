import ResilientPlatform

/// Whether chance explains where digests are.
enum Chance {
  /// The smallest probability that counts as chance.
  private static let minimum = 0.001

  /// Whether chance puts so many of all digests into a part of the decodes in at least 1 of 1,000 cases.
  ///
  /// By Chernoff's bound, *k* or more of *n* are there with a chance of at most exp(−*n* · *D*), where *D* is the
  /// relative entropy of *k*/*n* and the share of the part. If all are there, it is the chance itself.
  ///
  /// - Parameter share: the share of the decodes that are in the part, from 0 to 1.
  static func explains(_ count: Int64, of all: Int64, in share: Double) -> Bool {
    let part = Double(count) / Double(all)
    guard all > 0, part > share else { return true }
    func entropy(_ part: Double, _ share: Double) -> Double {
      part > 0 ? part * log(part / share) : 0
    }
    let distance = entropy(part, share) + entropy(1 - part, 1 - share)
    return exp(-Double(all) * distance) >= minimum
  }
}
