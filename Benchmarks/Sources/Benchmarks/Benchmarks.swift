import ArgumentParser
import Foundation
import Reporting

@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the library against plain Decodable, and prints Markdown tables."
  )

  static var suites: [Suite] { [.workload, .wrappers, .strategies, .hostileInput] }

  @Option(help: "Measure only what has this text in its name or in the title of its table.")
  var filter: String?

  @Option(help: "How often each side of a comparison is timed; fewer than 15 say little.")
  var rounds = 25

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("There has to be at least one round.") }
    #if DEBUG
      throw ValidationError("A debug build says nothing: run with --configuration release.")
    #endif
  }

  func run() throws {
    print(
      """
      \(Machine.current)

      Times are processor times, without that of freeing the result. The two sides of a row run in \
      turns, \(rounds) times each after a warm-up. A ratio is the median of the ratios of these \
      rounds, and ± is half their interquartile range.
      """
    )
    for suite in Self.suites {
      let comparisons = suite.comparisons.filter { isWanted($0, of: suite) }
      if comparisons.isEmpty { continue }
      print("\n## \(suite.title)\n\n\(suite.caption)\n\n\(Measurement.columns)")
      for comparison in comparisons {
        print(try comparison.measure(rounds: rounds).row)
        fflush(nil)  // a row at a time, into a pipe too
      }
    }
  }

  private func isWanted(_ comparison: Comparison, of suite: Suite) -> Bool {
    guard let filter else { return true }
    return [comparison.name, suite.title].contains { $0.localizedStandardContains(filter) }
  }
}
