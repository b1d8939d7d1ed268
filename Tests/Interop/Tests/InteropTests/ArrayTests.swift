import ResilientDecoding
import Testing

struct ArrayTests {
  /// The rows that are the same for an array and for an optional one.
  private static func present<Value>(_ make: ([Int]) -> Value) -> [Row<Value>] {
    [
      Row("no elements", json: #"{"p": []}"#, yaml: "p: []", xml: "<r/>", make([]))
        .differing(in: .xml, because: "an array of no elements is not there", absent(make)),
      Row("one element", json: #"{"p": [1]}"#, yaml: "p: [1]", xml: "<r><p>1</p></r>", make([1])),
      Row(
        "elements",
        json: #"{"p": [1, 2]}"#,
        yaml: "p:\n- 1\n- 2",
        xml: "<r><p>1</p><p>2</p></r>",
        make([1, 2])
      ),
      Row(
        "text",
        json: #"{"p": "x"}"#,
        yaml: "p: x",
        xml: "<r><p>x</p></r>",
        make([]),
        Report("p", .typeMismatch, expecting: "Array<Int>")
      ).differing(
        in: .xml,
        because: "one element is an array of one",
        make([]),
        Report("p[0]", .typeMismatch, expecting: "Int")
      ),
      Row(
        "a dictionary",
        json: #"{"p": {"a": 1}}"#,
        yaml: "p: {a: 1}",
        xml: "<r><p><a>1</a></p></r>",
        make([]),
        Report("p", .typeMismatch, expecting: "Array<Int>")
      ).differing(
        in: .xml,
        because: "it is an array of one element, which has no text",
        make([]),
        Report("p[0]", .valueNotFound, expecting: "Int")
      ),
      Row(
        "an attribute",
        json: #"{"p": 1}"#,
        yaml: "p: 1",
        xml: #"<r p="1"/>"#,
        make([]),
        Report("p", .typeMismatch, expecting: "Array<Int>")
      ),
      Row(
        "bad elements",
        json: #"{"p": [1, "x", "y", 4, [5], {"a": 6}, 7]}"#,
        yaml: "p: [1, x, y, 4, [5], {a: 6}, 7]",
        xml: "<r><p>1</p><p>x</p><p>y</p><p>4</p><p><q>5</q></p><p><a>6</a></p><p>7</p></r>",
        make([1, 4, 7]),
        Report("p[1]", .typeMismatch, expecting: "Int"),
        Report("p[2]", .typeMismatch, expecting: "Int"),
        Report("p[4]", .typeMismatch, expecting: "Int"),
        Report("p[5]", .typeMismatch, expecting: "Int")
      ).differing(
        in: .xml,
        because: "an element that has elements has no text",
        make([1, 4, 7]),
        Report("p[1]", .typeMismatch, expecting: "Int"),
        Report("p[2]", .typeMismatch, expecting: "Int"),
        Report("p[4]", .valueNotFound, expecting: "Int"),
        Report("p[5]", .valueNotFound, expecting: "Int")
      ),
      Row(
        "nothing but nulls",
        json: #"{"p": [null, null]}"#,
        yaml: "p: [null, ~]",
        xml: "<r><p/><p/></r>",
        make([]),
        Report("p[0]", .valueNotFound, expecting: "Int"),
        Report("p[1]", .valueNotFound, expecting: "Int")
      ),
    ]
  }

  /// What an array that is not there is: no elements, or nil.
  private static func absent<Value>(_ make: ([Int]) -> Value) -> Value {
    (Value.self as? any ExpressibleByNilLiteral.Type).map { $0.init(nilLiteral: ()) as! Value }
      ?? make([])
  }

  private static func missing<Value>(_ make: ([Int]) -> Value) -> [Row<Value>] {
    [
      Row("no key", json: "{}", yaml: "{}", xml: "<r/>", absent(make)),
      Row("null", json: #"{"p": null}"#, yaml: "p:", xml: "<r><p/></r>", absent(make))
        .differing(
          in: .xml,
          because: "there is no null: it is an array of one element, which is empty",
          make([]),
          Report("p[0]", .valueNotFound, expecting: "Int")
        ),
    ]
  }

  static let arrays: [Row<[Int]>] = missing { $0 } + present { $0 }
  static let optionalArrays: [Row<[Int]?>] = missing { $0 } + present { $0 }

  @Test(arguments: arrays, Way.all)
  func `an array misses what cannot be decoded`(row: Row<[Int]>, way: Way) throws {
    try row.verify(ArrayModel.self, way, \.p)
    try row.verify(GenericModel<[Int]>.self, way, \.p)
  }

  @Test(arguments: optionalArrays, Way.all)
  func `an optional array is nil only when there is none`(row: Row<[Int]?>, way: Way) throws {
    try row.verify(OptionalArrayModel.self, way, \.p)
    try row.verify(GenericModel<[Int]?>.self, way, \.p)
  }

  static let items: [Row<[Item]>] = [
    Row(
      "a key missing deep in an element",
      json: """
        {"items": [
          {"id": 0, "address": {"zip": 10}},
          {"id": 1, "address": {"city": 11}},
          {"id": 2, "address": {"zip": "x"}},
          {"id": 3, "address": {"zip": 13}}
        ]}
        """,
      yaml: """
        items:
        - id: 0
          address: {zip: 10}
        - id: 1
          address: {city: 11}
        - id: 2
          address: {zip: x}
        - id: 3
          address: {zip: 13}
        """,
      xml: """
        <r>
          <items><id>0</id><address><zip>10</zip></address></items>
          <items><id>1</id><address><city>11</city></address></items>
          <items><id>2</id><address><zip>x</zip></address></items>
          <items><id>3</id><address><zip>13</zip></address></items>
        </r>
        """,
      [Item(id: 0, zip: 10), Item(id: 3, zip: 13)],
      Report("items[1].address.zip", recoveredAt: "items[1]", .keyNotFound),
      Report("items[2].address.zip", recoveredAt: "items[2]", .typeMismatch, expecting: "Int")
    )
  ]

  @Test(arguments: items, Way.all)
  func `an element is dropped for what is deep in it`(row: Row<[Item]>, way: Way) throws {
    try row.verify(Order.self, way, \.items)
  }

  static let clumsy: [Row<[Clumsy]>] = [
    Row(
      "every kind of element",
      json: #"{"p": [1, null, "x", [], {"a": 1}]}"#,
      yaml: "p: [1, null, x, [], {a: 1}]",
      xml: "<r><p>1</p><p/><p>x</p><p></p><p><a>1</a></p></r>",
      [],
      Report("p[0]", .other, expecting: "InteropTests.Clumsy"),
      Report("p[1]", .other, expecting: "InteropTests.Clumsy"),
      Report("p[2]", .other, expecting: "InteropTests.Clumsy"),
      Report("p[3]", .other, expecting: "InteropTests.Clumsy"),
      Report("p[4]", .other, expecting: "InteropTests.Clumsy")
    )
  ]

  @Test(arguments: clumsy, Way.all)
  func `the walk goes on behind whatever an element throws`(
    row: Row<[Clumsy]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[Clumsy]>.self, way, \.p)
  }
}

private struct ArrayModel: Decodable {
  @Resilient var p: [Int]
}

private struct OptionalArrayModel: Decodable {
  @Resilient var p: [Int]?
}

private struct Order: Decodable {
  @Resilient var items: [Item]
}

/// Always throws an error that is not of decoding.
struct Clumsy: Decodable, Equatable {
  struct Mishap: Error {}

  init(from decoder: any Decoder) throws { throw Mishap() }
}
