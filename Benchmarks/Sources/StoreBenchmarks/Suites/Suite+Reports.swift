import Foundation
import Reporting

extension Suite {
  static var reports: Suite {
    Suite(
      title: "Reports",
      caption: """
        The times of the whole process, less those of `digest-query --help`. `sqlite3` runs \
        a GROUP BY over the flat table, also as a whole process, and DuckDB the same within its \
        process. Neither counts digests, as the report does.
        """
    ) { options in
      Shape.usual.flatMap { shape in
        options.sizes.flatMap { size in
          let files = Files(options: options, shape: shape, occurrences: size)
          let isLargest = size == options.sizes.last
          return (Report.compared + (isLargest ? Report.others : [])).map { metric($0, files) }
        }
      }
        + Report.wide.map {
          metric($0, Files(options: options, shape: .wide, occurrences: options.mediumSize))
        }
    }
  }

  private static func metric(_ report: Report, _ files: Files) -> Metric {
    let size = "\(files.occurrences.grouped) occurrences of \(files.shape.name)"
    return Metric(
      name: "`\(report.arguments)`, \(size)",
      requirement: .atMost(report.limit(files.shape))
    ) { options in
      let runs = try report.program(options, files.store()).runs(options, rounds: options.rounds)
      let help = try Program(arguments: [options.query, "--help"])
        .runs(options, rounds: options.rounds)
      func beyondHelp(_ time: (Program.Run) -> Double) -> Double {
        runs.map(time).quantile(0.5) - help.map(time).quantile(0.5)
      }
      return Reading(
        value: beyondHelp(\.milliseconds),
        unit: .milliseconds,
        spread: runs.map(\.milliseconds).spread,
        beside: [
          String(
            format: "processor time %.1f ms, `--help` %.1f ms, %.1f MiB", beyondHelp(\.processor),
            help.map(\.milliseconds).quantile(0.5), runs.map(\.mebibytes).quantile(1))
        ] + (try report.sql.map { try peers($0, files) } ?? [])
      )
    }
  }

  /// How long other programs take for a query on the flat table.
  private static func peers(_ sql: String, _ files: Files) throws -> [String] {
    let sqlite = try Program(arguments: ["sqlite3", files.flatTable(), sql])
      .runs(files.options, rounds: files.occurrences > 100_000 ? 1 : 5).map(\.milliseconds)
    return ["`sqlite3` \(Reading.Unit.milliseconds.text(sqlite.quantile(0)))"]
      + [try skippable("DuckDB") { try duckDB(sql, files) }]
  }

  private static func duckDB(_ sql: String, _ files: Files) throws -> String {
    let time = try DuckDB(options: files.options).milliseconds(sql, on: files.duckDB())
    return Reading.Unit.milliseconds.text(time)
  }
}
