import ResilientDecoding
import Testing

struct RawValueTests {
  private static let novel = Report(
    "p",
    .unknownNovelValue,
    expecting: "InteropTests.Mood",
    novel: "wild"
  )
  private static let empty = Report(
    "p",
    .unknownNovelValue,
    expecting: "InteropTests.Mood",
    novel: ""
  )

  static let moods: [Row<Mood>] = [
    Row("known", json: #"{"p": "calm"}"#, yaml: "p: calm", xml: "<r><p>calm</p></r>", .calm),
    Row("an attribute", json: #"{"p": "calm"}"#, yaml: "p: calm", xml: #"<r p="calm"/>"#, .calm),
    Row(
      "novel",
      json: #"{"p": "wild"}"#,
      yaml: "p: wild",
      xml: "<r><p>wild</p></r>",
      .unknown,
      novel
    ),
    Row(
      "no key",
      json: "{}",
      yaml: "{}",
      xml: "<r/>",
      .unknown,
      Report("p", .keyNotFound, expecting: "InteropTests.Mood")
    )
    .differing(
      in: .yaml,
      reporting: .userInfo,
      because: Format.noDecoderNearby,
      .unknown
    ),
    Row(
      "null",
      json: #"{"p": null}"#,
      yaml: "p: null",
      xml: "<r><p/></r>",
      .unknown,
      Report("p", .valueNotFound, expecting: "InteropTests.Mood")
    )
    .differing(in: .xml, because: "there is no null, but an empty text", .unknown, empty),
    Row(
      "a number",
      json: #"{"p": 5}"#,
      yaml: "p: 5",
      xml: "<r><p>5</p></r>",
      .unknown,
      Report("p", .typeMismatch, expecting: "InteropTests.Mood")
    ).differing(
      in: .yaml,
      .xml,
      because: "each scalar can be read as text",
      .unknown,
      Report("p", .unknownNovelValue, expecting: "InteropTests.Mood", novel: "5")
    ),
    Row(
      "an array",
      json: #"{"p": ["calm"]}"#,
      yaml: "p: [calm]",
      xml: "<r><p>calm</p></r>",
      .unknown,
      Report("p", .typeMismatch, expecting: "InteropTests.Mood")
    ).differing(in: .xml, because: "an array of one is one element", .calm),
    Row(
      "a dictionary",
      json: #"{"p": {"a": "calm"}}"#,
      yaml: "p: {a: calm}",
      xml: "<r><p><a>calm</a></p></r>",
      .unknown,
      Report("p", .typeMismatch, expecting: "InteropTests.Mood")
    ).differing(in: .xml, because: "it is an element with empty text", .unknown, empty),
  ]

  @Test(arguments: moods, Way.all)
  func `a fallback stands in for whatever cannot be decoded`(row: Row<Mood>, way: Way) throws {
    try row.verify(MoodModel.self, way, \.p)
    try row.verify(GenericModel<Mood>.self, way, \.p)
  }

  static let coins: [Row<Coin>] = [
    Row(
      "novel",
      json: #"{"p": "tails"}"#,
      yaml: "p: tails",
      xml: "<r><p>tails</p></r>",
      .edge,
      Report("p", .unknownNovelValue, expecting: "InteropTests.Coin", novel: "tails")
    )
  ]

  @Test(arguments: coins, Way.all)
  func `a novel value of a frozen type is of the same kind`(row: Row<Coin>, way: Way) throws {
    try row.verify(GenericModel<Coin>.self, way, \.p)
  }

  /// The rows of an optional, with a fallback and without one.
  private static func optionals<R: Equatable & Sendable>(
    _ type: String,
    known: String,
    _ value: R,
    fallback: R?
  ) -> [Row<R?>] {
    let novel = { Report("p", .unknownNovelValue, expecting: type, novel: $0) }
    return [
      Row(
        "known",
        json: #"{"p": "\#(known)"}"#,
        yaml: "p: \(known)",
        xml: "<r><p>\(known)</p></r>",
        value
      ),
      Row("no key", json: "{}", yaml: "{}", xml: "<r/>", nil),
      Row("null", json: #"{"p": null}"#, yaml: "p: ~", xml: "<r><p/></r>", nil)
        .differing(in: .xml, because: "there is no null, but an empty text", fallback, novel("")),
      Row(
        "novel",
        json: #"{"p": "wild"}"#,
        yaml: "p: wild",
        xml: "<r><p>wild</p></r>",
        fallback,
        novel("wild")
      ),
      Row(
        "a dictionary",
        json: #"{"p": {"a": "x"}}"#,
        yaml: "p: {a: x}",
        xml: "<r><p><a>x</a></p></r>",
        fallback,
        Report("p", .typeMismatch, expecting: type)
      ).differing(in: .xml, because: "it is an element with empty text", fallback, novel("")),
    ]
  }

  @Test(arguments: optionals("InteropTests.Kind", known: "flat", Kind.flat, fallback: nil), Way.all)
  func `an optional without a fallback is nil`(row: Row<Kind?>, way: Way) throws {
    try row.verify(OptionalKindModel.self, way, \.p)
    try row.verify(GenericModel<Kind?>.self, way, \.p)
  }

  @Test(
    arguments: optionals("InteropTests.Mood", known: "calm", Mood.calm, fallback: .unknown),
    Way.all
  )
  func `an optional with a fallback takes it only when there is something`(
    row: Row<Mood?>,
    way: Way
  ) throws {
    try row.verify(OptionalMoodModel.self, way, \.p)
    try row.verify(GenericModel<Mood?>.self, way, \.p)
  }
}

private struct MoodModel: Decodable {
  @Resilient var p: Mood
}

private struct OptionalKindModel: Decodable {
  @Resilient var p: Kind?
}

private struct OptionalMoodModel: Decodable {
  @Resilient var p: Mood?
}
