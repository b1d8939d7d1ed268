import Foundation
import ResilientDecoding
import Testing

private let module = "ResilientDecodingTests"

struct ResilientRawRepresentableTests {
  static let fallback: [Row<Mood>] = [
    Row(#""calm""#, .calm, "decodedSuccessfully"),
    Row(
      nil,
      .unknown,
      "recoveredFrom(keyNotFound, wasReported: true)",
      Report("p", .keyNotFound, expecting: "\(module).Mood")
    ),
    Row(
      "null",
      .unknown,
      "recoveredFrom(valueNotFound, wasReported: true)",
      Report("p", .valueNotFound, expecting: "\(module).Mood")
    ),
    Row(
      "5",
      .unknown,
      "recoveredFrom(typeMismatch, wasReported: true)",
      Report("p", .typeMismatch, expecting: "\(module).Mood")
    ),
    Row(
      #""wild""#,
      .unknown,
      "recoveredFrom(UnknownNovelValueError, wasReported: true)",
      visible: 0,
      Report(
        "p",
        .unknownNovelValue,
        expecting: "\(module).Mood",
        novel: "wild",
        of: "String"
      )
    ),
  ]

  @Test(arguments: fallback, Format.allCases)
  func `a fallback replaces any value that cannot be decoded`(
    row: Row<Mood>,
    format: Format
  ) throws {
    try row.verify(MoodModel.self, in: format)
  }

  @Test(arguments: fallback, Format.allCases)
  func `a fallback replaces a novel value in a generic model too`(
    row: Row<Mood>,
    format: Format
  ) throws {
    try row.verify(GenericModel<Mood>.self, in: format)
  }

  static let frozenFallback: [Row<Coin>] = [
    Row(#""heads""#, .heads, "decodedSuccessfully"),
    Row(
      #""tails""#,
      .edge,
      "recoveredFrom(dataCorrupted, wasReported: true)",
      visible: 1,
      Report(
        "p",
        .unknownNovelValue,
        expecting: "\(module).Coin",
        novel: "tails",
        of: "String"
      )
    ),
  ]

  @Test(arguments: frozenFallback, Format.allCases)
  func `a novel value of a frozen type is a visible error with the value`(
    row: Row<Coin>,
    format: Format
  ) throws {
    try row.verify(CoinModel.self, in: format)
    try row.verify(GenericModel<Coin>.self, in: format)
  }

  /// The rows of an optional that the four types have in common.
  private static func optionalRows<R: Equatable & Sendable>(
    known: String,
    _ value: R,
    fallback: R?,
    isFrozen: Bool
  ) -> [Row<R?>] {
    let novel = isFrozen ? "dataCorrupted" : "UnknownNovelValueError"
    return [
      Row(nil, nil, "keyNotFound"),
      Row("null", nil, "valueWasNil"),
      Row(#""\#(known)""#, value, "decodedSuccessfully"),
      Row(
        "{}",
        fallback,
        "recoveredFrom(typeMismatch, wasReported: true)",
        Report("p", .typeMismatch, expecting: "\(module).\(R.self)")
      ),
      Row(
        #""novel""#,
        fallback,
        "recoveredFrom(\(novel), wasReported: true)",
        visible: isFrozen ? 1 : 0,
        Report(
          "p",
          .unknownNovelValue,
          expecting: "\(module).\(R.self)",
          novel: "novel",
          of: "String"
        )
      ),
    ]
  }

  @Test(
    arguments: optionalRows(known: "flat", Kind.flat, fallback: nil, isFrozen: false),
    Format.allCases
  )
  func `an optional without a fallback is nil`(row: Row<Kind?>, format: Format) throws {
    try row.verify(OptionalKindModel.self, in: format)
    try row.verify(GenericModel<Kind?>.self, in: format)
  }

  @Test(
    arguments: optionalRows(known: "left", Side.left, fallback: nil, isFrozen: true),
    Format.allCases
  )
  func `an optional of a frozen type is nil`(row: Row<Side?>, format: Format) throws {
    try row.verify(OptionalSideModel.self, in: format)
    try row.verify(GenericModel<Side?>.self, in: format)
  }

  @Test(
    arguments: optionalRows(known: "calm", Mood.calm, fallback: .unknown, isFrozen: false),
    Format.allCases
  )
  func `an optional with a fallback takes it only when there is something`(
    row: Row<Mood?>,
    format: Format
  ) throws {
    try row.verify(OptionalMoodModel.self, in: format)
    try row.verify(GenericModel<Mood?>.self, in: format)
  }

  @Test(
    arguments: optionalRows(known: "heads", Coin.heads, fallback: .edge, isFrozen: true),
    Format.allCases
  )
  func `an optional of a frozen type with a fallback takes it`(
    row: Row<Coin?>,
    format: Format
  ) throws {
    try row.verify(OptionalCoinModel.self, in: format)
    try row.verify(GenericModel<Coin?>.self, in: format)
  }
}

private struct MoodModel: PropertyModel {
  @Resilient var p: Mood
  var property: Resilient<Mood> { _p }
}

private struct CoinModel: PropertyModel {
  @Resilient var p: Coin
  var property: Resilient<Coin> { _p }
}

private struct OptionalKindModel: PropertyModel {
  @Resilient var p: Kind?
  var property: Resilient<Kind?> { _p }
}

private struct OptionalSideModel: PropertyModel {
  @Resilient var p: Side?
  var property: Resilient<Side?> { _p }
}

private struct OptionalMoodModel: PropertyModel {
  @Resilient var p: Mood?
  var property: Resilient<Mood?> { _p }
}

private struct OptionalCoinModel: PropertyModel {
  @Resilient var p: Coin?
  var property: Resilient<Coin?> { _p }
}
