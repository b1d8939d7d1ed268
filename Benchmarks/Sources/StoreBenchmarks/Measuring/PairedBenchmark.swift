import Foundation
import Reporting

/// Compares two ways to write. Their batches take turns, so a machine that is slower for a while
/// slows both.
struct PairedBenchmark {
  /// Prepares a batch, and returns the work to time.
  typealias Side = (_ batch: Int) throws -> () throws -> Void

  let measured: Side
  let reference: Side

  /// The number of flushes in a batch.
  let batch: Int

  /// Times batches of both sides, after one of each to warm up.
  ///
  /// - Parameters:
  ///   - rounds: the number of timed batches of each side.
  ///   - name: the name of the reference.
  func reading(rounds: Int, against name: String) throws -> Reading {
    var times: (measured: [Double], reference: [Double]) = ([], [])
    var processor: (measured: [Double], reference: [Double]) = ([], [])
    var thread: (measured: [Double], reference: [Double]) = ([], [])
    for round in 0...rounds {
      let reference = try time(reference, round)
      let measured = try time(measured, round)
      guard round > 0 else { continue }
      times.measured.append(measured.wall / Double(batch) * 1e6)
      times.reference.append(reference.wall / Double(batch) * 1e6)
      processor.measured.append(measured.processor)
      processor.reference.append(reference.processor)
      thread.measured.append(measured.thread)
      thread.reference.append(reference.thread)
    }
    let ratios = zip(times.measured, times.reference).map { $0 / $1 }
    let minima = (times.measured.quantile(0), times.reference.quantile(0))
    return Reading(
      value: ratios.quantile(0.5),
      unit: .ratio,
      spread: (ratios.quantile(0.75) - ratios.quantile(0.25)) / 2,
      beside: [
        String(
          format: "%.1f µs, \(name) %.1f µs", times.measured.quantile(0.5),
          times.reference.quantile(0.5)),
        String(
          format: "minima %.1f and %.1f µs: %.2f", minima.0, minima.1, minima.0 / minima.1),
        String(
          format: "processor time %.2f, with other threads %.2f",
          thread.measured.quantile(0.5) / thread.reference.quantile(0.5),
          processor.measured.quantile(0.5) / processor.reference.quantile(0.5)),
      ]
    )
  }

  private func time(
    _ side: Side, _ round: Int
  ) throws -> (wall: Double, thread: Double, processor: Double) {
    let work = try side(round)
    let (processor, start) = (WallClock.processor, WallClock.thread)
    let wall = try WallClock.seconds(work)
    let thread = WallClock.thread - start
    // Work in the background, such as folding, counts for this side.
    Thread.sleep(forTimeInterval: 0.02)
    return (wall, thread, WallClock.processor - processor)
  }
}
