import Foundation
import ResilientDecoding

/// A decode that went wrong in three places: the digest, and what a flat table has of it.
struct Incident: Sendable {
  static let errors = 3

  let model: Int
  let drifts: [Drift]
  let digest: ErrorDigest

  /// The JSON that was decoded.
  var json: Data { Feed.json(drifts) }

  init(model: Int, drifts: [Drift]) throws {
    self.model = model
    self.drifts = drifts
    let reporter = ResilientDecodingErrorReporter()
    try reporter.decode(drifts)
    guard let digest = reporter.flushReportedErrors(), digest.entries.count == Self.errors else {
      throw Broken("A feed of three unknown values has not made three errors")
    }
    self.digest = digest
  }

  /// Incidents of a shape, each failure in as many as any other.
  ///
  /// - Parameter repetitions: in how many incidents a failure is.
  static func all(of shape: Shape, repetitions: Int) throws -> [Incident] {
    var random = SplitMix(state: 42)
    var incidents: [Incident] = []
    for model in Shape.models.indices {
      var places: [(field: Int, value: Int)] = []
      for _ in 0..<repetitions {
        for field in Feed.fields.indices {
          for value in 0..<shape.values { places.append((field, value)) }
        }
      }
      places.shuffle(using: &random)
      for start in stride(from: 0, to: places.count - errors + 1, by: errors) {
        // A place of its own for each, in the order in which they are met.
        let indices = (0..<20).shuffled(using: &random).prefix(errors).sorted()
        let drifts = zip(places[start..<start + errors], indices).map { place, index in
          Drift(field: place.field, value: place.value, index: index)
        }
        incidents.append(try Incident(model: model, drifts: drifts))
      }
    }
    return incidents.shuffled(using: &random)
  }
}

extension ResilientDecodingErrorReporter {
  /// Decodes a feed, so that the reporter has its errors.
  func decode(_ drifts: [Drift]) throws {
    _ = try collectErrors { try JSONDecoder().decode(Feed.self, from: Feed.json(drifts)) }
  }
}

/// Random numbers that are the same in every run (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
