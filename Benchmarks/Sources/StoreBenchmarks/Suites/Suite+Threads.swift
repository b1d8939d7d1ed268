import DigestStore
import Foundation
import Reporting
import ResilientDecoding

extension Suite {
  static var threads: Suite {
    Suite(
      title: "Threads that flush together",
      caption: """
        Errors a second, 8 threads with 1,000 flushes of 3 errors each, 100 where each \
        waits for the disk. What it is held against \
        writes in turns with the store: one thread in C, and 8 with GRDB.
        """
    ) { _ in
      [
        figure("8 threads, `.processCrash`", .processCrash, flushes: 1_000, .atLeast(150_000)),
        figure("8 threads, `.powerLoss`", .powerLoss, flushes: 100, nil),
      ]
    }
  }

  private static func figure(
    _ name: String,
    _ durability: DigestStore.Durability,
    flushes: Int,
    _ requirement: Figure.Requirement?
  ) -> Figure {
    Figure(name: name, requirement: requirement) { plan in
      try plan.withTemporaryFile { path in
        let incidents = try Incident.all(of: .few, repetitions: 15)
        let isFull = durability == .powerLoss
        let store = try DigestStore(
          path: path, configuration: DigestStore.Configuration(durability: durability))
        let loop = try Peer.c(path + "-c", incidents, isFull: isFull)
        let table = try GRDBTable(path: path + "-grdb", isFull: isFull)
        let team = Team(flushes: flushes)
        var rates: (store: [Double], c: [Double], grdb: [Double]) = ([], [], [])
        for _ in 0..<min(plan.rounds, 7) {
          rates.c.append(try team.flush(incidents, to: loop))
          rates.grdb.append(try team.flushTogether(incidents, to: table))
          rates.store.append(try team.flushTogether(incidents, to: store))
        }
        try store.close()
        return Reading(
          value: rates.store.quantile(0.5),
          unit: .perSecond,
          spread: rates.store.spread,
          beside: [
            "at best \(Reading.Unit.perSecond.text(rates.store.quantile(1)))",
            "C, one thread: \(Reading.Unit.perSecond.text(rates.c.quantile(0.5)))",
            "GRDB, 8 threads: \(Reading.Unit.perSecond.text(rates.grdb.quantile(0.5)))",
          ]
        )
      }
    }
  }
}

/// Threads with so many flushes each, and what they get done.
private struct Team {
  static let threads = 8

  let flushes: Int

  /// The errors a second that this thread writes in C.
  func flush(_ incidents: [Incident], to loop: Peer) throws -> Double {
    let seconds = try WallClock.seconds {
      for number in numbers(of: 0) { try loop.flush(number % incidents.count) }
    }
    return rate(of: seconds, threads: 1)
  }

  /// The errors a second that 8 threads flush to a store.
  func flushTogether(
    _ incidents: [Incident],
    to store: DigestStore
  ) throws -> Double {
    let reporters = try (0..<Self.threads).map { thread in
      try numbers(of: thread).map { number in
        let incident = incidents[number % incidents.count]
        let reporter = PersistentErrorReporter(store: store, model: Shape.models[incident.model])
        try reporter.decode(incident.drifts)
        return reporter
      }
    }
    let seconds = try WallClock.seconds {
      try Crew.run(Self.threads) { thread in
        for reporter in reporters[thread] { reporter.flushReportedErrors() }
      }
    }
    return rate(of: seconds, threads: Self.threads)
  }

  /// The errors a second that 8 threads write with GRDB.
  func flushTogether(_ incidents: [Incident], to table: GRDBTable) throws -> Double {
    let seconds = try WallClock.seconds {
      try Crew.run(Self.threads) { thread in
        for number in numbers(of: thread) {
          let incident = incidents[number % incidents.count]
          try table.write(GRDBTable.Occurrence.all(of: incident, digest: Int64(number)))
        }
      }
    }
    return rate(of: seconds, threads: Self.threads)
  }

  /// The incidents that a thread flushes.
  private func numbers(of thread: Int) -> Range<Int> {
    thread * flushes..<(thread + 1) * flushes
  }

  private func rate(of seconds: Double, threads: Int) -> Double {
    Double(threads * flushes * Incident.errors) / seconds
  }
}
