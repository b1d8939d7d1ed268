import Foundation
import Reporting

extension Suite {
  static var reports: Suite {
    Suite(
      title: "Reports",
      caption: """
        `digest-query top-novel-values --limit 20`: the milliseconds of the whole process, less \
        those of `digest-query --help`. `sqlite3` runs a GROUP BY over the flat table, also as a \
        whole process, and DuckDB the same within its process. Neither counts digests, as the \
        report does.
        """
    ) { options in
      Shape.allCases.flatMap { shape in
        options.sizes.flatMap { size in
          [Question.allTime, .window].map { question in
            Metric(
              name: "\(question.name), \(size.grouped) occurrences of \(shape.name)",
              requirement: .atMost(question.limit)
            ) { options in
              try reading(question, Files(options: options, shape: shape, occurrences: size))
            }
          }
        } + growth(shape, options.sizes)
      }
    }
  }

  private static func reading(_ question: Question, _ files: Files) throws -> Reading {
    let options = files.options
    let store = try files.store()
    let table = try files.flatTable()
    let runs = try question.program(options, store).runs(options, rounds: options.rounds)
    let times = runs.map(\.milliseconds)
    let sqlite = try Program(arguments: ["sqlite3", table, question.sql])
      .runs(options, rounds: files.occurrences > 100_000 ? 1 : 5).map(\.milliseconds)
    let start = try Program(arguments: [options.query, "--help"])
      .runs(options, rounds: options.rounds).map(\.milliseconds)
    return Reading(
      value: times.quantile(0.5) - start.quantile(0.5),
      unit: .milliseconds,
      spread: times.spread,
      beside: [
        String(
          format: "in all %.1f ms, processor time %.1f ms, `--help` %.1f ms", times.quantile(0.5),
          runs.map(\.processor).quantile(0.5), start.quantile(0.5)),
        "`sqlite3` \(Reading.Unit.milliseconds.text(sqlite.quantile(0)))",
        try duckDB(question, files),
      ]
    )
  }

  private static func duckDB(_ question: Question, _ files: Files) throws -> String {
    do {
      let database = try files.duckDB()
      let time = try DuckDB(options: files.options).milliseconds(question.sql, on: database)
      return "DuckDB \(Reading.Unit.milliseconds.text(time))"
    } catch let skipped as Skipped {
      return "DuckDB skipped, \(skipped.reason)"
    }
  }

  /// Compares the report of all time on the largest store with that on the smallest.
  private static func growth(_ shape: Shape, _ sizes: [Int]) -> [Metric] {
    guard let first = sizes.first, let last = sizes.last, first < last else { return [] }
    let metric = Metric(
      name: "all time, \(last.grouped) to \(first.grouped) occurrences of \(shape.name)"
    ) { options in
      let programs = try [first, last].map { size in
        let files = Files(options: options, shape: shape, occurrences: size)
        return Question.allTime.program(options, try files.store())
      }
      let ratios = try (0...options.rounds).map { _ in
        let times = try programs.map { try $0.run(options).milliseconds }
        return times[1] / times[0]
      }
      return Reading(value: ratios.quantile(0.5), unit: .ratio, spread: ratios.spread)
    }
    return [metric]
  }
}
