import ResilientDecoding
import Testing

struct DictionaryTests {
  /// The rows that are the same for a dictionary and for an optional one.
  private static func present<Value>(_ make: ([String: Int]) -> Value) -> [Row<Value>] {
    [
      Row(
        "entries",
        json: #"{"p": {"a": 1, "snake_case": 2}}"#,
        yaml: "p:\n  a: 1\n  snake_case: 2",
        xml: "<r><p><a>1</a><snake_case>2</snake_case></p></r>",
        make(["a": 1, "snake_case": 2])
      ),
      Row(
        "an attribute",
        json: #"{"p": {"a": 1, "b": 2}}"#,
        yaml: "p: {a: 1, b: 2}",
        xml: #"<r><p a="1"><b>2</b></p></r>"#,
        make(["a": 1, "b": 2])
      ),
      Row(
        "bad entries",
        json: #"{"p": {"a": 1, "b": "x", "c": [3], "d": 4}}"#,
        yaml: "p: {a: 1, b: x, c: [3], d: 4}",
        xml: "<r><p><a>1</a><b>x</b><c><q>3</q></c><d>4</d></p></r>",
        make(["a": 1, "d": 4]),
        Report("p.b", .typeMismatch, expecting: "Int"),
        Report("p.c", .typeMismatch, expecting: "Int")
      ).differing(
        in: .xml,
        because: "an element that has elements has no text",
        make(["a": 1, "d": 4]),
        Report("p.b", .typeMismatch, expecting: "Int"),
        Report("p.c", .valueNotFound, expecting: "Int")
      ),
      Row(
        "an entry that is null",
        json: #"{"p": {"a": null}}"#,
        yaml: "p: {a: ~}",
        xml: "<r><p><a/></p></r>",
        make([:]),
        Report("p.a", .valueNotFound, expecting: "Int")
      ),
      Row(
        "text",
        json: #"{"p": "x"}"#,
        yaml: "p: x",
        xml: "<r><p>x</p></r>",
        make([:]),
        Report("p", .typeMismatch, expecting: "Dictionary<String, Int>")
      ).differing(
        in: .xml,
        because: "the text of an element is its entry of the empty name",
        make([:]),
        Report(#"p[""]"#, .typeMismatch, expecting: "Int")
      ),
      Row(
        "an array",
        json: #"{"p": [1, 2]}"#,
        yaml: "p: [1, 2]",
        xml: "<r><p>1</p><p>2</p></r>",
        make([:]),
        Report("p", .typeMismatch, expecting: "Dictionary<String, Int>")
      ).differing(
        in: .xml,
        because: "of repeated elements the first one is taken, and its text",
        make(["": 1])
      ),
      Row(
        "entries that are arrays",
        json: #"{"p": {"a": ["x", "y"], "b": [1, 2]}}"#,
        yaml: "p: {a: [x, y], b: [1, 2]}",
        xml: "<r><p><a>x</a><a>y</a><b>1</b><b>2</b></p></r>",
        make([:]),
        Report("p.a", .typeMismatch, expecting: "Int"),
        Report("p.b", .typeMismatch, expecting: "Int")
      ).differing(
        in: .xml,
        because: "of repeated elements the first one is taken, as often as there are some",
        make(["b": 1]),
        Report("p.a", .typeMismatch, expecting: "Int"),
        Report("p.a", .typeMismatch, expecting: "Int")
      ),
    ]
  }

  /// The rows that differ for an optional dictionary, and in XML by the type of the property.
  private static func missing<Value>(
    _ make: ([String: Int]) -> Value,
    absent: Value,
    emptyElement: Report
  ) -> [Row<Value>] {
    [
      Row("no key", json: "{}", yaml: "{}", xml: "<r/>", absent),
      Row("null", json: #"{"p": null}"#, yaml: "p: null", xml: "<r><p/></r>", absent)
        .differing(
          in: .xml, because: "there is no null: it is an empty element", make([:]), emptyElement),
      Row("no entries", json: #"{"p": {}}"#, yaml: "p: {}", xml: "<r><p/></r>", make([:]))
        .differing(in: .xml, because: "an empty element has no names", make([:]), emptyElement),
    ]
  }

  /// Of a property that the compiler knows to be a dictionary.
  private static let noDictionary = Report("p", .typeMismatch, expecting: "Dictionary<String, Int>")

  /// Of a property of a generic type: an empty element is taken for one with an empty text.
  private static let noNumber = Report(#"p[""]"#, .typeMismatch, expecting: "Int")

  static let dictionaries: [Row<[String: Int]>] =
    missing({ $0 }, absent: [:], emptyElement: noDictionary) + present { $0 }

  static let genericDictionaries: [Row<[String: Int]>] =
    missing({ $0 }, absent: [:], emptyElement: noNumber) + present { $0 }

  static let optionalDictionaries: [Row<[String: Int]?>] =
    missing({ $0 }, absent: nil, emptyElement: noDictionary) + present { $0 }

  static let genericOptionalDictionaries: [Row<[String: Int]?>] =
    missing({ $0 }, absent: nil, emptyElement: noNumber) + present { $0 }

  @Test(arguments: dictionaries, Way.all)
  func `a dictionary misses what cannot be decoded`(
    row: Row<[String: Int]>,
    way: Way
  ) throws {
    try row.verify(DictionaryModel.self, way, \.p)
  }

  @Test(arguments: genericDictionaries, Way.all)
  func `a dictionary of a generic model misses what cannot be decoded`(
    row: Row<[String: Int]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[String: Int]>.self, way, \.p)
  }

  @Test(arguments: optionalDictionaries, Way.all)
  func `an optional dictionary is nil only when there is none`(
    row: Row<[String: Int]?>,
    way: Way
  ) throws {
    try row.verify(OptionalDictionaryModel.self, way, \.p)
  }

  @Test(arguments: genericOptionalDictionaries, Way.all)
  func `an optional dictionary of a generic model is nil only when there is none`(
    row: Row<[String: Int]?>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[String: Int]?>.self, way, \.p)
  }

  static let items: [Row<[String: Item]>] = [
    Row(
      "a key missing deep in an entry",
      json: """
        {"p": {
          "a": {"id": 0, "address": {"city": 1}},
          "b": {"id": 1, "address": {"zip": 2}}
        }}
        """,
      yaml: """
        p:
          a:
            id: 0
            address: {city: 1}
          b:
            id: 1
            address: {zip: 2}
        """,
      xml: """
        <r><p>
          <a><id>0</id><address><city>1</city></address></a>
          <b><id>1</id><address><zip>2</zip></address></b>
        </p></r>
        """,
      ["b": Item(id: 1, zip: 2)],
      Report("p.a.address.zip", recoveredAt: "p.a", .keyNotFound)
    )
  ]

  @Test(arguments: items, Way.all)
  func `an entry is dropped for what is deep in it`(row: Row<[String: Item]>, way: Way) throws {
    try row.verify(GenericModel<[String: Item]>.self, way, \.p)
  }
}

private struct DictionaryModel: Decodable {
  @Resilient var p: [String: Int]
}

private struct OptionalDictionaryModel: Decodable {
  @Resilient var p: [String: Int]?
}
