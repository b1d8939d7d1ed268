import ResilientDecoding
import Testing

struct RawValueElementsTests {
  @Test func `the fallback never stands in for an element`() throws {
    let rows: [Row<[Mood]>] = [
      Row(
        #"{"p": ["calm", "wild", "calm", "mad"]}"#, [.calm, .calm],
        "p[1]: unknownNovelValue Mood = wild",
        "p[3]: unknownNovelValue Mood = mad"),
      Row(
        #"{"p": [5, {"a": 1}, "calm"]}"#, [.calm], "p[0]: typeMismatch Mood",
        "p[1]: typeMismatch Mood"
      ).differing(
        in: .yaml, because: "each scalar can be read as text", [.calm],
        "p[0]: unknownNovelValue Mood = 5",
        "p[1]: typeMismatch Mood"
      ).differing(
        in: .xml, because: "each element can be read as text", [.calm],
        "p[0]: unknownNovelValue Mood = 5",
        "p[1]: unknownNovelValue Mood = "),
      Row(#"{"p": [null, "calm"]}"#, [.calm], "p[0]: valueNotFound Mood").differing(
        in: .xml, because: "there is no null, but an empty text", [.calm],
        "p[0]: unknownNovelValue Mood = "),
    ]
    try verify(rows, ArrayModel.self, \.p)
    try verify(rows, GenericModel<[Mood]>.self, \.p)
  }

  @Test func `the fallback never stands in for an entry`() throws {
    let rows: [Row<[String: Mood]>] = [
      Row(
        #"{"p": {"a": "calm", "b": "wild", "c": "calm"}}"#, ["a": .calm, "c": .calm],
        "p{b}: unknownNovelValue Mood = wild"),
      Row(#"{"p": {"a": "calm", "b": 5}}"#, ["a": .calm], "p{b}: typeMismatch Mood").differing(
        in: .yaml, .xml, because: "each scalar can be read as text", ["a": .calm],
        "p{b}: unknownNovelValue Mood = 5"
      ),
    ]
    try verify(rows, DictionaryModel.self, \.p)
    try verify(rows, GenericModel<[String: Mood]>.self, \.p)
  }
}

private struct ArrayModel: Decodable {
  @Resilient var p: [Mood]
}

private struct DictionaryModel: Decodable {
  @Resilient var p: [String: Mood]
}
