import ResilientDecoding
import Testing

struct SetTests {
  @Test func `a set misses what cannot be decoded`() throws {
    let rows: [Row<Set<Int>>] = [
      Row(
        #"{"p": [1, "x", null, 1, 5]}"#, [1, 5], "p[1]: typeMismatch Int", "p[2]: valueNotFound Int"
      ),
      Row("{}", []),
      Row(#"{"p": "x"}"#, [], "p: typeMismatch Set<Int>").differing(
        in: .xml, because: "one element is a set of one", [], "p[0]: typeMismatch Int"),
    ]
    try verify(rows, SetModel.self, \.p)
    try verify(rows, GenericModel<Set<Int>>.self, \.p)
  }
}

private struct SetModel: Decodable {
  @Resilient var p: Set<Int>
}
