import Reporting

extension Suite {
  static var commands: Suite {
    Suite(
      title: "Other commands",
      caption: """
        Whole processes on the largest stores; for the export, until `head` has the first byte.
        """
    ) { options in
      guard let largest = options.sizes.max() else { return [] }
      return Shape.allCases.flatMap { shape in
        questions.map { command, milliseconds in
          Metric(
            name: "`\(command)`, \(largest.grouped) occurrences of \(shape.name)",
            requirement: .atMost(milliseconds)
          ) { options in
            try reading(command, Files(options: options, shape: shape, occurrences: largest))
          }
        }
      }
    }
  }

  /// The commands, and their budgets in milliseconds.
  private static let questions: [(String, Double)] = [
    ("top-failures --limit 20", 10),
    ("top-failures --limit 20 --kind typeMismatch --since 2026-01-06T05:13:21Z", 50),
    ("top-novel-values --limit 20 --model *Listing", 50),
    ("top-failures --format csv", 40),
    ("models", 10),
    ("trend", 10),
    ("trend --by hour --group value --since 2026-01-20T05:13:21Z", 50),
    ("new --since 2026-01-20T05:13:21Z --limit 20", 50),
    ("diff 2026-01-06..2026-01-13 2026-01-13..2026-01-20 --limit 20", 50),
    ("digests --limit 20", 10),
    ("check --max-occurrences 1000000000", 10),
    ("report", 50),
    ("report --since 2026-01-20T05:13:21Z", 50),
    ("export | head -c 1", 50),
  ]

  private static func reading(_ command: String, _ files: Files) throws -> Reading {
    let options = files.options
    var words = [options.query] + command.split(separator: " ").map { String($0) }
    words.insert(contentsOf: ["--store", try files.store()], at: 2)
    if words.contains("|") {
      // Nothing else in them means anything to a shell.
      let quoted = words.map { $0 == "|" ? $0 : "'\($0)'" }
      words = ["sh", "-c", quoted.joined(separator: " ")]
    }
    let program = Program(arguments: words)
    let runs = try program.runs(options, rounds: min(options.rounds, 11))
    let times = runs.map(\.milliseconds)
    return Reading(
      value: times.quantile(0.5),
      unit: .milliseconds,
      spread: times.spread,
      beside: ["\(runs.map(\.mebibytes).max().map { Reading.Unit.mebibytes.text($0) } ?? "-")"]
    )
  }
}
