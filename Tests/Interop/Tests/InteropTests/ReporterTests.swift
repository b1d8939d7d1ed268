import ResilientDecoding
import Testing

/// How a reporter in userInfo is found from where a required key is missing.
struct ReporterTests {
  private static let missing = "mood: keyNotFound Mood"

  @Test func `a missing key is reported whatever else is there`() throws {
    let rows: [Row<Room>] = [
      Row(#"{"number": 5}"#, Room(number: 5, mood: .unknown), Self.missing),
      Row(#"{"colour": "red"}"#, Room(number: nil, mood: .unknown), Self.missing).differing(
        in: .yaml, reporting: .userInfo, because: Format.noDecoderNearby,
        Room(number: nil, mood: .unknown)),
      Row("{}", Room(number: nil, mood: .unknown), Self.missing).differing(
        in: .yaml, reporting: .userInfo, because: Format.noDecoderNearby,
        Room(number: nil, mood: .unknown)),
    ]
    try verify(rows, Room.self) { $0 }
  }

  @Test func `a key missing in an empty element is reported`() throws {
    let rows: [Row<[Room]>] = [
      Row(
        #"{"p": [{"number": 1, "mood": "calm"}, {}]}"#,
        [Room(number: 1, mood: .calm), Room(number: nil, mood: .unknown)],
        "p[1].mood: keyNotFound Mood"
      ).differing(
        in: .yaml, reporting: .userInfo, because: Format.noDecoderNearby,
        [Room(number: 1, mood: .calm), Room(number: nil, mood: .unknown)])
    ]
    try verify(rows, GenericModel<[Room]>.self, \.p)
  }

  @Test(arguments: Format.allCases)
  func `without a reporter the values are the same`(format: Format) throws {
    let document = Document(#"{"number": "x", "mood": "wild"}"#)
    #expect(try format.decode(Room.self, from: document) == Room(number: nil, mood: .unknown))
  }
}

struct Room: Decodable, Hashable {
  @Resilient var number: Int?
  @Resilient var mood: Mood
}
