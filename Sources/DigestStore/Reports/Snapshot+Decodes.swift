/// The decodes of each model in a window, and those that a filter matches.
struct ModelRates {
  /// The counted window: whole hours, from the first hour with a counted decode on.
  let window: TimeWindow

  /// The number of decodes with and without errors, by the id of the model.
  let decodes: [Int64: Int64]

  /// The number of decodes with a matching error, by the id of the model; nil if it is unknown.
  let digests: [Int64: Int64?]

  /// The share of a model's decodes with a matching error; nil if it is unknown.
  func rate(ofModel model: Int64) -> Double? {
    guard let decodes = decodes[model], decodes > 0, let digests = digests[model] ?? 0 else {
      return nil
    }
    return Double(digests) / Double(decodes)
  }
}

extension Snapshot {
  /// Counts the decodes of each model in a filter's window and releases, and the digests among them
  /// that the filter matches.
  ///
  /// - Returns: nil if the store did not count clean decodes then.
  func modelRates(_ filter: DigestFilter) throws -> ModelRates? {
    guard let window = try decodeWindow(filter) else { return nil }
    let counted = filter.limited(to: window)
    let releases = try releases(filter)
    var decodes: [Int64: Int64] = [:]
    try forEachDecodeCount(in: window, of: releases) { count in
      decodes[count.model] = (decodes[count.model] ?? 0).adding(count: count.decodes)
    }
    var digests: [Int64: Int64] = [:]
    try forEachCount(from: .models, in: window, of: releases) { count, _ in
      digests[count.id] = (digests[count.id] ?? 0).adding(count: count.digests)
    }
    decodes.merge(digests) { $0.adding(count: $1) }
    guard filter.choosesFailures else {
      return ModelRates(window: window, decodes: decodes, digests: digests.mapValues { $0 })
    }
    let matching = try modelTotals(counted).models.map { ($0.count.id, $0.digests) }
    return ModelRates(
      window: window, decodes: decodes, digests: Dictionary(matching) { first, _ in first })
  }

  /// Passes the clean decodes in a window of whole hours to `body`.
  func forEachDecodeCount(
    in window: TimeWindow, of releases: Releases, isByRelease: Bool = false, isByHour: Bool = false,
    _ body: (DecodeCount) throws -> Void
  ) throws {
    if case .some([]) = releases { return }
    try source.forEachDecodeCount(
      DecodeQuery(
        hours: window.hoursToCount, releases: releases.ids, isByRelease: isByRelease,
        isByHour: isByHour),
      body)
  }

  /// Adds up the decodes of the models that a filter matches.
  func decodeCounts(
    _ filter: DigestFilter, _ rates: ModelRates?
  ) throws -> DigestStore.DecodeCounts? {
    guard let rates else { return nil }
    let models = try chosen(filter.ofModelsOnly, from: .models) ?? Array(rates.decodes.keys)
    let digests = models.map { rates.digests[$0] ?? 0 }
    return DigestStore.DecodeCounts(
      decodes: Int(clamping: models.sum(of: { rates.decodes[$0] ?? 0 })),
      digests: digests.contains(nil) ? nil : Int(clamping: digests.sum(of: { $0 ?? 0 })),
      since: rates.window.since?.date, until: rates.window.until?.date)
  }

  /// The window of a filter, in whole hours, without a time before the first clean decode that has
  /// digests: how many decodes there were besides them is unknown.
  ///
  /// - Returns: nil if there are none.
  func decodeWindow(_ filter: DigestFilter) throws -> TimeWindow? {
    guard let first = try source.firstDecodeHour() else { return nil }
    var hours = filter
    hours.since = filter.window.since?.inWholeHours(step: 0).date
    hours.until = filter.window.until?.inWholeHours(step: 1).date
    var window = try window(hours)
    // -1 if the store no longer knows when it began to count.
    let start = Moment(milliseconds: max(0, first) * Moment.hour)
    if window.range.lowerBound < start {
      let earlier = TimeWindow(since: window.since, until: min(window.range.upperBound, start))
      var hasDigests = false
      try forEachCount(from: .models, in: earlier, of: .all, isByRelease: false) { _, _ in
        hasDigests = true
      }
      if hasDigests || window.range.upperBound <= start {
        window = TimeWindow(since: start, until: window.until)
      }
    }
    return window.isEmpty ? nil : window
  }
}

extension TimeWindow {
  /// The hours of the window, whose bounds are whole hours; nil for all time.
  fileprivate var hoursToCount: Range<Int64>? {
    guard since != nil || until != nil else { return nil }
    return (since?.hour ?? 0)..<(until?.hour ?? .max)
  }
}

extension DigestFilter {
  /// The same filter with another window.
  func limited(to window: TimeWindow) -> Self {
    var filter = self
    (filter.since, filter.until) = (window.since?.date, window.until?.date)
    return filter
  }

  /// The same filter without criteria that failures of a model can meet or not.
  var ofModelsOnly: Self {
    var filter = self
    (filter.codingPaths, filter.kinds, filter.novelValues) = ([], [], [])
    return filter
  }
}
