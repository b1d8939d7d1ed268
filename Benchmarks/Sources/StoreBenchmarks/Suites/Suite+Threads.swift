import DigestStore
import Foundation
import Reporting
import Synchronization

extension Suite {
  static var threads: Suite {
    Suite(
      title: "Threads that flush together",
      caption: """
        The errors that 8 threads flush to a store in a second, as a multiple of those that one \
        thread writes in C, which counts nothing. Each runs for ten seconds, or two if each flush \
        waits for the disk. The time of the store ends when it has counted everything and is closed.
        """
    ) { _ in
      [
        metric(.processCrash, seconds: 10, .atLeast(0.8)),
        metric(.powerLoss, seconds: 2, nil),
      ]
    }
  }

  private static let threadCount = 8

  private static func metric(
    _ durability: DigestStore.Durability,
    seconds: Double,
    _ requirement: Metric.Requirement?
  ) -> Metric {
    Metric(name: "\(threadCount) threads, `.\(durability)`", requirement: requirement) { options in
      let decodes = try FailedDecode.all(of: .few, repetitions: 15)
      var rates: (store: [Double], c: [Double], grdb: [Double]) = ([], [], [])
      for _ in 0..<min(options.rounds, 3) {
        try options.withTemporaryFile { path in
          let isFull = durability == .powerLoss
          let loop = try Peer.c(path + "-c", decodes, isFull: isFull)
          rates.c.append(
            try rate(seconds) { try flush(decodes.count, until: $0, loop.flush) })
          let table = try GRDBTable(path: path + "-grdb", isFull: isFull)
          rates.grdb.append(
            try rate(seconds) {
              try flushTogether(decodes.count, until: $0) { decode in
                try table.write(GRDBTable.Occurrence.all(of: decodes[decode], digest: 1))
              }
            })
          let store = try DigestStore(
            path: path, configuration: DigestStore.Configuration(durability: durability))
          rates.store.append(
            try rate(seconds) {
              let count = try flushTogether(decodes.count, until: $0) { decode in
                store.record(decodes[decode].digest, model: Shape.models[decodes[decode].model])
              }
              try store.close()
              return count
            })
        }
      }
      let ratios = zip(rates.store, rates.c).map { $0 / $1 }
      return Reading(
        value: ratios.quantile(0.5),
        unit: .ratio,
        spread: ratios.spread,
        beside: [
          "\(threadCount) threads: \(Reading.Unit.perSecond.text(rates.store.quantile(0.5)))",
          "C, one thread: \(Reading.Unit.perSecond.text(rates.c.quantile(0.5)))",
          "GRDB, \(threadCount) threads: \(Reading.Unit.perSecond.text(rates.grdb.quantile(0.5)))",
        ]
      )
    }
  }

  /// The errors that are written in a second.
  ///
  /// - Parameter work: flushes until a time, and returns the number of flushes.
  private static func rate(
    _ seconds: Double, _ work: (_ end: Double) throws -> Int
  ) throws -> Double {
    let start = WallClock.now
    let flushes = try work(start + seconds)
    return Double(flushes * FailedDecode.errors) / (WallClock.now - start)
  }

  /// Flushes decodes in turn until a time.
  ///
  /// - Returns: the number of flushes.
  private static func flush(
    _ decodes: Int, from first: Int = 0, until end: Double, _ flush: (Int) throws -> Void
  ) rethrows -> Int {
    var count = 0
    while WallClock.now < end {
      try flush((first + count) % decodes)
      count += 1
    }
    return count
  }

  /// Does the same on several threads.
  private static func flushTogether(
    _ decodes: Int, until end: Double, _ flush: @escaping @Sendable (Int) throws -> Void
  ) throws -> Int {
    let sum = Mutex(0)
    try runThreads(threadCount) { thread in
      let first = thread * decodes / threadCount
      let count = try Self.flush(decodes, from: first, until: end, flush)
      sum.withLock { $0 += count }
    }
    return sum.withLock { $0 }
  }
}
