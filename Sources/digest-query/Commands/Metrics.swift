import ArgumentParser
import DigestStore
import ResilientPlatform

struct Metrics: OutputCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Write counters and gauges for Prometheus.",
    discussion: """
      resilient_decoding_errors_total counts errors by model, kind and release, including those that \
      digest-query triage has ignored or resolved. Conversions, missing keys and unknown keys count only \
      if --kind names them. \
      resilient_decoding_decodes_total counts decodes, with and without errors, by model and \
      release, if the app counts them; paths, kinds and values do not limit them. \
      resilient_decoding_failures and resilient_decoding_novel_values count distinct ones by \
      model. resilient_decoding_last_recorded_timestamp_seconds is the time of the newest error. \
      An absent release is an empty label. No label is a coding path or a value.

      resilient_decoding_losses_total and resilient_decoding_lost_digests_total count what the \
      store lost, by reason and whatever the filters. evicted and undated errors are still \
      counted as errors; unattributed ones are those of releases whose series ended because a \
      size limit deleted their totals. Losses are not repeated on stderr.

      Counters are of all time: eviction lowers none of them, and --since and --until are \
      refused. Use the format prometheus for the textfile collector of node_exporter and for a server that \
      declares text/plain, and openmetrics for one that declares application/openmetrics-text.

      Examples:
        digest-query metrics
        digest-query metrics --output /var/lib/node_exporter/digests.prom
      """
  )

  @Option(help: "The format to write.")
  var format: OpenMetrics.MetricsFormat = .prometheus

  @OptionGroup(title: "Output") var file: OutputFileOption
  @OptionGroup(title: "Filters") var filters: Filters<FiltersWithoutWindow>
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard filters.since == nil, filters.until == nil else {
      throw ValidationError(
        "counters are of all time: leave out --since and --until, and query rate() instead")
    }
  }

  func printOutput() throws {
    let store = try store.openForReading()
    let filter = filters.filter
    let (families, notes) = try store.atOneMoment {
      let counts = try store.countsByRelease(matching: filter)
      let families = try self.families(of: store, matching: filter, counts)
      return (families, try self.notes(of: store, matching: filter, isEmpty: counts.isEmpty))
    }
    var output = StandardOutput()
    output.write(
      OpenMetrics(format: format, isForTerminal: StandardOutput.isTerminal).text(families))
    try output.flush(force: true)
    Note.write(notes)
  }

  private func families(
    of store: DigestReader, matching filter: DigestFilter, _ counts: [CountByRelease]
  ) throws -> [MetricFamily] {
    let (errors, decodes) = (counts.filter { $0.kind != nil }, counts.filter { $0.kind == nil })
    let models = try store.models(matching: filter)
    let losses = try store.losses()
    // The first loss is an increase only if there was a 0 before it.
    let noLosses = Self.reasons.map { (labelValues: [$0.rawValue], value: 0) }
    let none = decodes.map { (labelValues: [$0.model], value: 0) }
    return [
      MetricFamily(
        name: "resilient_decoding_errors", type: .counter, help: "Decoding errors.",
        labels: ["model", "kind", "release"],
        samples: errors.map { ([$0.model, $0.kind ?? "", $0.release ?? ""], $0.count) }),
      MetricFamily(
        name: "resilient_decoding_decodes", type: .counter,
        help: "Decodes with and without errors.", labels: ["model", "release"],
        samples: decodes.map { ([$0.model, $0.release ?? ""], $0.count) }),
      MetricFamily(
        name: "resilient_decoding_failures", type: .gauge, help: "Distinct failures.",
        labels: ["model"], samples: none + models.map { ([$0.model], $0.failures) }),
      MetricFamily(
        name: "resilient_decoding_novel_values", type: .gauge, help: "Distinct novel values.",
        labels: ["model"], samples: none + models.map { ([$0.model], $0.novelValues) }),
      MetricFamily(
        name: "resilient_decoding_losses", type: .counter,
        help: "Errors that the store lost; evicted and undated ones are still counted.",
        labels: ["reason"],
        samples: noLosses + losses.map { ([$0.reason.rawValue], $0.occurrences) }),
      MetricFamily(
        name: "resilient_decoding_lost_digests", type: .counter,
        help: "Digests that the store lost; evicted and undated ones are still counted.",
        labels: ["reason"], samples: noLosses + losses.map { ([$0.reason.rawValue], $0.digests) }),
      MetricFamily(
        name: "resilient_decoding_last_recorded_timestamp_seconds", type: .gauge, unit: "seconds",
        help: "When the newest error was recorded, in seconds since 1970.",
        samples: try lastSeen(models, in: store, filter).map {
          [([], Int($0.timeIntervalSince1970.rounded(.down)))]
        } ?? []),
    ]
  }

  /// The time of the newest error. Ignores times in the future, which would hide that nothing is
  /// recorded any more.
  private func lastSeen(
    _ models: [DigestStore.ModelCount], in store: DigestReader, _ filter: DigestFilter
  ) throws -> Date? {
    let (now, last) = (Date(), models.compactMap(\.lastSeen).max())
    guard let last, last >= now else { return last }
    return try store.newestError(matching: filter, before: now)
  }

  private static let reasons: [DigestStore.Loss.Reason] = [
    .evicted, .failedWrite, .movedAway, .overflow, .quarantined, .redacted, .unattributed,
    .undated,
  ]

  /// Notes about the filters only: cron would mail others with every run.
  private func notes(
    of store: DigestReader, matching filter: DigestFilter, isEmpty: Bool
  ) throws -> [Note] {
    guard !filters.isEmpty else { return [] }
    let hits = try store.reachedLimits(matching: filter)
    return (isEmpty ? ["nothing found that matches"] : [])
      + (try ReportRunner.mistakes(in: filter, of: store, isEmpty: isEmpty))
      + (hits.isEmpty ? [] : [Note(LossMessage.text(of: hits, matching: filter))])
  }
}

extension OpenMetrics.MetricsFormat: ExpressibleByArgument {}
