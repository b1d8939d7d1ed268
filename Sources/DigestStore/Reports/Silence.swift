import ResilientPlatform

/// The decodes of each model by hour, which distinguish a rare failure from one that is over.
struct Silence {
  /// The largest chance by which a failure that continues is called over.
  private static let maximumChance = 0.001

  /// The hours in which a model was decoded, and the sum of the decodes before each.
  private struct Hours {
    var hours: [Int64] = []
    var sums: [Int64] = [0]

    /// The decodes before an hour.
    func decodes(before hour: Int64) -> Int64 {
      var range = hours.indices
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        range = hours[middle] < hour ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return sums[range.lowerBound]
    }
  }

  private var models: [BinaryString: Hours] = [:]

  /// - Parameter filter: the models, contexts and time to count.
  init(_ connection: any Engine, _ filter: DigestFilter) throws {
    guard let window = try connection.decodeWindow(filter) else { return }
    let rows = try GroupedCounts(
      connection, of: .decodes, filter, in: window, by: [.model], per: .hour
    ).rows()
    for row in rows.sorted(by: { $0.start < $1.start }) {
      var model = models[row.names[0]] ?? Hours()
      model.hours.append(row.start / Moment.hour)
      model.sums.append((model.sums.last ?? 0).adding(count: row.decodes))
      models[row.names[0]] = model
    }
  }

  /// Whether a failure has not come for so many decodes that chance does not explain it.
  ///
  /// If it were as frequent as ever, each of its digests would be any of the decodes since it began. That
  /// all *n* of them are among the first share *s* of these then has the chance *s*ⁿ.
  ///
  /// - Parameter rate: its digests and the decodes of its model in the same time.
  /// - Returns: nil if that is unknown: the decodes of its model were not counted, or hours were deleted.
  func isOver(_ failure: DigestStore.FailureCount, _ rate: FailureRate?) -> Bool? {
    guard let rate, let model = models[BinaryString(failure.model)],
      let all = model.sums.last, all == rate.decodes
    else { return nil }
    let (first, last) = (Moment(failure.firstSeen).hour, Moment(failure.lastSeen).hour)
    let before = model.decodes(before: first)
    let until = model.decodes(before: last + 1) - before
    guard until > 0 else { return nil }
    // If the failure began in this time, its first digest only marks the beginning.
    let digests = rate.digests - (before > 0 ? 1 : 0)
    return pow(Double(until) / Double(all - before), Double(digests)) < Self.maximumChance
  }

  /// Whether a failure of so many digests is over, if none of as long a time after them has it.
  static func isOver(after digests: Int) -> Bool { pow(0.5, Double(digests)) < maximumChance }
}
