import ResilientDecoding
import Testing

struct RawValueElementsTests {
  static let arrays: [Row<[Mood]>] = [
    Row(
      "novel elements",
      json: #"{"p": ["calm", "wild", "calm", "mad"]}"#,
      yaml: "p: [calm, wild, calm, mad]",
      xml: "<r><p>calm</p><p>wild</p><p>calm</p><p>mad</p></r>",
      [.calm, .calm],
      novel("p[1]", "wild"),
      novel("p[3]", "mad")
    ),
    Row(
      "other elements",
      json: #"{"p": [5, {"a": 1}, "calm"]}"#,
      yaml: "p: [5, {a: 1}, calm]",
      xml: "<r><p>5</p><p><a>1</a></p><p>calm</p></r>",
      [.calm],
      Report("p[0]", .typeMismatch, expecting: "InteropTests.Mood"),
      Report("p[1]", .typeMismatch, expecting: "InteropTests.Mood")
    ).differing(
      in: .yaml,
      because: "each scalar can be read as text",
      [.calm],
      novel("p[0]", "5"),
      Report("p[1]", .typeMismatch, expecting: "InteropTests.Mood")
    ).differing(
      in: .xml,
      because: "each element can be read as text",
      [.calm],
      novel("p[0]", "5"),
      novel("p[1]", "")
    ),
    Row(
      "an element that is null",
      json: #"{"p": [null, "calm"]}"#,
      yaml: "p: [~, calm]",
      xml: "<r><p/><p>calm</p></r>",
      [.calm],
      Report("p[0]", .valueNotFound, expecting: "InteropTests.Mood")
    ).differing(
      in: .xml,
      because: "there is no null, but an empty text",
      [.calm],
      novel("p[0]", "")
    ),
  ]

  @Test(arguments: arrays, Way.all)
  func `the fallback never stands in for an element`(row: Row<[Mood]>, way: Way) throws {
    try row.verify(ArrayModel.self, way, \.p)
    try row.verify(GenericModel<[Mood]>.self, way, \.p)
  }

  static let dictionaries: [Row<[String: Mood]>] = [
    Row(
      "novel entries",
      json: #"{"p": {"a": "calm", "b": "wild", "c": "calm"}}"#,
      yaml: "p: {a: calm, b: wild, c: calm}",
      xml: "<r><p><a>calm</a><b>wild</b><c>calm</c></p></r>",
      ["a": .calm, "c": .calm],
      novel("p.b", "wild")
    ),
    Row(
      "an entry that is a number",
      json: #"{"p": {"a": "calm", "b": 5}}"#,
      yaml: "p: {a: calm, b: 5}",
      xml: "<r><p><a>calm</a><b>5</b></p></r>",
      ["a": .calm],
      Report("p.b", .typeMismatch, expecting: "InteropTests.Mood")
    ).differing(
      in: .yaml,
      .xml,
      because: "each scalar can be read as text",
      ["a": .calm],
      novel("p.b", "5")
    ),
  ]

  @Test(arguments: dictionaries, Way.all)
  func `the fallback never stands in for an entry`(
    row: Row<[String: Mood]>,
    way: Way
  ) throws {
    try row.verify(DictionaryModel.self, way, \.p)
    try row.verify(GenericModel<[String: Mood]>.self, way, \.p)
  }

  private static func novel(_ path: String, _ value: String) -> Report {
    Report(path, .unknownNovelValue, expecting: "InteropTests.Mood", novel: value)
  }
}

private struct ArrayModel: Decodable {
  @Resilient var p: [Mood]
}

private struct DictionaryModel: Decodable {
  @Resilient var p: [String: Mood]
}
