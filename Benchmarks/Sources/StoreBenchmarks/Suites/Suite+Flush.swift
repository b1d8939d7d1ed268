import DigestStore
import Foundation
import ResilientDecoding

extension Suite {
  static var flush: Suite {
    Suite(
      title: "A flush of 3 errors",
      caption: """
        A batch is 1,000 flushes, each in a transaction, and the folding that they cause; 200 if \
        each waits for the disk. *C* is a C loop that runs the store's statements on the same \
        SQLite, \(sqliteVersion). *Flat* is a row of ten columns for each error, in C. *GRDB* is \
        the same with GRDB 7.10.0, a `DatabasePool` and a record for each error. A clean decode \
        has no error: the ratio compares a store that counts it with one that does not.
        """
    ) { _ in
      Writing.all.flatMap { writing in
        [
          flush("flush, \(writing.name), to C", writing, .atMost(1.6)) {
            try .c($0, $1, isFull: $2)
          },
          record("record, \(writing.name), to C", writing, .atMost(1.6)) {
            try .c($0, $1, isFull: $2)
          },
          flush("flush, \(writing.name), to flat", writing, nil) { try .flat($0, $1, isFull: $2) },
          flush("flush, \(writing.name), to GRDB", writing, nil) { try .grdb($0, $1, isFull: $2) },
        ]
      } + [countedDecodes("clean decode of an empty object", items: 0, nil)]
        + [countedDecodes("clean decode of 10,000 items", items: 10_000, .atMost(1.01))]
    }
  }

  /// A durability, measured against the same references as the other one.
  private struct Writing {
    let name: String
    let configuration: DigestStore.Configuration
    let isFull: Bool

    /// The number of flushes in a batch.
    let batch: Int

    /// The numbers of the flushes in a batch.
    func numbers(of batch: Int) -> Range<Int> {
      batch * self.batch..<(batch + 1) * self.batch
    }

    static let all = [
      Writing(
        name: "`.processCrash`",
        configuration: DigestStore.Configuration(durability: .processCrash), isFull: false,
        batch: 1_000),
      Writing(
        name: "`.powerLoss`",
        configuration: DigestStore.Configuration(durability: .powerLoss), isFull: true, batch: 200),
    ]
  }

  private typealias Reference = @Sendable (String, [FailedDecode], Bool) throws -> Peer

  /// Measures flushes of reporters. Collecting the errors is not timed.
  private static func flush(
    _ name: String,
    _ writing: Writing,
    _ requirement: Metric.Requirement?,
    reference: @escaping Reference
  ) -> Metric {
    metric(name, writing, requirement, reference) { store, decodes in
      { batch in
        let reporters = try writing.numbers(of: batch).map { index in
          let decode = decodes[index % decodes.count]
          let reporter = PersistentErrorReporter(
            store: store, model: Shape.models[decode.model])
          try reporter.decode(decode.drifts)
          return reporter
        }
        return { for reporter in reporters { reporter.flushReportedErrors() } }
      }
    }
  }

  /// Measures `record` with digests that exist already.
  private static func record(
    _ name: String,
    _ writing: Writing,
    _ requirement: Metric.Requirement?,
    reference: @escaping Reference
  ) -> Metric {
    metric(name, writing, requirement, reference) { store, decodes in
      { batch in
        {
          for index in writing.numbers(of: batch) {
            let decode = decodes[index % decodes.count]
            store.record(decode.digest, model: Shape.models[decode.model])
          }
        }
      }
    }
  }

  /// Measures decodes without errors, with a store that counts them and one that does not.
  private static func countedDecodes(
    _ name: String, items: Int, _ requirement: Metric.Requirement?
  ) -> Metric {
    Metric(name: name, requirement: requirement) { options in
      try options.withTemporaryFile { path in
        let decodes = items == 0 ? 20_000 : 2
        let json = Feed.json([], items: items)
        func side(_ store: DigestStore) -> PairedBenchmark.Side {
          let decoder = JSONDecoder()
          return { _ in
            {
              for _ in 0..<decodes {
                _ = try decoder.decode(Feed.self, from: json, recordingTo: store)
              }
            }
          }
        }
        let counting = try DigestStore(path: path)
        let other = try DigestStore(
          path: path + "-other", configuration: DigestStore.Configuration(countsDecodes: false))
        let reading = try PairedBenchmark(
          measured: side(counting), reference: side(other), batch: decodes
        ).reading(rounds: options.rounds, against: "not counted")
        try counting.flush()
        guard try counting.decodeCounts()?.decodes == (options.rounds + 1) * decodes else {
          throw BenchmarkError("The store did not count all decodes")
        }
        try counting.close()
        try other.close()
        return reading
      }
    }
  }

  private static func metric(
    _ name: String,
    _ writing: Writing,
    _ requirement: Metric.Requirement?,
    _ reference: @escaping Reference,
    _ side: @escaping (DigestStore, [FailedDecode]) -> PairedBenchmark.Side
  ) -> Metric {
    Metric(name: name, requirement: requirement) { options in
      try options.withTemporaryFile { path in
        let decodes = try FailedDecode.all(of: .few, repetitions: 15)
        let store = try DigestStore(path: path, configuration: writing.configuration)
        let peer = try reference(path + "-reference", decodes, writing.isFull)
        let benchmark = PairedBenchmark(
          measured: side(store, decodes),
          reference: { batch in
            { for index in writing.numbers(of: batch) { try peer.flush(index % decodes.count) } }
          },
          batch: writing.batch
        )
        let reading = try benchmark.reading(rounds: options.rounds, against: peer.name)
        let recorded = try store.novelValues().reduce(0) { $0 + $1.occurrences }
        guard recorded == (options.rounds + 1) * writing.batch * FailedDecode.errors else {
          throw BenchmarkError("The store has \(recorded) errors")
        }
        try store.close()
        return reading
      }
    }
  }
}
