import DigestStore
import Foundation
import ResilientDecoding

extension Suite {
  static var flush: Suite {
    Suite(
      title: "A flush of 3 errors",
      caption: """
        A batch is 1,000 flushes, a transaction each, with the folding that belongs to them; 200 \
        where each waits for the disk. *C* is a loop in C that runs the store's statements through \
        the same SQLite: \(sqliteVersion). *Flat* is a row of ten columns for each error, in C; \
        *GRDB* the same with GRDB 7.10.0, a `DatabasePool` and a record for each error.
        """
    ) { _ in
      Writing.all.flatMap { writing in
        [
          flush("flush, \(writing.name), to C", writing, .atMost(1.5)) {
            try .c($0, $1, isFull: $2)
          },
          record("record, \(writing.name), to C", writing, .atMost(1.5)) {
            try .c($0, $1, isFull: $2)
          },
          flush("flush, \(writing.name), to flat", writing, nil) { try .flat($0, $1, isFull: $2) },
          flush("flush, \(writing.name), to GRDB", writing, nil) { try .grdb($0, $1, isFull: $2) },
        ]
      }
    }
  }

  /// How a store is written to: each way is measured beside the same references.
  private struct Writing {
    let name: String
    let configuration: DigestStore.Configuration
    let isFull: Bool

    /// How many flushes are timed at a time.
    let batch: Int

    /// The incidents of a batch.
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

  private typealias Reference = @Sendable (String, [Incident], Bool) throws -> Peer

  /// What a reporter's flush takes; that there is something to report is not timed.
  private static func flush(
    _ name: String,
    _ writing: Writing,
    _ requirement: Figure.Requirement?,
    reference: @escaping Reference
  ) -> Figure {
    figure(name, writing, requirement, reference) { store, incidents in
      { batch in
        let reporters = try writing.numbers(of: batch).map { index in
          let incident = incidents[index % incidents.count]
          let reporter = PersistentErrorReporter(
            store: store, model: Shape.models[incident.model])
          try reporter.decode(incident.drifts)
          return reporter
        }
        return { for reporter in reporters { reporter.flushReportedErrors() } }
      }
    }
  }

  /// What `record` takes of a digest that is there.
  private static func record(
    _ name: String,
    _ writing: Writing,
    _ requirement: Figure.Requirement?,
    reference: @escaping Reference
  ) -> Figure {
    figure(name, writing, requirement, reference) { store, incidents in
      { batch in
        {
          for index in writing.numbers(of: batch) {
            let incident = incidents[index % incidents.count]
            store.record(incident.digest, model: Shape.models[incident.model])
          }
        }
      }
    }
  }

  private static func figure(
    _ name: String,
    _ writing: Writing,
    _ requirement: Figure.Requirement?,
    _ reference: @escaping Reference,
    _ side: @escaping (DigestStore, [Incident]) -> Contest.Side
  ) -> Figure {
    Figure(name: name, requirement: requirement) { plan in
      try plan.withTemporaryFile { path in
        let incidents = try Incident.all(of: .few, repetitions: 15)
        let store = try DigestStore(path: path, configuration: writing.configuration)
        let peer = try reference(path + "-reference", incidents, writing.isFull)
        let contest = Contest(
          measured: side(store, incidents),
          reference: { batch in
            { for index in writing.numbers(of: batch) { try peer.flush(index % incidents.count) } }
          },
          batch: writing.batch
        )
        let reading = try contest.reading(rounds: plan.rounds, against: peer.name)
        let recorded = try store.novelValues().reduce(0) { $0 + $1.occurrences }
        guard recorded == (plan.rounds + 1) * writing.batch * Incident.errors else {
          throw Broken("The store has \(recorded) errors")
        }
        try store.close()
        return reading
      }
    }
  }
}
