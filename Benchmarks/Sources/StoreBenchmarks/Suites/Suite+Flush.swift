import DigestStore
import Foundation
import ResilientDecoding

extension Suite {
  static var flush: Suite {
    Suite(
      title: "A flush of 3 errors",
      caption: """
        A batch is 1,000 flushes, each in a transaction; 200 if each waits for the disk. *C* is a \
        C loop that runs the statements of a flush on the same SQLite, \(sqliteVersion), and counts \
        nothing. *Flat* is a row of ten columns for each error, in C. *GRDB* is the same with GRDB \
        7.10.0, a `DatabasePool` and a record for each error. With `.powerLoss` the disk determines \
        most of the time of either.
        """
    ) { _ in
      [DigestStore.Durability.processCrash, .powerLoss].flatMap { durability in
        [
          metric(durability, to: "C", .atMost(1.9), Peer.c),
          metric(durability, to: "GRDB", durability == .powerLoss ? nil : .atMost(0.9), Peer.grdb),
          metric(durability, to: "flat", nil, Peer.flat),
        ]
      }
    }
  }

  private static func metric(
    _ durability: DigestStore.Durability,
    to name: String,
    _ requirement: Metric.Requirement?,
    _ makePeer: @escaping (String, [FailedDecode], Bool) throws -> Peer
  ) -> Metric {
    Metric(name: "flush, `.\(durability)`, to \(name)", requirement: requirement) { options in
      try options.withTemporaryFile { path in
        let decodes = try FailedDecode.all(of: .few, repetitions: 15)
        let store = try DigestStore(
          path: path, configuration: DigestStore.Configuration(durability: durability))
        let peer = try makePeer(path + "-peer", decodes, durability == .powerLoss)
        let size = durability == .powerLoss ? 200 : 1_000
        func batch(_ number: Int) -> [Int] {
          (number * size..<(number + 1) * size).map { $0 % decodes.count }
        }
        let benchmark = PairedBenchmark(
          measured: { number in
            // Collecting the errors is not timed.
            let reporters = try batch(number).map { decode in
              try PersistentErrorReporter(store: store, decodes[decode])
            }
            return { for reporter in reporters { reporter.flushReportedErrors() } }
          },
          reference: { number in
            let batch = batch(number)
            return { for decode in batch { try peer.flush(decode) } }
          },
          batch: size
        )
        let reading = try benchmark.reading(rounds: options.rounds, against: peer.name)
        let recorded = try store.novelValues().reduce(0) { $0 + $1.occurrences }
        guard recorded == (options.rounds + 1) * size * FailedDecode.errors else {
          throw BenchmarkError("The store has \(recorded) errors")
        }
        try store.close()
        return reading
      }
    }
  }
}

extension PersistentErrorReporter {
  /// Creates a reporter that has collected the errors of a decode.
  fileprivate convenience init(store: DigestStore, _ decode: FailedDecode) throws {
    self.init(store: store, model: Shape.models[decode.model])
    try self.decode(decode.drifts)
  }
}
