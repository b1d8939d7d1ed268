import ResilientDecoding
import Testing

struct ArrayTests {
  /// The rows that are the same for an array and for an optional one.
  private static func present<Value>(_ make: ([Int]) -> Value) -> [Row<Value>] {
    [
      Row(#"{"p": []}"#, make([])).differing(
        in: .xml, because: "an array of no elements is not there", absent(make)),
      Row(#"{"p": [1]}"#, make([1])),
      Row(#"{"p": [1, 2]}"#, make([1, 2])),
      Row(#"{"p": "x"}"#, make([]), "p: typeMismatch Array<Int>").differing(
        in: .xml, because: "one element is an array of one", make([]), "p[0]: typeMismatch Int"),
      Row(#"{"p": {"a": 1}}"#, make([]), "p: typeMismatch Array<Int>").differing(
        in: .xml, because: "it is an array of one element, which has no text", make([]),
        "p[0]: valueNotFound Int"),
      Row(#"{"p": 1}"#, xml: #"<r p="1"/>"#, make([]), "p: typeMismatch Array<Int>"),
      Row(
        #"{"p": [1, "x", "y", 4, [5], {"a": 6}, 7]}"#, make([1, 4, 7]), "p[1]: typeMismatch Int",
        "p[2]: typeMismatch Int", "p[4]: typeMismatch Int", "p[5]: typeMismatch Int"
      ).differing(
        in: .xml, because: "an element that has elements has no text", make([1, 4, 7]),
        "p[1]: typeMismatch Int", "p[2]: typeMismatch Int", "p[4]: valueNotFound Int",
        "p[5]: valueNotFound Int"),
      Row(#"{"p": [null, null]}"#, make([]), "p[0]: valueNotFound Int", "p[1]: valueNotFound Int"),
    ]
  }

  /// What an array that is not there is: no elements, or nil.
  private static func absent<Value>(_ make: ([Int]) -> Value) -> Value {
    (Value.self as? any ExpressibleByNilLiteral.Type).map { $0.init(nilLiteral: ()) as! Value }
      ?? make([])
  }

  private static func missing<Value>(_ make: ([Int]) -> Value) -> [Row<Value>] {
    [
      Row("{}", absent(make)),
      Row(#"{"p": null}"#, absent(make)).differing(
        in: .xml, because: "there is no null: it is an array of one element, which is empty",
        make([]), "p[0]: valueNotFound Int"),
    ]
  }

  @Test func `an array misses what cannot be decoded`() throws {
    let rows: [Row<[Int]>] = Self.missing { $0 } + Self.present { $0 }
    try verify(rows, ArrayModel.self, \.p)
    try verify(rows, GenericModel<[Int]>.self, \.p)
  }

  @Test func `an optional array is nil only when there is none`() throws {
    let rows: [Row<[Int]?>] = Self.missing { $0 } + Self.present { $0 }
    try verify(rows, OptionalArrayModel.self, \.p)
    try verify(rows, GenericModel<[Int]?>.self, \.p)
  }

  @Test func `an element is dropped for what is deep in it`() throws {
    let rows: [Row<[Item]>] = [
      Row(
        #"""
        {"items": [{"id": 0, "address": {"zip": 10}}, {"id": 1, "address": {"city": 11}},
          {"id": 2, "address": {"zip": "x"}}, {"id": 3, "address": {"zip": 13}}]}
        """#,
        [Item(id: 0, zip: 10), Item(id: 3, zip: 13)], "items[1]/address.zip: keyNotFound",
        "items[2]/address.zip: typeMismatch Int")
    ]
    try verify(rows, Order.self, \.items)
  }

  @Test func `the walk goes on behind whatever an element throws`() throws {
    let rows: [Row<[Clumsy]>] = [
      Row(
        #"{"p": [1, null, "x", [], {"a": 1}]}"#, [], "p[0]: other Clumsy", "p[1]: other Clumsy",
        "p[2]: other Clumsy", "p[3]: other Clumsy", "p[4]: other Clumsy")
    ]
    try verify(rows, GenericModel<[Clumsy]>.self, \.p)
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
