import ArgumentParser
import Foundation
import Reporting

@main
struct StoreBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare the store and its reports with other programs, and print Markdown tables."
  )

  static var suites: [Suite] {
    [.flush, .threads, .latency, .fold, .size, .reports, .transfer]
  }

  @Option(help: "Measure only metrics with this text in their name or in the title of their table.")
  var filter: String?

  @Option(help: "The number of timed batches of each side of a comparison; take at least 15.")
  var rounds = 25

  @Option(parsing: .upToNextOption, help: "The numbers of occurrences in the stores.")
  var occurrences = [30_000, 1_000_000]

  @Option(help: "The path of digest-query, built for release.")
  var query = ".build/release/digest-query"

  @Option(help: "The directory that keeps stores for the next run.")
  var cache = "Benchmarks/.build/stores"

  @Option(help: "The path of a Python with the module duckdb.")
  var python = "Benchmarks/.build/duckdb/bin/python3"

  @Option(help: "The script for that Python.")
  var duckdbScript = "Benchmarks/Scripts/duckdb-query.py"

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds is less than 1.") }
    guard occurrences.allSatisfy({ $0 >= 3_000 }), !occurrences.isEmpty else {
      throw ValidationError("--occurrences is less than 3000.")
    }
    #if DEBUG
      throw ValidationError("This is a debug build: run with --configuration release.")
    #endif
  }

  func run() throws {
    let options = try makeOptions()
    print(
      """
      \(Machine.current)

      Times are elapsed time, so other work on the machine lengthens them. The two sides of a ratio \
      take turns, \(rounds) batches each after one to warm up. A ratio is the median of the rounds, \
      and ± is half their interquartile range.
      """
    )
    for suite in Self.suites {
      let metrics = suite.metrics(options).filter { isWanted($0, of: suite) }
      if metrics.isEmpty { continue }
      print("\n## \(suite.title)\n\n\(suite.caption)\n\n\(Metric.columns)")
      for metric in metrics {
        do {
          print(metric.row(try metric.measure(options)))
        } catch let skipped as Skipped {
          print(metric.row(skipped))
        }
        fflush(nil)  // a row at a time, into a pipe too
      }
    }
  }

  private func makeOptions() throws -> Options {
    let directory = URL(filePath: cache)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let binaries = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return Options(
      rounds: rounds,
      sizes: occurrences.sorted(),
      cache: directory,
      query: query,
      runner: binaries.appending(path: "RunMeasured").path,
      python: FileManager.default.isExecutableFile(atPath: python) ? python : nil,
      duckDBScript: duckdbScript
    )
  }

  private func isWanted(_ metric: Metric, of suite: Suite) -> Bool {
    guard let filter else { return true }
    return [metric.name, suite.title].contains { $0.localizedStandardContains(filter) }
  }
}
