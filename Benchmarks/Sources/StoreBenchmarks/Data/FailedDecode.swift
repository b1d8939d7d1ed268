import Foundation
import ResilientDecoding

/// A decode with errors in three places.
struct FailedDecode: Sendable {
  static let errors = 3

  let model: Int
  let drifts: [Drift]
  let digest: ErrorDigest

  /// The decoded JSON.
  var json: Data { Feed.json(drifts) }

  init(model: Int, drifts: [Drift]) throws {
    self.model = model
    self.drifts = drifts
    let reporter = ResilientDecodingErrorReporter()
    try reporter.decode(drifts)
    guard let digest = reporter.flushReportedErrors(), digest.entries.count == Self.errors else {
      throw BenchmarkError("A feed with three unknown values did not report three errors")
    }
    self.digest = digest
  }

  /// Returns decodes of a shape, in which all failures are equally common.
  ///
  /// - Parameter repetitions: the number of decodes with each failure.
  static func all(of shape: Shape, repetitions: Int) throws -> [FailedDecode] {
    var random = SplitMix(state: 42)
    var decodes: [FailedDecode] = []
    for model in Shape.models.indices {
      var places: [(field: Int, value: Int)] = []
      for _ in 0..<repetitions {
        for field in Feed.fields.indices {
          for value in 0..<shape.values { places.append((field, value)) }
        }
      }
      places.shuffle(using: &random)
      for start in stride(from: 0, to: places.count - errors + 1, by: errors) {
        // Each error is in another item, in the order of decoding.
        let indices = (0..<20).shuffled(using: &random).prefix(errors).sorted()
        let drifts = zip(places[start..<start + errors], indices).map { place, index in
          Drift(field: place.field, value: place.value, index: index)
        }
        decodes.append(try FailedDecode(model: model, drifts: drifts))
      }
    }
    return decodes.shuffled(using: &random)
  }
}

extension ResilientDecodingErrorReporter {
  /// Decodes a feed, so the reporter collects its errors.
  func decode(_ drifts: [Drift]) throws {
    _ = try collectErrors { try JSONDecoder().decode(Feed.self, from: Feed.json(drifts)) }
  }
}

/// A random number generator with the same numbers in every run (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
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
