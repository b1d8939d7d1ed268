import Foundation
import Testing

@testable import ResilientDecoding

/// Decoders that name the type that they were asked for, as Foundation's did until Swift 5.9.
struct ProxyTypeTests {
  static let types: [(asked: Any.Type, model: Any.Type)] = [
    (Traced<Point>.self, Point.self), (Traced<Resilient<Point?>>.self, Point.self),
    (WholeEntry<Int, NoConversion>.self, Int.self),
    ([WholeEntry<Point, NoConversion>].self, [Point].self),
    ([String: WholeEntry<Point, LosslessConversion>].self, [String: Point].self),
    (PropertyParts<[String: Int], NoConversion>.self, [String: Int].self),
    (Parts<[Point], NoConversion>.self, [Point].self),
    (Traced<[String: WholeEntry<Point, NoConversion>]>.self, [String: Point].self),
    (Open<Kind>.self, Kind.self), (Point.self, Point.self), ([Int].self, [Int].self),
  ]

  @Test(arguments: types.indices)
  func `an error names the model's type, in its text too`(index: Int) {
    let (asked, model) = Self.types[index]
    func context(_ type: Any.Type) -> DecodingError.Context {
      DecodingError.Context(codingPath: [], debugDescription: "No \(type) but \(type)?")
    }
    let errors: [(DecodingError, DecodingError)] = [
      (.typeMismatch(asked, context(asked)), .typeMismatch(model, context(model))),
      (.valueNotFound(asked, context(asked)), .valueNotFound(model, context(model))),
    ]
    for (error, expected) in errors {
      #expect(String(reflecting: error.namingModelType) == String(reflecting: expected))
      let recovered = RecoveredError(
        error, at: RecoveryPlace([]), decoding: nil, in: nil)
      #expect(recovered.message == "No \(model) but \(model)?")
      #expect(recovered.expectedType == model)
    }
  }
}
