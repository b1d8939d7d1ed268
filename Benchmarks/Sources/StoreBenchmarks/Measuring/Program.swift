import Foundation
import Reporting

/// A program to run from start to end.
struct Program {
  let arguments: [String]
  var input = "/dev/null"
  var output = "/dev/null"

  struct Run {
    /// Wall-clock milliseconds from start to end.
    let milliseconds: Double

    /// Milliseconds of processor time.
    let processor: Double

    /// The peak memory in MiB.
    let mebibytes: Double

    /// The bytes handed to the file system to write.
    let bytesWritten: Double
  }

  func run(_ options: Options) throws -> Run {
    try options.withTemporaryFile { report in
      let process = Process()
      process.executableURL = URL(filePath: options.runner)
      process.arguments = [report, input, output] + arguments
      try process.run()
      process.waitUntilExit()
      let text = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
      let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
      guard process.terminationStatus == 0, numbers.count == 5, numbers[3] == 0 else {
        throw BenchmarkError("\(arguments.joined(separator: " ")) has failed")
      }
      return Run(
        milliseconds: numbers[0] / 1e6, processor: numbers[1] / 1e6,
        mebibytes: numbers[2] / 1_048_576, bytesWritten: numbers[4])
    }
  }

  /// Runs the program several times, after a first run that reads the file into memory.
  func runs(_ options: Options, rounds: Int) throws -> [Run] {
    _ = try run(options)
    return try (0..<rounds).map { _ in try run(options) }
  }
}

extension [Double] {
  var spread: Double { (quantile(0.75) - quantile(0.25)) / 2 }
}
