import Foundation
import ResilientDecoding
import Testing

struct ResilientRawRepresentableTests {
  @Test func `a fallback replaces any value that cannot be decoded`() throws {
    try verify(
      MoodModel.self,
      [
        Row(#""calm""#, .calm, .decoded),
        Row(nil, .unknown, .lacksKey, "p: keyNotFound Mood"),
        Row("null", .unknown, .lacksValue, "p: valueNotFound Mood"),
        Row("5", .unknown, .mismatched, "p: typeMismatch Mood"),
        Row(#""wild""#, .unknown, .novel, visible: 0, "p: unknownNovelValue Mood = wild"),
      ])
  }

  @Test func `a novel value of a frozen type is a visible error with the value`() throws {
    try verify(
      CoinModel.self,
      [
        Row(#""heads""#, .heads, .decoded),
        Row(#""tails""#, .edge, .corrupted, "p: unknownNovelValue Coin = tails"),
      ])
  }

  @Test func `an optional is nil, or takes the fallback when there is something`() throws {
    func rows<R>(_ known: String, _ value: R, fallback: R?, isFrozen: Bool) -> [Row<R?>] {
      [
        Row(nil, nil, .missing), Row("null", nil, .null),
        Row(#""\#(known)""#, value, .decoded),
        Row("{}", fallback, .mismatched, "p: typeMismatch \(R.self)"),
        Row(
          #""novel""#, fallback, isFrozen ? .corrupted : .novel, visible: isFrozen ? 1 : 0,
          "p: unknownNovelValue \(R.self) = novel"),
      ]
    }
    try verify(OptionalKind.self, rows("flat", .flat, fallback: nil, isFrozen: false))
    try verify(OptionalSide.self, rows("left", .left, fallback: nil, isFrozen: true))
    try verify(OptionalMood.self, rows("calm", .calm, fallback: .unknown, isFrozen: false))
    try verify(OptionalCoin.self, rows("heads", .heads, fallback: .edge, isFrozen: true))
  }

  @Test func `elements are left out of an array, even if their type has a fallback`() throws {
    func rows<R, Value>(
      _ known: String, _ value: R, isFrozen: Bool, _ make: ([R]) -> Value
    ) -> [Row<Value>] {
      [
        Row(
          #"["\#(known)", "novel", 5, null]"#, make([value]), .lacksElements,
          visible: isFrozen ? 3 : 2, "p[1]: unknownNovelValue \(R.self) = novel",
          "p[2]: typeMismatch \(R.self)", "p[3]: valueNotFound \(R.self)")
      ]
    }
    try verify(Kinds.self, rows("flat", .flat, isFrozen: false) { $0 })
    try verify(Sides.self, rows("left", .left, isFrozen: true) { $0 })
    try verify(OptionalKinds.self, rows("flat", .flat, isFrozen: false) { $0 })
    try verify(Moods.self, rows("calm", .calm, isFrozen: false) { $0 })
    try verify(GenericModel<[Mood]?>.self, rows("calm", .calm, isFrozen: false) { $0 })
    try verify(GenericModel<[Coin]>.self, rows("heads", .heads, isFrozen: true) { $0 })
  }

  @Test func `entries are left out of a dictionary, even if their type has a fallback`() throws {
    func rows<R, Value>(
      _ known: String, _ value: R, isFrozen: Bool, _ make: ([String: R]) -> Value
    ) -> [Row<Value>] {
      [
        Row(
          #"{"a": "\#(known)", "b": "novel", "c": 5, "d": null}"#, make(["a": value]),
          .lacksEntries, visible: isFrozen ? 3 : 2, "p{b}: unknownNovelValue \(R.self) = novel",
          "p{c}: typeMismatch \(R.self)", "p{d}: valueNotFound \(R.self)")
      ]
    }
    try verify(KindsByName.self, rows("flat", .flat, isFrozen: false) { $0 })
    try verify(SidesByName.self, rows("left", .left, isFrozen: true) { $0 })
    try verify(OptionalKindsByName.self, rows("flat", .flat, isFrozen: false) { $0 })
    try verify(MoodsByName.self, rows("calm", .calm, isFrozen: false) { $0 })
    try verify(GenericModel<[String: Coin]?>.self, rows("heads", .heads, isFrozen: true) { $0 })
  }

  @Test func `a number and an object are raw values`() throws {
    try verify(
      GenericModel<[Level]>.self,
      [
        Row(
          "[1, 7, 2]", [.low, .high], .lacksElements, visible: 0,
          "p[1]: unknownNovelValue Level = 7: Int")
      ])
    try verify(
      GenericModel<Rate?>.self,
      [
        Row("0.5", .half, .decoded),
        Row("2.5", nil, .novel, visible: 0, "p: unknownNovelValue Rate = 2.5: Double"),
      ])
    try verify(
      GenericModel<[Diagonal]>.self,
      [
        Row(
          #"[{"x": 1, "y": 1}, {"x": 1, "y": 2}]"#, [Diagonal(rawValue: Point(x: 1, y: 1))!],
          .lacksElements, visible: 0,
          "p[1]: unknownNovelValue Diagonal = Point(x: 1, y: 2): Point")
      ])
  }

  // Only JSON: a property list encodes a URL as a dictionary.
  @Test func `a URL is a raw value`() throws {
    let json = #"{"p": ["https://a.example/b", "http://a.example/c", 3]}"#
    let (model, digest) = try Format.json.decode(GenericModel<[Link]>.self, from: json)
    #expect(model.p.map(\.rawValue.absoluteString) == ["https://a.example/b"])
    #expect(
      digest?.reports == [
        "p[1]: unknownNovelValue Link = http://a.example/c: Foundation.URL",
        "p[2]: typeMismatch Link",
      ])
    #expect(digest?.errors.count == 1)
  }

  @Test func `a date is a raw value in the decoder's format`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let (model, digest) = try decoder.decodeReporting(GenericModel<[Day]>.self, #"{"p": [0, "x"]}"#)
    #expect(model.p.map(\.rawValue) == [Date(timeIntervalSince1970: 0)])
    #expect(digest?.reports == ["p[1]: typeMismatch Day"])
  }

  @Test func `a type is not frozen and has no fallback by default`() {
    let nothing: Void = Kind.decodingFallback
    #expect(nothing == ())
    #expect(!Kind.isFrozen && !Mood.isFrozen && Side.isFrozen)
    #expect(Mood.decodingFallback == .unknown)
    #expect(Kind.DecodingFallback.self == Void.self && Mood.DecodingFallback.self == Mood.self)
  }
}

private struct MoodModel: PropertyModel { @Resilient var p: Mood }
private struct CoinModel: PropertyModel { @Resilient var p: Coin }
private struct OptionalKind: PropertyModel { @Resilient var p: Kind? }
private struct OptionalSide: PropertyModel { @Resilient var p: Side? }
private struct OptionalMood: PropertyModel { @Resilient var p: Mood? }
private struct OptionalCoin: PropertyModel { @Resilient var p: Coin? }
private struct Kinds: PropertyModel { @Resilient var p: [Kind] }
private struct OptionalKinds: PropertyModel { @Resilient var p: [Kind]? }
private struct Sides: PropertyModel { @Resilient var p: [Side] }
private struct Moods: PropertyModel { @Resilient var p: [Mood] }
private struct KindsByName: PropertyModel { @Resilient var p: [String: Kind] }
private struct OptionalKindsByName: PropertyModel { @Resilient var p: [String: Kind]? }
private struct SidesByName: PropertyModel { @Resilient var p: [String: Side] }
private struct MoodsByName: PropertyModel { @Resilient var p: [String: Mood] }

private enum Level: Int, ResilientRawRepresentable {
  case low = 1
  case high = 2
}

private enum Rate: Double, ResilientRawRepresentable { case half = 0.5 }

private struct Link: ResilientRawRepresentable, Equatable {
  let rawValue: URL

  init?(rawValue: URL) {
    guard rawValue.scheme == "https" else { return nil }
    self.rawValue = rawValue
  }
}

private struct Day: ResilientRawRepresentable, Equatable { let rawValue: Date }

private struct Diagonal: ResilientRawRepresentable, Equatable {
  let rawValue: Point

  init?(rawValue: Point) {
    guard rawValue.x == rawValue.y else { return nil }
    self.rawValue = rawValue
  }
}
