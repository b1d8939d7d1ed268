import ResilientDecoding
import Testing

struct NestingTests {
  @Test func `of an array in an array only the bad leaf is missing`() throws {
    let rows: [Row<[[Int]]>] = [
      Row(#"{"p": [[1, "x"], [3, 4]]}"#, [[1], [3, 4]], "p[0][1]: typeMismatch Int")
    ]
    try verify(rows, ArraysModel.self, \.p)
    try verify(rows, GenericModel<[[Int]]>.self, \.p)
  }

  @Test func `of an array in a dictionary only the bad leaf is missing`() throws {
    let rows: [Row<[String: [Int]]>] = [
      Row(
        #"{"p": {"a": [1, "x", 3], "b": [2, 3]}}"#, ["a": [1, 3], "b": [2, 3]],
        "p{a}[1]: typeMismatch Int"),
      Row(#"{"p": {"of_snakes": [1, 2]}}"#, ["of_snakes": [1, 2]]),
      Row(
        #"{"p": {"a": 5, "b": null}}"#, [:], "p{a}: typeMismatch Array<Int>",
        "p{b}: valueNotFound Array<Int>"
      ).differing(
        in: .xml, because: "one element is an array of one", ["a": [5], "b": []],
        "p{b}[0]: valueNotFound Int"),
      Row(#"{"p": 5}"#, [:], "p: typeMismatch Dictionary<String, Array<Int>>").differing(
        in: .xml, because: "the text of an element is its entry of the empty name", ["": [5]]),
    ]
    try verify(rows, GenericModel<[String: [Int]]>.self, \.p)
  }

  @Test func `of an optional array in a dictionary only the bad leaf is missing`() throws {
    let rows: [Row<[String: [Int]?]>] = [
      Row(
        #"{"p": {"a": [1, "x"], "b": null, "c": 5}}"#, ["a": [1], "b": nil, "c": nil],
        "p{a}[1]: typeMismatch Int", "p{c}: typeMismatch Array<Int>"
      ).differing(
        in: .xml, because: "one element is an array of one, also when it is empty",
        ["a": [1], "b": [], "c": [5]], "p{a}[1]: typeMismatch Int", "p{b}[0]: valueNotFound Int")
    ]
    try verify(rows, GenericModel<[String: [Int]?]>.self, \.p)
  }

  @Test func `of what is nested deeper only the bad leaf is missing`() throws {
    let rows: [Row<[String: [String: [[Int]]]]>] = [
      Row(
        #"{"p": {"a": {"b": [[1, "x"], [3]]}}}"#, ["a": ["b": [[1], [3]]]],
        "p{a}{b}[0][1]: typeMismatch Int")
    ]
    try verify(rows, GenericModel<[String: [String: [[Int]]]]>.self, \.p)
  }

  @Test func `of a dictionary in an array only the bad leaf is missing`() throws {
    let rows: [Row<[[String: Int]]>] = [
      Row(
        #"{"p": [{"a": 1, "b": "x"}, {"c": 3}]}"#, [["a": 1], ["c": 3]], "p[0]{b}: typeMismatch Int"
      )
    ]
    try verify(rows, GenericModel<[[String: Int]]>.self, \.p)
  }

  @Test func `an element of a model in an array has the path of both`() throws {
    let rows: [Row<[Line]>] = [
      Row(
        #"{"p": [{"cells": [1, "x"]}, {"cells": ["y", 4]}, {"cell": 0}]}"#,
        [Line(cells: [1]), Line(cells: [4]), Line(cells: [])], "p[0].cells[1]: typeMismatch Int",
        "p[1].cells[0]: typeMismatch Int")
    ]
    try verify(rows, GenericModel<[Line]>.self, \.p)
  }

  @Test func `the whole document can be resilient`() throws {
    let rows: [Row<[Int]>] = [
      Row(#"[1, "x", 3]"#, yaml: "- 1\n- x\n- 3", [1, 3], "[1]: typeMismatch Int"),
      Row(#"{"a": 1, "b": 2}"#, [], ": typeMismatch Array<Int>").differing(
        in: .xml, because: "the names of the elements do not matter", [1, 2]),
    ]
    try verify(rows, Resilient<[Int]>.self, \.wrappedValue)
  }

  @Test func `an element of the document is dropped for what is deep in it`() throws {
    let rows: [Row<[Item]>] = [
      Row(
        #"[{"id": 0, "address": {"city": 1}}, {"id": 1, "address": {"zip": 2}}]"#,
        [Item(id: 1, zip: 2)], "[0]/address.zip: keyNotFound"
      ).differing(
        in: .xml,
        because: "such an element is tried in three ways, and the error is that of the last one",
        [Item(id: 1, zip: 2)], "[0]: typeMismatch Item")
    ]
    try verify(rows, Resilient<[Item]>.self, \.wrappedValue)
  }
}

private struct ArraysModel: Decodable {
  @Resilient var p: [[Int]]
}

/// A model that loses elements of its own.
struct Line: Decodable, Hashable {
  @Resilient var cells: [Int]
}
