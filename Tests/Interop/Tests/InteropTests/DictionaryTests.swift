import ResilientDecoding
import Testing

struct DictionaryTests {
  /// The rows that are the same for a dictionary and for an optional one.
  private static func present<Value>(_ make: ([String: Int]) -> Value) -> [Row<Value>] {
    [
      Row(#"{"p": {"a": 1, "snake_case": 2}}"#, make(["a": 1, "snake_case": 2])),
      Row(
        #"{"p": {"a": 1, "b": 2}}"#, xml: #"<r><p a="1"><b>2</b></p></r>"#, make(["a": 1, "b": 2])),
      Row(
        #"{"p": {"a": 1, "b": "x", "c": [3], "d": 4}}"#,
        xml: "<r><p><a>1</a><b>x</b><c><q>3</q></c><d>4</d></p></r>", make(["a": 1, "d": 4]),
        "p{b}: typeMismatch Int", "p{c}: typeMismatch Int"
      ).differing(
        in: .xml, because: "an element that has elements has no text", make(["a": 1, "d": 4]),
        "p{b}: typeMismatch Int", "p{c}: valueNotFound Int"),
      Row(#"{"p": {"a": null}}"#, make([:]), "p{a}: valueNotFound Int"),
      Row(#"{"p": "x"}"#, make([:]), "p: typeMismatch Dictionary<String, Int>").differing(
        in: .xml, because: "the text of an element is its entry of the empty name", make([:]),
        "p{}: typeMismatch Int"),
      Row(#"{"p": [1, 2]}"#, make([:]), "p: typeMismatch Dictionary<String, Int>").differing(
        in: .xml, because: "of repeated elements the first one is taken, and its text",
        make(["": 1])),
      Row(
        #"{"p": {"a": ["x", "y"], "b": [1, 2]}}"#, make([:]), "p{a}: typeMismatch Int",
        "p{b}: typeMismatch Int"
      ).differing(
        in: .xml,
        because: "of repeated elements the first one is taken, as often as there are some",
        make(["b": 1]), "p{a}: typeMismatch Int", "p{a}: typeMismatch Int"),
    ]
  }

  /// The rows that differ for an optional dictionary, and in XML by the type of the property.
  private static func missing<Value>(
    _ make: ([String: Int]) -> Value,
    absent: Value,
    emptyElement: String
  ) -> [Row<Value>] {
    [
      Row("{}", absent),
      Row(#"{"p": null}"#, absent).differing(
        in: .xml, because: "there is no null: it is an empty element", make([:]), emptyElement),
      Row(#"{"p": {}}"#, make([:])).differing(
        in: .xml, because: "an empty element has no names", make([:]), emptyElement),
    ]
  }

  /// Of a property that the compiler knows to be a dictionary.
  private static let noDictionary = "p: typeMismatch Dictionary<String, Int>"

  /// Of a property of a generic type: an empty element is taken for one with an empty text.
  private static let noNumber = "p{}: typeMismatch Int"

  @Test func `a dictionary misses what cannot be decoded`() throws {
    try verify(
      Self.missing({ $0 }, absent: [:], emptyElement: Self.noDictionary) + Self.present { $0 },
      DictionaryModel.self, \.p)
    try verify(
      Self.missing({ $0 }, absent: [:], emptyElement: Self.noNumber) + Self.present { $0 },
      GenericModel<[String: Int]>.self, \.p)
  }

  @Test func `an optional dictionary is nil only when there is none`() throws {
    try verify(
      Self.missing({ $0 }, absent: nil, emptyElement: Self.noDictionary) + Self.present { $0 },
      OptionalDictionaryModel.self, \.p)
    try verify(
      Self.missing({ $0 }, absent: nil, emptyElement: Self.noNumber) + Self.present { $0 },
      GenericModel<[String: Int]?>.self, \.p)
  }

  @Test func `an entry is dropped for what is deep in it`() throws {
    let rows: [Row<[String: Item]>] = [
      Row(
        #"{"p": {"a": {"id": 0, "address": {"city": 1}}, "b": {"id": 1, "address": {"zip": 2}}}}"#,
        ["b": Item(id: 1, zip: 2)], "p{a}/address.zip: keyNotFound")
    ]
    try verify(rows, GenericModel<[String: Item]>.self, \.p)
  }
}

private struct DictionaryModel: Decodable {
  @Resilient var p: [String: Int]
}

private struct OptionalDictionaryModel: Decodable {
  @Resilient var p: [String: Int]?
}
