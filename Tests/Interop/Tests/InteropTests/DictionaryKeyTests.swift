import ResilientDecoding
import Testing

struct DictionaryKeyTests {
  @Test func `a key that isn't a number is left out`() throws {
    let rows: [Row<[Int: Int]>] = [
      Row(#"{"p": {"1": 1}}"#, xml: "<r><p><_1>1</_1></p></r>", [1: 1]).differing(
        in: .xml, because: "the name of an element does not begin with a digit", [:],
        "p{_1}: dataCorrupted Int"),
      Row(#"{"p": {"z": 1}}"#, [:], "p{z}: dataCorrupted Int"),
    ]
    try verify(rows, GenericModel<[Int: Int]>.self, \.p)
  }

  @Test func `a key that isn't a case of its type is left out`() throws {
    let rows: [Row<[Wing: Int]>] = [
      Row(#"{"p": {"left": 1, "right": "x"}}"#, [.left: 1], "p{right}: typeMismatch Int"),
      Row(#"{"p": {"left": 1, "up": 3}}"#, [.left: 1], "p{up}: unknownNovelValue Wing = up"),
    ]
    try verify(rows, GenericModel<[Wing: Int]>.self, \.p)
  }

  @Test func `of an array under such a key only the bad leaf is missing`() throws {
    let rows: [Row<[Wing: [Int]]>] = [
      Row(
        #"{"p": {"left": [1, "x", 3], "up": [4, 5]}}"#, [.left: [1, 3]],
        "p{left}[1]: typeMismatch Int", "p{up}: unknownNovelValue Wing = up")
    ]
    try verify(rows, GenericModel<[Wing: [Int]]>.self, \.p)
  }
}

enum Wing: String, CodingKeyRepresentable, Decodable {
  case left
  case right
}
