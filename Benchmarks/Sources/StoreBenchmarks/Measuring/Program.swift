import Foundation
import Reporting

/// A program that is run whole.
struct Program {
  let arguments: [String]
  var input = "/dev/null"
  var output = "/dev/null"

  struct Run {
    /// Milliseconds on the wall, from before it is started until it has ended.
    let milliseconds: Double

    /// Milliseconds of processor time, in which nothing is of others.
    let processor: Double

    /// The most memory that it had, in MiB.
    let mebibytes: Double
  }

  func run(_ plan: Plan) throws -> Run {
    try plan.withTemporaryFile { report in
      let process = Process()
      process.executableURL = URL(filePath: plan.runner)
      process.arguments = [report, input, output] + arguments
      try process.run()
      process.waitUntilExit()
      let text = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
      let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      guard process.terminationStatus == 0, numbers.count == 4, numbers[3] == 0 else {
        throw Broken("\(arguments.joined(separator: " ")) has failed")
      }
      return Run(
        milliseconds: numbers[0] / 1e6, processor: numbers[1] / 1e6,
        mebibytes: numbers[2] / 1_048_576)
    }
  }

  /// Runs it some times, after once that brings the file into memory.
  func runs(_ plan: Plan, rounds: Int) throws -> [Run] {
    _ = try run(plan)
    return try (0..<rounds).map { _ in try run(plan) }
  }
}

extension [Double] {
  var spread: Double { (quantile(0.75) - quantile(0.25)) / 2 }
}
