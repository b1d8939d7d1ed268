import CLoops
import DigestStore
import Foundation
import Reporting

extension Suite {
  static var fold: Suite {
    Suite(
      title: "Folding",
      caption: """
        \(digests.grouped) digests of 3 errors continue the history of a store, written by the C \
        loop. The store counts them when it is closed. The time includes copying the log into the \
        file.
        """
    ) { options in
      // A smaller store does not have all failures.
      guard options.mediumSize >= 1_000_000 else { return [] }
      return Shape.usual.map { shape in
        Metric(
          name: "fold a digest, \(options.mediumSize.grouped) occurrences of \(shape.name)",
          requirement: .atMost(shape == .few ? 30 : 80)
        ) { options in
          let files = Files(options: options, shape: shape, occurrences: options.mediumSize)
          let runs = try (0..<min(options.rounds, 5)).map { _ in try fold(files) }
          let times = runs.map(\.wall)
          return Reading(
            value: times.quantile(0.5),
            unit: .microseconds,
            spread: times.spread,
            beside: [
              String(format: "processor time %.1f µs", runs.map(\.processor).quantile(0.5))
            ]
          )
        }
      }
    }
  }

  private static let digests = 20_000

  /// Folds digests into a copy of a store.
  ///
  /// - Returns: the microseconds for each digest.
  private static func fold(_ files: Files) throws -> (wall: Double, processor: Double) {
    let history = try History(files.shape, occurrences: files.occurrences)
    let original = try files.store()
    return try files.options.withTemporaryFile { path in
      try FileManager.default.copyItem(atPath: original, toPath: path)
      let loop = try CLoop(path: path, errors: LoopErrors(history.decodes))
      for digest in 0..<digests {
        try loop.flush(
          digest % history.decodes.count, at: history.moment(of: history.digests + digest))
      }
      let store = try DigestStore(path: path)
      let processor = WallClock.processor
      let wall = try WallClock.seconds { try store.close() }
      let times = (wall: wall, processor: WallClock.processor - processor)
      try check(path, has: (history.digests + digests) * FailedDecode.errors)
      return (times.wall / Double(digests) * 1e6, times.processor / Double(digests) * 1e6)
    }
  }

  private static func check(_ path: String, has occurrences: Int) throws {
    let reader = try DigestReader(path: path)
    let counted = try reader.novelValues().reduce(0) { $0 + $1.occurrences }
    try reader.close()
    guard counted == occurrences else {
      throw BenchmarkError("The store has \(counted) errors, not \(occurrences)")
    }
  }
}
