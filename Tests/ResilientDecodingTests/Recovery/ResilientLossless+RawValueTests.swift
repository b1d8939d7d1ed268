import Foundation
import ResilientDecoding
import Testing

/// Raw values that come in another type.
struct ResilientLosslessRawValueTests {
  static let levels: [RawRow<Rank>] = [
    RawRow("1", .low, nil),
    RawRow(#""1""#, .low, #"converted of Rank, string "1""#),
    RawRow("true", .low, "converted of Rank, boolean true"),
    RawRow("9", nil, "unknownNovelValue 9: Int of Rank, number 9", isHidden: true),
    RawRow(#""9""#, nil, #"unknownNovelValue 9: Int of Rank, string "9""#, isHidden: true),
    RawRow(#""junk""#, nil, #"typeMismatch of Rank, string "junk""#),
    RawRow(#""""#, nil, #"typeMismatch of Rank, string """#),
    RawRow("1.5", nil, "dataCorrupted of Rank, number 1.5"),
    RawRow("[1]", nil, "typeMismatch of Rank, array"),
  ]

  @Test(arguments: levels, Format.allCases)
  func `a text becomes the case of an integer enum`(row: RawRow<Rank>, format: Format) throws {
    try row.verify(in: format)
  }

  static let plains: [RawRow<Scale>] = [
    RawRow("1", .small, nil),
    RawRow(#""1""#, .small, #"converted of Scale, string "1""#),
    RawRow("9", nil, "unknownNovelValue 9: Int of Scale, number 9"),
    RawRow(#""9""#, nil, #"unknownNovelValue 9: Int of Scale, string "9""#),
    RawRow(#""junk""#, nil, #"typeMismatch of Scale, string "junk""#),
  ]

  @Test(arguments: plains, Format.allCases)
  func `a text becomes the case of a plain enum`(row: RawRow<Scale>, format: Format) throws {
    try row.verify(in: format)
  }

  static let permissions: [RawRow<Permissions>] = [
    RawRow("8", [.manage], nil),
    RawRow(#""8""#, [.manage], #"converted of Permissions, string "8""#),
    RawRow(
      #""1099511627784""#, Permissions(rawValue: 1 << 40 | 8),
      #"converted of Permissions, string "1099511627784""#),
    RawRow(
      #""18446744073709551615""#, Permissions(rawValue: .max),
      #"converted of Permissions, string "18446744073709551615""#),
    RawRow(
      #""18446744073709551616""#, nil,
      #"typeMismatch of Permissions, string "18446744073709551616""#),
    RawRow(#""-1""#, nil, #"typeMismatch of Permissions, string "-1""#),
    RawRow(#""junk""#, nil, #"typeMismatch of Permissions, string "junk""#),
  ]

  @Test(arguments: permissions, Format.allCases)
  func `a text becomes an option set`(row: RawRow<Permissions>, format: Format) throws {
    try row.verify(in: format)
  }

  static let opens: [RawRow<Open<Rank>>] = [
    RawRow("1", .known(.low), nil),
    RawRow(#""1""#, .known(.low), #"converted of Rank, string "1""#),
    RawRow("9", .unknown(9), "unknownNovelValue 9: Int of Rank, number 9", isHidden: true),
    RawRow(#""9""#, .unknown(9), #"unknownNovelValue 9: Int of Rank, string "9""#, isHidden: true),
    RawRow(#""junk""#, nil, #"typeMismatch of Rank, string "junk""#),
  ]

  @Test(arguments: opens, Format.allCases)
  func `a text becomes an open value, known or not`(
    row: RawRow<Open<Rank>>, format: Format
  ) throws {
    try row.verify(in: format)
  }

  static let versions: [RawRow<Generation>] = [
    RawRow(#""1""#, .first, nil),
    RawRow("1", .first, "converted of Generation, number 1"),
    RawRow("7", nil, "unknownNovelValue 7: String of Generation, number 7", isHidden: true),
    RawRow(#""x""#, nil, #"unknownNovelValue x: String of Generation, string "x""#, isHidden: true),
    RawRow(
      "true", nil, "unknownNovelValue true: String of Generation, boolean true", isHidden: true),
    RawRow("{}", nil, "typeMismatch of Generation, object"),
  ]

  @Test(arguments: versions, Format.allCases)
  func `a number becomes the case of a string enum`(
    row: RawRow<Generation>, format: Format
  ) throws {
    try row.verify(in: format)
  }

  @Test func `a novel value of a frozen type stays visible`() throws {
    let (model, digest) = try Format.json.decode(LosslessModel<Gear?>.self, from: #"{"p": "9"}"#)
    #expect(model.p == nil)
    #expect(
      digest?.reports == [
        Report(
          "p", .unknownNovelValue, expecting: "ResilientDecodingTests.Gear", novel: "9", of: "Int")
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
struct RawRow<Value: Decodable & Equatable & Sendable>: Sendable, CustomTestStringConvertible {
  let payload: String
  let value: Value?
  let entry: String?
  let isHidden: Bool

  init(_ payload: String, _ value: Value?, _ entry: String?, isHidden: Bool = false) {
    self.payload = payload
    self.value = value
    self.entry = entry
    self.isHidden = isHidden || value != nil
  }

  var testDescription: String { payload }

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
    #expect(value(decoded.p) == self.value)
    #expect(digest?.entries.map(Self.inWords) == entry.map { [$0] })
    #expect(digest?.errors.count ?? 0 == (isHidden ? 0 : 1))
  }

  private static func inWords(_ entry: ErrorDigest.Entry) -> String {
    let novel = entry.novelValue.map { " \($0.text): \($0.type)" } ?? ""
    let type = entry.expectedType?.split(separator: ".").last ?? "?"
    return "\(entry.kind)\(novel) of \(type), \(entry.foundValue?.inWords ?? "nothing")"
  }
}

enum Rank: Int, ResilientRawRepresentable {
  case low = 1
  case high
}

enum Scale: Int, Decodable {
  case small = 1
  case large
}

enum Generation: String, ResilientRawRepresentable {
  case first = "1"
  case second = "2"
}

enum Gear: Int, ResilientRawRepresentable {
  case park = 1

  static var isFrozen: Bool { true }
}

enum Pedal: Int, ResilientRawRepresentable {
  case idle = 0

  static var decodingFallback: Self { .idle }
}

struct Permissions: OptionSet, Decodable {
  let rawValue: UInt64

  static let manage = Self(rawValue: 8)
}
