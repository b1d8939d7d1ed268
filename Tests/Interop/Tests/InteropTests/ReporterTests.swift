import ResilientDecoding
import Testing

/// How a reporter in userInfo is found from where a required key is missing.
struct ReporterTests {
  private static let missing = Report("mood", .keyNotFound, expecting: "InteropTests.Mood")

  static let rows: [Row<Room>] = [
    Row(
      "another key of the model",
      json: #"{"number": 5}"#,
      yaml: "number: 5",
      xml: "<r><number>5</number></r>",
      Room(number: 5, mood: .unknown),
      missing
    ),
    Row(
      "a key that the model does not have",
      json: #"{"colour": "red"}"#,
      yaml: "colour: red",
      xml: "<r><colour>red</colour></r>",
      Room(number: nil, mood: .unknown),
      missing
    )
    .differing(
      in: .yaml,
      reporting: .userInfo,
      because: Format.noDecoderNearby,
      Room(number: nil, mood: .unknown)
    ),
    Row(
      "no key at all",
      json: "{}",
      yaml: "{}",
      xml: "<r/>",
      Room(number: nil, mood: .unknown),
      missing
    )
    .differing(
      in: .yaml,
      reporting: .userInfo,
      because: Format.noDecoderNearby,
      Room(number: nil, mood: .unknown)
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `a missing key is reported whatever else is there`(row: Row<Room>, way: Way) throws {
    try row.verify(Room.self, way) { $0 }
  }

  static let elements: [Row<[Room]>] = [
    Row(
      "an empty element",
      json: #"{"p": [{"number": 1, "mood": "calm"}, {}]}"#,
      yaml: "p:\n- number: 1\n  mood: calm\n- {}",
      xml: "<r><p><number>1</number><mood>calm</mood></p><p/></r>",
      [Room(number: 1, mood: .calm), Room(number: nil, mood: .unknown)],
      Report("p[1].mood", .keyNotFound, expecting: "InteropTests.Mood")
    )
    .differing(
      in: .yaml,
      reporting: .userInfo,
      because: Format.noDecoderNearby,
      [Room(number: 1, mood: .calm), Room(number: nil, mood: .unknown)]
    )
  ]

  @Test(arguments: elements, Way.all)
  func `a key missing in an empty element is reported`(row: Row<[Room]>, way: Way) throws {
    try row.verify(GenericModel<[Room]>.self, way, \.p)
  }

  @Test(arguments: Format.allCases)
  func `without a reporter the values are the same`(format: Format) throws {
    let document = Document(
      json: #"{"number": "x", "mood": "wild"}"#,
      yaml: "number: x\nmood: wild",
      xml: "<r><number>x</number><mood>wild</mood></r>"
    )
    #expect(try format.decode(Room.self, from: document) == Room(number: nil, mood: .unknown))
  }
}

struct Room: Decodable, Hashable {
  @Resilient var number: Int?
  @Resilient var mood: Mood
}
