import DigestStore
import Foundation
import Reporting
import ResilientDecoding

extension Suite {
  static var threads: Suite {
    Suite(
      title: "Threads that flush together",
      caption: """
        The errors that 8 threads write in a second, as a multiple of those that one thread writes \
        in C. Each thread flushes 3 errors 1,000 times, or 100 times if each flush waits for the \
        disk. The C loop and GRDB take turns with the store.
        """
    ) { _ in
      [
        metric("8 threads, `.processCrash`", .processCrash, flushes: 1_000, .atLeast(1.2)),
        metric("8 threads, `.powerLoss`", .powerLoss, flushes: 100, nil),
      ]
    }
  }

  private static func metric(
    _ name: String,
    _ durability: DigestStore.Durability,
    flushes: Int,
    _ requirement: Metric.Requirement?
  ) -> Metric {
    Metric(name: name, requirement: requirement) { options in
      try options.withTemporaryFile { path in
        let decodes = try FailedDecode.all(of: .few, repetitions: 15)
        let isFull = durability == .powerLoss
        let store = try DigestStore(
          path: path, configuration: DigestStore.Configuration(durability: durability))
        let loop = try Peer.c(path + "-c", decodes, isFull: isFull)
        let table = try GRDBTable(path: path + "-grdb", isFull: isFull)
        let threads = FlushingThreads(flushes: flushes)
        var rates: (store: [Double], c: [Double], grdb: [Double]) = ([], [], [])
        for _ in 0..<min(options.rounds, 7) {
          rates.c.append(try threads.flush(decodes, to: loop))
          rates.grdb.append(try threads.flushTogether(decodes, to: table))
          rates.store.append(try threads.flushTogether(decodes, to: store))
        }
        try store.close()
        let ratios = zip(rates.store, rates.c).map { $0 / $1 }
        return Reading(
          value: ratios.quantile(0.5),
          unit: .ratio,
          spread: ratios.spread,
          beside: [
            "8 threads: \(Reading.Unit.perSecond.text(rates.store.quantile(0.5)))",
            "C, one thread: \(Reading.Unit.perSecond.text(rates.c.quantile(0.5)))",
            "GRDB, 8 threads: \(Reading.Unit.perSecond.text(rates.grdb.quantile(0.5)))",
          ]
        )
      }
    }
  }
}

/// Measures how many errors threads write in a second.
private struct FlushingThreads {
  static let threads = 8

  let flushes: Int

  /// Returns the errors a second that this thread writes in C.
  func flush(_ decodes: [FailedDecode], to loop: Peer) throws -> Double {
    let seconds = try WallClock.seconds {
      for number in numbers(of: 0) { try loop.flush(number % decodes.count) }
    }
    return rate(of: seconds, threads: 1)
  }

  /// Returns the errors a second that 8 threads flush to a store.
  func flushTogether(
    _ decodes: [FailedDecode],
    to store: DigestStore
  ) throws -> Double {
    let reporters = try (0..<Self.threads).map { thread in
      try numbers(of: thread).map { number in
        let decode = decodes[number % decodes.count]
        let reporter = PersistentErrorReporter(store: store, model: Shape.models[decode.model])
        try reporter.decode(decode.drifts)
        return reporter
      }
    }
    let seconds = try WallClock.seconds {
      try runThreads(Self.threads) { thread in
        for reporter in reporters[thread] { reporter.flushReportedErrors() }
      }
    }
    return rate(of: seconds, threads: Self.threads)
  }

  /// Returns the errors a second that 8 threads write with GRDB.
  func flushTogether(_ decodes: [FailedDecode], to table: GRDBTable) throws -> Double {
    let seconds = try WallClock.seconds {
      try runThreads(Self.threads) { thread in
        for number in numbers(of: thread) {
          let decode = decodes[number % decodes.count]
          try table.write(GRDBTable.Occurrence.all(of: decode, digest: Int64(number)))
        }
      }
    }
    return rate(of: seconds, threads: Self.threads)
  }

  /// The numbers of the decodes that a thread flushes.
  private func numbers(of thread: Int) -> Range<Int> {
    thread * flushes..<(thread + 1) * flushes
  }

  private func rate(of seconds: Double, threads: Int) -> Double {
    Double(threads * flushes * FailedDecode.errors) / seconds
  }
}
