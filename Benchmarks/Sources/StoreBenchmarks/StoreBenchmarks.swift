import ArgumentParser
import Foundation
import Reporting

@main
struct StoreBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the store and its reports beside others, and prints Markdown tables."
  )

  static var suites: [Suite] {
    [.flush, .threads, .latency, .size, .reports, .commands, .transfer]
  }

  @Option(help: "Measure only what has this text in its name or in the title of its table.")
  var filter: String?

  @Option(help: "How often each side of a comparison is timed; fewer than 15 say little.")
  var rounds = 25

  @Option(parsing: .upToNextOption, help: "How many occurrences the stores have.")
  var occurrences = [30_000, 1_000_000]

  @Option(help: "digest-query, built for release.")
  var query = ".build/release/digest-query"

  @Option(help: "A directory for the stores that are measured, which are kept for the next run.")
  var cache = "Benchmarks/.build/stores"

  @Option(help: "A Python that has the module duckdb.")
  var python = "Benchmarks/.build/duckdb/bin/python3"

  @Option(help: "What that Python runs.")
  var duckdbScript = "Benchmarks/Scripts/duckdb-query.py"

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("There has to be at least one round.") }
    guard occurrences.allSatisfy({ $0 >= 3_000 }), !occurrences.isEmpty else {
      throw ValidationError("There have to be at least 3000 occurrences.")
    }
    #if DEBUG
      throw ValidationError("A debug build says nothing: run with --configuration release.")
    #endif
  }

  func run() throws {
    let plan = try plan()
    print(
      """
      \(Machine.current)

      Times are of the wall: what others do on the machine is in them. The two sides of a ratio run \
      in turns, \(rounds) batches each after a warm-up; a ratio is the median of the ratios of these \
      rounds, and ± is half their interquartile range.
      """
    )
    for suite in Self.suites {
      let figures = suite.figures(plan).filter { isWanted($0, of: suite) }
      if figures.isEmpty { continue }
      print("\n## \(suite.title)\n\n\(suite.caption)\n\n\(Figure.columns)")
      for figure in figures {
        do {
          print(figure.row(try figure.measure(plan)))
        } catch let skipped as Skipped {
          print(figure.row(skipped))
        }
        fflush(nil)  // a row at a time, into a pipe too
      }
    }
  }

  private func plan() throws -> Plan {
    let directory = URL(filePath: cache)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let binaries = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return Plan(
      rounds: rounds,
      sizes: occurrences.sorted(),
      cache: directory,
      query: query,
      runner: binaries.appending(path: "RunMeasured").path,
      python: FileManager.default.isExecutableFile(atPath: python) ? python : nil,
      duckDBScript: duckdbScript
    )
  }

  private func isWanted(_ figure: Figure, of suite: Suite) -> Bool {
    guard let filter else { return true }
    return [figure.name, suite.title].contains { $0.localizedStandardContains(filter) }
  }
}
