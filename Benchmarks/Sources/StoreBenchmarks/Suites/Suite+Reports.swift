import Foundation
import Reporting

extension Suite {
  static var reports: Suite {
    Suite(
      title: "Reports",
      caption: """
        `digest-query top-novel-values --limit 20`, the whole process from its start to its end. \
        Beside it `sqlite3` doing a GROUP BY over the flat table, the whole process too, and DuckDB \
        doing the same, in process; neither counts digests, as the report does.
        """
    ) { plan in
      Shape.allCases.flatMap { shape in
        plan.sizes.flatMap { size in
          [Question.allTime, .window].map { question in
            Figure(
              name: "\(question.name), \(size.grouped) occurrences of \(shape.name)",
              requirement: .atMost(question.limit)
            ) { plan in
              try reading(question, Files(plan: plan, shape: shape, occurrences: size))
            }
          }
        } + growth(shape, plan.sizes)
      }
    }
  }

  private static func reading(_ question: Question, _ files: Files) throws -> Reading {
    let plan = files.plan
    let store = try files.store()
    let table = try files.flatTable()
    let runs = try question.program(plan, store).runs(plan, rounds: plan.rounds)
    let times = runs.map(\.milliseconds)
    let sqlite = try Program(arguments: ["sqlite3", table, question.sql])
      .runs(plan, rounds: files.occurrences > 100_000 ? 1 : 5).map(\.milliseconds)
    let start = try Program(arguments: [plan.query, "--help"])
      .runs(plan, rounds: 5).map(\.milliseconds)
    return Reading(
      value: times.quantile(0.5),
      unit: .milliseconds,
      spread: times.spread,
      beside: [
        String(
          format: "at best %.1f ms, of processors %.1f ms, `--help` %.1f ms", times.quantile(0),
          runs.map(\.processor).quantile(0.5), start.quantile(0)),
        "`sqlite3` \(Reading.Unit.milliseconds.text(sqlite.quantile(0)))",
        try duckDB(question, files),
      ]
    )
  }

  private static func duckDB(_ question: Question, _ files: Files) throws -> String {
    do {
      let database = try files.duckDB()
      let time = try DuckDB(plan: files.plan).milliseconds(question.sql, on: database)
      return "DuckDB \(Reading.Unit.milliseconds.text(time))"
    } catch let skipped as Skipped {
      return "DuckDB skipped, \(skipped.reason)"
    }
  }

  /// How much longer the report of all time takes of the largest store than of the smallest.
  private static func growth(_ shape: Shape, _ sizes: [Int]) -> [Figure] {
    guard let first = sizes.first, let last = sizes.last, first < last else { return [] }
    let figure = Figure(
      name: "all time, \(last.grouped) to \(first.grouped) occurrences of \(shape.name)"
    ) { plan in
      let programs = try [first, last].map { size in
        let files = Files(plan: plan, shape: shape, occurrences: size)
        return Question.allTime.program(plan, try files.store())
      }
      let ratios = try (0...plan.rounds).map { _ in
        let times = try programs.map { try $0.run(plan).milliseconds }
        return times[1] / times[0]
      }
      return Reading(value: ratios.quantile(0.5), unit: .ratio, spread: ratios.spread)
    }
    return [figure]
  }
}
