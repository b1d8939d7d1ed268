import ResilientPlatform

/// The decodes of each model over time. They tell rare failures from failures that are over.
struct Silence {
  /// The periods in which a model was decoded, and the sum of the decodes before each.
  private struct Periods {
    var numbers: [Int64] = []
    var sums: [Int64] = [0]

    mutating func append(_ decodes: Int64, at number: Int64) {
      numbers.append(number)
      sums.append((sums.last ?? 0).adding(count: decodes))
    }

    /// The decodes before a period.
    func decodes(before number: Int64) -> Int64 {
      var range = numbers.indices
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        range = numbers[middle] < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return sums[range.lowerBound]
    }
  }

  private var models: [BinaryString: Periods] = [:]
  private let start: Date?

  /// The first moment of counted decodes; nil if it is unknown.
  private var firstDecode: Date?

  /// The length of a period in milliseconds.
  private var length = Moment.hour

  /// - Parameters:
  ///   - filter: the models, contexts and time to count.
  ///   - splits: the lengths of periods to try in this order. Days are left after hours were deleted.
  init(
    _ connection: any Engine, _ filter: DigestFilter, per splits: [Counts.Split] = [.hour, .day]
  ) throws {
    start = filter.since
    guard let window = try connection.decodeWindow(filter) else { return }
    firstDecode = window.since?.date ?? .distantPast
    let all = try connection.decodes(filter, in: window, by: nil).values.sum(of: \.decodes)
    for split in splits {
      length = split.length
      let rows = try GroupedCounts(
        connection, of: .decodes, filter, in: window, by: [.model], per: split
      ).rows()
      guard rows.sum(of: \.decodes) == all else { continue }
      for row in rows.sorted(by: { $0.start < $1.start }) {
        models[row.names[0], default: Periods()].append(row.decodes, at: row.start / length)
      }
      return
    }
  }

  /// Whether a failure is absent for more decodes than chance explains.
  ///
  /// If it were as frequent as ever, each of its digests would be any of the decodes since it began.
  ///
  /// - Parameter rate: its digests and the decodes of its model in the same time.
  /// - Returns: nil if that is unknown: the decodes of its model were not counted, or days were deleted.
  func isOver(_ failure: DigestStore.FailureCount, _ rate: FailureRate?) -> Bool? {
    guard let rate, let model = models[BinaryString(failure.model)],
      let all = model.sums.last, all == rate.decodes
    else { return nil }
    let first = Moment(failure.firstSeen).milliseconds / length
    let last = Moment(failure.lastSeen).milliseconds / length
    let before = model.decodes(before: first)
    let until = model.decodes(before: last + 1) - before
    guard until > 0 else { return nil }
    // If the failure began in this time, its first digest only marks the beginning.
    let began = start.map { $0 <= failure.firstSeen } ?? true
    let digests = rate.digests - (began ? 1 : 0)
    return !Chance.explains(digests, of: digests, in: Double(until) / Double(all - before))
  }

  /// The share of the model's decodes that have a failure, since the hour in which it began.
  ///
  /// - Parameter rate: its digests and the decodes of its model in the same time.
  /// - Returns: nil if it began before this time, or if that is unknown.
  func rateSinceItBegan(_ failure: DigestStore.FailureCount, _ rate: FailureRate?) -> Double? {
    guard let rate, let model = models[BinaryString(failure.model)],
      let all = model.sums.last, all == rate.decodes, start.map({ $0 <= failure.firstSeen }) ?? true
    else { return nil }
    let since = all - model.decodes(before: Moment(failure.firstSeen).milliseconds / length)
    return since > 0 ? min(1, Double(rate.digests) / Double(since)) : nil
  }

  /// Whether a failure is over by its counts of all time.
  ///
  /// Where the decodes since it began were not counted, or have been deleted, they are taken to be as many
  /// each day.
  ///
  /// - Parameter end: the end of the time.
  func isOverInAllTime(_ failure: DigestStore.FailureCount, until end: Date) -> Bool {
    guard failure.lastSeen < end else { return false }
    let digests = Int64(failure.digests)
    if let all = models[BinaryString(failure.model)]?.sums.last,
      firstDecode.map({ $0 <= failure.firstSeen }) ?? false,
      let isOver = isOver(failure, FailureRate(digests: digests, decodes: all))
    {
      return isOver
    }
    let until = failure.lastSeen.timeIntervalSince(failure.firstSeen)
    return !Chance.explains(
      digests - 1, of: digests - 1, in: until / end.timeIntervalSince(failure.firstSeen))
  }
}
