import Foundation
import Testing

@testable import DigestStore

/// The time of a push grows with the number of rows, and not with its square.
struct PushCostTests {
  enum Kind: CaseIterable {
    case first, repeated, incremental, afterPrune, ofPushedStore, ofImported
  }

  private static let start: Int64 = 1_760_054_400_000

  /// Records each of the failures in one of some digests. Ten times the failures are in as many
  /// times the hours and contexts.
  private static func record(_ failures: Range<Int>, in store: DigestStore) throws {
    try store.appendAll(
      stride(from: failures.lowerBound, to: failures.upperBound, by: 10).map { first in
        var digest = DigestRecord.make(
          at: Moment(milliseconds: start + Int64(first / 10) * Moment.hour),
          release: "4.\(first / 10 % max(failures.count / 50, 1))")
        digest.errors = (first..<first + 10).map {
          .novel("v\($0)", at: "items[0].p\($0 % 40)")
        }
        return digest
      })
  }

  /// The steps of SQLite's virtual machine that a push takes in both files.
  private static func steps(_ kind: Kind, failures: Int) throws -> Int {
    let (source, target, other) = try (TemporaryStore(), TemporaryStore(), TemporaryStore())
    try record(0..<failures, in: source.store)
    switch kind {
    case .first: break
    case .repeated: try PushStepTests.push(source.path, into: target.store, maximumRows: 2_000)
    case .incremental, .afterPrune:
      try PushStepTests.push(source.path, into: target.store, maximumRows: 2_000)
      try record(failures..<failures * 3 / 2, in: source.store)
      if kind == .afterPrune { _ = try source.store.prune(maximumAge: .zero) }
    case .ofPushedStore:
      try record(failures / 2..<failures * 3 / 2, in: other.store)
      try PushStepTests.push(other.path, into: source.store, maximumRows: 2_000)
    case .ofImported:
      try record(failures / 2..<failures * 3 / 2, in: other.store)
      _ = try source.store.importText(other.store.text())
    }
    return try steps(ofPushing: source.path, into: target.store)
  }

  private static func steps(ofPushing path: String, into store: DigestStore) throws -> Int {
    let pushed = try PushedStore(path)
    return try store.write { writer in
      let steps = VMSteps()
      for connection in [pushed.connection, writer.connection] { steps.record(connection) }
      _ = try FileReceiver.with(writer) { try Push(of: pushed, to: $0, progress: {}).run() }
      steps.end(writer.connection)
      return steps.take()
    }
  }

  @Test(arguments: Kind.allCases)
  func `ten times as many failures take about ten times as long`(kind: Kind) throws {
    let failures = Repetitions.count(100, long: 300)
    let few = try Self.steps(kind, failures: failures)
    let many = try Self.steps(kind, failures: 10 * failures)
    #expect(few > 1_000)
    #expect(many < few * 15, "\(few) and \(many) steps")
  }
}
