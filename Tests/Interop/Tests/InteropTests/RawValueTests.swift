import ResilientDecoding
import Testing

struct RawValueTests {
  private static let empty = "p: unknownNovelValue Mood = "

  @Test func `a fallback stands in for whatever cannot be decoded`() throws {
    let rows: [Row<Mood>] = [
      Row(#"{"p": "calm"}"#, .calm),
      Row(#"{"p": "calm"}"#, xml: #"<r p="calm"/>"#, .calm),
      Row(#"{"p": "wild"}"#, .unknown, "p: unknownNovelValue Mood = wild"),
      Row("{}", .unknown, "p: keyNotFound Mood").differing(
        in: .yaml, reporting: .userInfo, because: Format.noDecoderNearby, .unknown),
      Row(#"{"p": null}"#, .unknown, "p: valueNotFound Mood").differing(
        in: .xml, because: "there is no null, but an empty text", .unknown, Self.empty),
      Row(#"{"p": 5}"#, .unknown, "p: typeMismatch Mood").differing(
        in: .yaml, .xml, because: "each scalar can be read as text", .unknown,
        "p: unknownNovelValue Mood = 5"),
      Row(#"{"p": ["calm"]}"#, .unknown, "p: typeMismatch Mood").differing(
        in: .xml, because: "an array of one is one element", .calm),
      Row(#"{"p": {"a": "calm"}}"#, .unknown, "p: typeMismatch Mood").differing(
        in: .xml, because: "it is an element with empty text", .unknown, Self.empty),
    ]
    try verify(rows, MoodModel.self, \.p)
    try verify(rows, GenericModel<Mood>.self, \.p)
  }

  @Test func `a novel value of a frozen type is of the same kind`() throws {
    let rows: [Row<Coin>] = [
      Row(#"{"p": "tails"}"#, .edge, "p: unknownNovelValue Coin = tails")
    ]
    try verify(rows, GenericModel<Coin>.self, \.p)
  }

  /// The rows of an optional, with a fallback and without one.
  private static func optionals<R: Equatable & Sendable>(
    _ type: String,
    known: String,
    _ value: R,
    fallback: R?
  ) -> [Row<R?>] {
    let novel = { (value: String) in "p: unknownNovelValue \(type) = \(value)" }
    return [
      Row(#"{"p": "\#(known)"}"#, value),
      Row("{}", nil),
      Row(#"{"p": null}"#, nil).differing(
        in: .xml, because: "there is no null, but an empty text", fallback, novel("")),
      Row(#"{"p": "wild"}"#, fallback, novel("wild")),
      Row(#"{"p": {"a": "x"}}"#, fallback, "p: typeMismatch \(type)").differing(
        in: .xml, because: "it is an element with empty text", fallback, novel("")),
    ]
  }

  @Test func `an optional without a fallback is nil`() throws {
    let rows = Self.optionals("Kind", known: "flat", Kind.flat, fallback: nil)
    try verify(rows, OptionalKindModel.self, \.p)
    try verify(rows, GenericModel<Kind?>.self, \.p)
  }

  @Test func `an optional with a fallback takes it only when there is something`() throws {
    let rows = Self.optionals("Mood", known: "calm", Mood.calm, fallback: .unknown)
    try verify(rows, OptionalMoodModel.self, \.p)
    try verify(rows, GenericModel<Mood?>.self, \.p)
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
