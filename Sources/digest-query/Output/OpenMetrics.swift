import DigestStore

/// Metrics as text, in the format of Prometheus or in OpenMetrics 1.0.
///
/// The two differ in the name of a counter's metadata: Prometheus takes that of its samples, which
/// end in `_total`, and OpenMetrics that of the family. Prometheus reads `# UNIT` and `# EOF` as
/// comments.
struct OpenMetrics {
  enum MetricsFormat: String, CaseIterable {
    case prometheus, openmetrics
  }

  let format: MetricsFormat

  /// Whether to write control characters and invisible characters as escapes.
  let isForTerminal: Bool

  /// The text of all families that have samples.
  func text(_ families: [MetricFamily]) -> String {
    families.filter { !$0.samples.isEmpty }.map(text).joined() + "# EOF\n"
  }

  private func text(_ family: MetricFamily) -> String {
    let sampleName = family.name + (family.type == .counter ? "_total" : "")
    let name = format == .prometheus ? sampleName : family.name
    let unit = family.unit.map { "# UNIT \(name) \($0)\n" } ?? ""
    return "# HELP \(name) \(family.help)\n# TYPE \(name) \(family.type.rawValue)\n\(unit)"
      + family.sortedSamples.map {
        "\(sampleName)\(isForTerminal ? $0.printable : $0)\n"
      }.joined()
  }
}

/// The metrics with one name, which have the same labels.
struct MetricFamily {
  enum MetricType: String {
    case counter, gauge
  }

  /// The name, without the suffix `_total` of a counter.
  let name: String
  let type: MetricType

  /// The unit, in which the name ends; nil for a number of things.
  var unit: String?
  let help: String
  var labels: [String] = []
  let samples: [(labelValues: [String], value: Int)]

  /// The samples as text without the name, in the byte order of their label values.
  ///
  /// Adds up samples with equal labels, which readers refuse: an empty label is an absent one.
  fileprivate var sortedSamples: [String] {
    var sums: [[BinaryString]: Int] = [:]
    for sample in samples {
      let values = sample.labelValues.map(BinaryString.init)
      sums[values] = (sums[values] ?? 0).adding(count: sample.value)
    }
    return sums.sorted { lhs, rhs in
      lhs.key.lexicographicallyPrecedes(rhs.key) {
        $0.text.utf8.lexicographicallyPrecedes($1.text.utf8)
      }
    }.map { values, sum in
      let labels = zip(labels, values).map { "\($0)=\"\($1.text.labelValue)\"" }
      return (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(sum)"
    }
  }
}

extension String {
  /// The text within the quotes of a label value (OpenMetrics 1.0, "ABNF", `escaped-string`). All
  /// other characters, also control characters, are written as they are.
  fileprivate var labelValue: String {
    replacingScalars("\\", with: #"\\"#).replacingScalars("\"", with: #"\""#)
      .replacingScalars("\n", with: #"\n"#)
  }
}
