import Foundation
import ResilientDecoding

@testable import DigestStore

/// Digests and windows made of random numbers, with the edges where mistakes are.
enum RandomRecords {
  static let start = Int64(1_763_600_000_000)
  private static let hour = Moment.hour

  /// Digests of some days, in the order of writing: the clock jumps, also backwards.
  static func make(_ count: Int, seed: UInt64) -> [DigestRecord] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let moment = Moment(milliseconds: start + .random(in: 0..<100 * hour, using: &random))
      // Often on the edge of an hour or of a day.
      let edge = moment.milliseconds / hour * hour - .random(in: 0...1, using: &random)
      var record = DigestRecord.make(
        at: Bool.random(using: &random) ? moment : Moment(milliseconds: edge),
        model: ["App.Listing", "App.User"].randomElement(using: &random) ?? "",
        release: ["4.1", "4.2", nil].randomElement(using: &random) ?? nil,
        environment: ["production", "staging", nil].randomElement(using: &random) ?? nil,
        operation: ["GET /listings", "GET /users/{id}", nil].randomElement(using: &random) ?? nil)
      record.errors = (0..<Int.random(in: 1...4, using: &random)).map { _ in failure(&random) }
      if Int.random(in: 0..<10, using: &random) == 0 {
        var omitted = failure(&random)
        omitted.count(.random(in: 1...50, using: &random))
        record.errors.append(omitted)
      }
      return record
    }
  }

  private static func failure(_ random: inout SeededGenerator) -> RecordedError {
    var failure = failureWithoutFound(&random)
    failure.found =
      [nil, .null, .string("villa"), .string("12"), .number("12"), .array]
      .randomElement(using: &random) ?? nil
    return failure
  }

  private static func failureWithoutFound(_ random: inout SeededGenerator) -> RecordedError {
    let index = Int.random(in: 0..<5, using: &random)
    if Bool.random(using: &random) {
      return .mismatch(at: ["items[\(index)].id", "price"].randomElement(using: &random) ?? "")
    }
    // The same value where two types are expected: one failure.
    return RecordedError.novel(
      ["villa", "yurt", ""].randomElement(using: &random) ?? "",
      at: ["items[\(index)].kind", "kind"].randomElement(using: &random) ?? "",
      expected: ["App.Kind", "App.OldKind", nil].randomElement(using: &random) ?? nil)
  }

  static func windows(seed: UInt64) -> [(since: Moment?, until: Moment?)] {
    var random = SeededGenerator(seed: seed)
    func moment() -> Moment {
      let hours = Int64.random(in: -2..<104, using: &random)
      let offset =
        [0, 0, 1, -1, Int64.random(in: 0..<hour, using: &random)].randomElement(using: &random) ?? 0
      return Moment(milliseconds: (start / hour + hours) * hour + offset)
    }
    let fixed: [(Moment?, Moment?)] = [
      (nil, nil), (.earliest, .latest), (.earliest, .earliest),
      (Moment(milliseconds: start / hour * hour), nil),
      (nil, Moment(milliseconds: start / hour * hour)),
    ]
    return fixed
      + (0..<Repetitions.count(12, long: 40)).map { _ in
        switch Int.random(in: 0..<6, using: &random) {
        case 0: (moment(), nil)
        case 1: (nil, moment())
        default: (moment(), moment())
        }
      }
  }
}

extension [DigestRecord] {
  /// Those that lie in a window.
  func within(_ since: Moment?, _ until: Moment?) -> [DigestRecord] {
    filter { record in
      (since ?? .earliest) <= record.recordedAt && until.map { record.recordedAt < $0 } != false
    }
  }
}

extension DigestStore {
  func appendAll(_ records: [DigestRecord]) throws {
    try write { writer in
      for record in records { try writer.append(record) }
    }
  }
}
