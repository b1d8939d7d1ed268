import Foundation
import ResilientDecoding
import Testing

/// Raw values that come in another type.
struct ResilientLosslessRawValueTests {
  @Test func `a text becomes the case of an integer enum`() throws {
    try verify(
      [
        RawRow("1", Rank.low, nil), RawRow(#""1""#, .low, #"converted Rank, string "1""#),
        RawRow("true", .low, "converted Rank, boolean true"),
        RawRow("9", nil, "unknownNovelValue Rank = 9: Int, number 9", isHidden: true),
        RawRow(#""9""#, nil, #"unknownNovelValue Rank = 9: Int, string "9""#, isHidden: true),
        RawRow(#""junk""#, nil, #"typeMismatch Rank, string "junk""#),
        RawRow(#""""#, nil, #"typeMismatch Rank, string """#),
        RawRow("1.5", nil, "dataCorrupted Rank, number 1.5"),
        RawRow("[1]", nil, "typeMismatch Rank, array"),
      ])
  }

  @Test func `a text becomes the case of a plain enum`() throws {
    try verify(
      [
        RawRow("1", Scale.small, nil), RawRow(#""1""#, .small, #"converted Scale, string "1""#),
        RawRow("9", nil, "unknownNovelValue Scale = 9: Int, number 9"),
        RawRow(#""9""#, nil, #"unknownNovelValue Scale = 9: Int, string "9""#),
        RawRow(#""junk""#, nil, #"typeMismatch Scale, string "junk""#),
      ])
  }

  @Test func `a text becomes an option set`() throws {
    func converted(_ text: String, _ value: UInt64) -> RawRow<Permissions> {
      RawRow(
        "\"\(text)\"", Permissions(rawValue: value), #"converted Permissions, string "\#(text)""#)
    }
    func refused(_ text: String) -> RawRow<Permissions> {
      RawRow("\"\(text)\"", nil, #"typeMismatch Permissions, string "\#(text)""#)
    }
    try verify(
      [
        RawRow("8", Permissions(rawValue: 8), nil), converted("8", 8),
        converted("1099511627784", 1 << 40 | 8), converted("18446744073709551615", .max),
        refused("18446744073709551616"), refused("-1"), refused("junk"),
      ])
  }

  @Test func `a text becomes an open value, known or not`() throws {
    try verify(
      [
        RawRow("1", Open<Rank>.known(.low), nil),
        RawRow(#""1""#, .known(.low), #"converted Rank, string "1""#),
        RawRow("9", .unknown(9), "unknownNovelValue Rank = 9: Int, number 9"),
        RawRow(#""9""#, .unknown(9), #"unknownNovelValue Rank = 9: Int, string "9""#),
        RawRow(#""junk""#, nil, #"typeMismatch Rank, string "junk""#),
      ])
  }

  @Test func `a number becomes the case of a string enum`() throws {
    try verify(
      [
        RawRow(#""1""#, Generation.first, nil),
        RawRow("1", .first, "converted Generation, number 1"),
        RawRow("7", nil, "unknownNovelValue Generation = 7, number 7", isHidden: true),
        RawRow(#""x""#, nil, #"unknownNovelValue Generation = x, string "x""#, isHidden: true),
        RawRow("true", nil, "unknownNovelValue Generation = true, boolean true", isHidden: true),
        RawRow("{}", nil, "typeMismatch Generation, object"),
      ])
  }

  @Test func `a novel value of a frozen type stays visible`() throws {
    let (model, digest) = try Format.json.decode(LosslessModel<Gear?>.self, from: #"{"p": "9"}"#)
    #expect(model.p == nil)
    #expect(
      digest?.reports == [
        "p: unknownNovelValue Gear = 9: Int"
      ])
    #expect(digest?.errors.count == 1)
  }

  @Test func `a fallback replaces what is novel after the conversion`() throws {
    let json = #"{"p": ["2", "3"]}"#
    let (model, digest) = try Format.json.decode(LosslessModel<[Resilient<Gear>]>.self, from: json)
    #expect(model.p.isEmpty)
    #expect(digest?.entries.map(\.kind) == [.typeMismatch, .typeMismatch])
    let (property, report) = try Format.json.decode(LosslessModel<Pedal>.self, from: #"{"p": "9"}"#)
    #expect(property.p == .idle)
    #expect(report?.entries.map(\.kind) == [.unknownNovelValue])
  }
}

/// A payload of a value, the value, and its entry: nil if there is none.
private struct RawRow<Value: Decodable & Equatable & Sendable> {
  let payload: String
  let value: Value?
  let entry: String?
  let isHidden: Bool

  init(_ payload: String, _ value: Value?, _ entry: String?, isHidden: Bool = false) {
    (self.payload, self.value, self.entry) = (payload, value, entry)
    self.isHidden = isHidden || value != nil
  }

  /// Decodes it as a property, an optional, an element, an entry and an element that may be null.
  func verify(in format: Format) throws {
    try verify(LosslessModel<Value?>.self, payload, in: format) { $0 }
    try verify(LosslessModel<[Value]>.self, "[\(payload)]", in: format) { $0.first }
    try verify(LosslessModel<[Value?]>.self, "[\(payload)]", in: format) { $0.first ?? nil }
    try verify(LosslessModel<[String: Value]>.self, #"{"a": \#(payload)}"#, in: format) { $0["a"] }
    if value == nil {
      #expect(throws: (any Error).self) {
        try format.decode(LosslessModel<Value>.self, from: #"{"p": \#(payload)}"#)
      }
    } else {
      try verify(LosslessModel<Value>.self, payload, in: format) { $0 }
    }
  }

  private func verify<Model: WrapperModel>(
    _ model: Model.Type, _ payload: String, in format: Format, _ value: (Model.Value) -> Value?
  ) throws {
    let (decoded, digest) = try format.decode(model, from: #"{"p": \#(payload)}"#)
    #expect(value(decoded.p) == self.value, "\(payload)")
    let entries = digest?.entries.map { entry in
      let report = entry.report.drop { $0 != " " }.dropFirst()
      return "\(report), \(entry.foundValue?.inWords ?? "nothing")"
    }
    #expect(entries == entry.map { [$0] }, "\(payload)")
    #expect(digest?.errors.count ?? 0 == (isHidden ? 0 : 1), "\(payload)")
  }
}

private func verify<Value>(_ rows: [RawRow<Value>]) throws {
  for format in Format.allCases {
    for row in rows { try row.verify(in: format) }
  }
}

private enum Rank: Int, ResilientRawRepresentable {
  case low = 1
  case high
}

private enum Scale: Int, Decodable {
  case small = 1
  case large
}

private enum Generation: String, ResilientRawRepresentable {
  case first = "1"
  case second = "2"
}

private enum Gear: Int, ResilientRawRepresentable {
  case park = 1

  static var isFrozen: Bool { true }
}

private enum Pedal: Int, ResilientRawRepresentable {
  case idle = 0

  static var decodingFallback: Self { .idle }
}

private struct Permissions: OptionSet, Decodable { let rawValue: UInt64 }
