import DigestStore
import Foundation
import Reporting

extension Suite {
  static var latency: Suite {
    Suite(
      title: "The slowest flush",
      caption: """
        One thread flushes without a pause for 5 seconds, to a store with a heavy tail; another one \
        asks it for reports, a third one has the log copied into the file every 100 ms. The loop in \
        C writes to a file of its own in the same company: what the machine alone does to it.
        """
    ) { plan in
      [
        Figure(
          name: "slowest flush, \(plan.mediumSize.grouped) occurrences",
          requirement: .below(50)
        ) { plan in
          let store = try flushes(plan) { incidents, store, _ in
            { number in
              let incident = incidents[number]
              store.record(incident.digest, model: Shape.models[incident.model])
            }
          }
          let loop = try flushes(plan) { incidents, _, path in
            try Peer.c(path, incidents, isFull: false).flush
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
    _ plan: Plan,
    _ makeFlush: ([Incident], DigestStore, String) throws -> (Int) throws -> Void
  ) throws -> Flushes {
    let original = try Files(plan: plan, shape: .heavyTail, occurrences: plan.mediumSize).store()
    return try plan.withTemporaryFile { path in
      try FileManager.default.copyItem(atPath: original, toPath: path)
      let store = try DigestStore(path: path)
      let company = Company(store: store, files: [path, path + "-c"])
      let incidents = try Incident.all(of: .heavyTail, repetitions: 6)
      let flush = try makeFlush(incidents, store, path + "-c")
      var flushes = Flushes()
      company.start()
      let end = WallClock.now + 5
      while WallClock.now < end {
        let number = flushes.times.count % incidents.count
        flushes.times.append(try WallClock.seconds { try flush(number) })
      }
      flushes.reports = try company.stop()
      try store.close()
      return flushes
    }
  }
}

/// How long flushes took, and how much was reported meanwhile.
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
