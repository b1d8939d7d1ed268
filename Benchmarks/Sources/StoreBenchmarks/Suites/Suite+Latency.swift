import DigestStore
import Foundation
import Reporting

extension Suite {
  static var latency: Suite {
    Suite(
      title: "The slowest flush",
      caption: """
        One thread flushes without a pause for 5 seconds, to a store with 10,000 failures, which \
        counts meanwhile. Another one runs reports, and a third one copies the log every 100 ms. \
        The C loop writes to a file of its own under the same load, and shows what the machine \
        contributes.
        """
    ) { options in
      [
        Metric(
          name: "slowest flush, \(options.mediumSize.grouped) occurrences",
          requirement: .atMost(50)
        ) { options in
          let store = try flushes(options) { decodes, store, _ in
            { number in
              let decode = decodes[number]
              store.record(decode.digest, model: Shape.models[decode.model])
            }
          }
          let loop = try flushes(options) { decodes, _, path in
            try Peer.c(path, decodes, isFull: false).flush
          }
          return Reading(
            value: store.times.quantile(1) * 1e3,
            unit: .milliseconds,
            beside: [store.description, "C: " + loop.description]
          )
        }
      ]
    }
  }

  private static func flushes(
    _ options: Options,
    _ makeFlush: ([FailedDecode], DigestStore, String) throws -> (Int) throws -> Void
  ) throws -> Flushes {
    let original = try Files(options: options, shape: .heavyTail, occurrences: options.mediumSize)
      .store()
    return try options.withTemporaryFile { path in
      try FileManager.default.copyItem(atPath: original, toPath: path)
      let store = try DigestStore(path: path)
      let load = BackgroundLoad(store: store, files: [path, path + "-c"])
      let decodes = try FailedDecode.all(of: .heavyTail, repetitions: 6)
      let flush = try makeFlush(decodes, store, path + "-c")
      var flushes = Flushes()
      load.start()
      let end = WallClock.now + 5
      while WallClock.now < end {
        let number = flushes.times.count % decodes.count
        flushes.times.append(try WallClock.seconds { try flush(number) })
      }
      flushes.reports = try load.stop()
      try store.close()
      return flushes
    }
  }
}

/// The seconds that flushes took, and the number of reports in that time.
private struct Flushes: CustomStringConvertible {
  var times: [Double] = []
  var reports = 0

  var description: String {
    let milliseconds = [0.5, 0.99, 0.999, 1].map { times.quantile($0) * 1e3 }
    return String(
      format: "median %.3f, 99%% %.2f, 99.9%% %.2f, slowest %.1f ms of \(times.count) flushes, "
        + "\(reports) reports", milliseconds[0], milliseconds[1], milliseconds[2], milliseconds[3])
  }
}
