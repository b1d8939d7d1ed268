import ResilientDecoding
import Testing

struct ResilientRawRepresentableElementsTests {
  /// The result of decoding `["…", "novel", 5, null]`, where the first is a known value.
  private static func arrayRow<R: Equatable & Sendable, Value>(
    of value: R,
    known: String,
    isFrozen: Bool,
    _ make: ([R]) -> Value
  ) -> Row<Value> {
    Row(
      #"["\#(known)", "novel", 5, null]"#,
      make([value]),
      "recoveredFrom(ArrayDecodingError, wasReported: false)",
      visible: isFrozen ? 3 : 2,
      Report(
        "p[1]",
        pattern: "p[]",
        .unknownNovelValue,
        expecting: "ResilientDecodingTests.\(R.self)",
        novel: "novel",
        of: "String"
      ),
      Report(
        "p[2]", pattern: "p[]", .typeMismatch, expecting: "ResilientDecodingTests.\(R.self)"),
      Report(
        "p[3]", pattern: "p[]", .valueNotFound, expecting: "ResilientDecodingTests.\(R.self)")
    )
  }

  /// The result of decoding `{"a": "…", "b": "novel", "c": 5, "d": null}`.
  private static func dictionaryRow<R: Equatable & Sendable, Value>(
    of value: R,
    known: String,
    isFrozen: Bool,
    _ make: ([String: R]) -> Value
  ) -> Row<Value> {
    Row(
      #"{"a": "\#(known)", "b": "novel", "c": 5, "d": null}"#,
      make(["a": value]),
      "recoveredFrom(DictionaryDecodingError, wasReported: false)",
      visible: isFrozen ? 3 : 2,
      Report(
        "p.b",
        pattern: "p.*",
        .unknownNovelValue,
        expecting: "ResilientDecodingTests.\(R.self)",
        novel: "novel",
        of: "String"
      ),
      Report(
        "p.c", pattern: "p.*", .typeMismatch, expecting: "ResilientDecodingTests.\(R.self)"),
      Report(
        "p.d", pattern: "p.*", .valueNotFound, expecting: "ResilientDecodingTests.\(R.self)")
    )
  }

  @Test(arguments: Format.allCases)
  func `elements are left out of an array`(format: Format) throws {
    try Self.arrayRow(of: Kind.flat, known: "flat", isFrozen: false) { $0 }
      .verify(Kinds.self, in: format)
    try Self.arrayRow(of: Kind.flat, known: "flat", isFrozen: false) { $0 }
      .verify(GenericModel<[Kind]>.self, in: format)
    try Self.arrayRow(of: Side.left, known: "left", isFrozen: true) { $0 }
      .verify(Sides.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `elements are left out of an optional array`(format: Format) throws {
    try Self.arrayRow(of: Kind.flat, known: "flat", isFrozen: false) { Optional($0) }
      .verify(OptionalKinds.self, in: format)
    try Self.arrayRow(of: Kind.flat, known: "flat", isFrozen: false) { Optional($0) }
      .verify(GenericModel<[Kind]?>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `entries are left out of a dictionary`(format: Format) throws {
    try Self.dictionaryRow(of: Kind.flat, known: "flat", isFrozen: false) { $0 }
      .verify(KindsByName.self, in: format)
    try Self.dictionaryRow(of: Kind.flat, known: "flat", isFrozen: false) { $0 }
      .verify(GenericModel<[String: Kind]>.self, in: format)
    try Self.dictionaryRow(of: Side.left, known: "left", isFrozen: true) { $0 }
      .verify(SidesByName.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `entries are left out of an optional dictionary`(format: Format) throws {
    try Self.dictionaryRow(of: Kind.flat, known: "flat", isFrozen: false) { Optional($0) }
      .verify(OptionalKindsByName.self, in: format)
    try Self.dictionaryRow(of: Kind.flat, known: "flat", isFrozen: false) { Optional($0) }
      .verify(GenericModel<[String: Kind]?>.self, in: format)
  }

  @Test(arguments: Format.allCases)
  func `a fallback is never used for an element`(format: Format) throws {
    try Self.arrayRow(of: Mood.calm, known: "calm", isFrozen: false) { $0 }
      .verify(Moods.self, in: format)
    try Self.arrayRow(of: Mood.calm, known: "calm", isFrozen: false) { $0 }
      .verify(GenericModel<[Mood]>.self, in: format)
    try Self.arrayRow(of: Coin.heads, known: "heads", isFrozen: true) { $0 }
      .verify(GenericModel<[Coin]>.self, in: format)
    try Self.arrayRow(of: Mood.calm, known: "calm", isFrozen: false) { Optional($0) }
      .verify(GenericModel<[Mood]?>.self, in: format)
    try Self.dictionaryRow(of: Mood.calm, known: "calm", isFrozen: false) { $0 }
      .verify(MoodsByName.self, in: format)
    try Self.dictionaryRow(of: Mood.calm, known: "calm", isFrozen: false) { $0 }
      .verify(GenericModel<[String: Mood]>.self, in: format)
    try Self.dictionaryRow(of: Coin.heads, known: "heads", isFrozen: true) { Optional($0) }
      .verify(GenericModel<[String: Coin]?>.self, in: format)
  }
}

private struct Kinds: PropertyModel {
  @Resilient var p: [Kind]
  var property: Resilient<[Kind]> { _p }
}

private struct OptionalKinds: PropertyModel {
  @Resilient var p: [Kind]?
  var property: Resilient<[Kind]?> { _p }
}

private struct Sides: PropertyModel {
  @Resilient var p: [Side]
  var property: Resilient<[Side]> { _p }
}

private struct Moods: PropertyModel {
  @Resilient var p: [Mood]
  var property: Resilient<[Mood]> { _p }
}

private struct KindsByName: PropertyModel {
  @Resilient var p: [String: Kind]
  var property: Resilient<[String: Kind]> { _p }
}

private struct OptionalKindsByName: PropertyModel {
  @Resilient var p: [String: Kind]?
  var property: Resilient<[String: Kind]?> { _p }
}

private struct SidesByName: PropertyModel {
  @Resilient var p: [String: Side]
  var property: Resilient<[String: Side]> { _p }
}

private struct MoodsByName: PropertyModel {
  @Resilient var p: [String: Mood]
  var property: Resilient<[String: Mood]> { _p }
}
