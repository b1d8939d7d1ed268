import ResilientDecoding
import Testing

/// What is found where scalars have no types is a guess: a number is text that looks like one.
struct FoundValueTests {
  private static let booleans: [Row<Found>] = [
    Row(#"{"p": ["x"]}"#, Found(.string, "x"), mismatch),
    Row(#"{"p": [""]}"#, Found(.string, ""), mismatch).differing(
      in: .xml, because: "an empty element holds no boolean", Found(.string, ""), missing),
    Row(#"{"p": [null]}"#, Found(.null), missing).differing(
      in: .xml, because: "there is no null, but an empty text", Found(.string, ""), missing),
    Row(#"{"p": [5]}"#, Found(.number, "5"), mismatch),
    Row(#"{"p": ["5"]}"#, Found(.string, "5"), mismatch).differing(
      in: .xml, because: "a number is text of digits", Found(.number, "5"), mismatch),
    Row(#"{"p": [1.10]}"#, xml: "<r><p>1.10</p></r>", Found(.number, "1.1"), mismatch).differing(
      in: .yaml, .xml, because: "each scalar can be read as text, as it is", Found(.number, "1.10"),
      mismatch),
    Row(#"{"p": [[true]]}"#, Found(.array), "p[0]: typeMismatch Bool").differing(
      in: .xml, because: "an element of elements is an object", Found(.object), missing),
    Row(#"{"p": [{"a": true}]}"#, Found(.object), "p[0]: typeMismatch Bool").differing(
      in: .xml, because: "an element that has elements has no text", Found(.object), missing),
  ]

  private static let mismatch = "p[0]: typeMismatch Bool"
  private static let missing = "p[0]: valueNotFound Bool"

  @Test func `what is there instead of a boolean is told`() throws {
    try verifyEntries(Self.booleans, GenericModel<[Bool]>.self) { _, entries in Found(in: entries) }
  }

  @Test func `what is there instead of a number is told`() throws {
    let rows: [Row<Found>] = [
      Row(#"{"p": [true]}"#, Found(.boolean, "true"), "p[0]: typeMismatch Int"),
      Row(#"{"p": ["yes"]}"#, yaml: "p: [yes]", Found(.string, "yes"), "p[0]: typeMismatch Int")
        .differing(
          in: .yaml, .xml, because: "`yes` is a boolean", Found(.boolean, "yes"),
          "p[0]: typeMismatch Int"),
    ]
    try verifyEntries(rows, GenericModel<[Int]>.self) { _, entries in Found(in: entries) }
  }

  @Test func `it is looked for where the error happened`() throws {
    let rows: [Row<Found>] = [
      Row(
        #"{"p": [{"id": 1, "address": {"zip": "x"}}]}"#, Found(.string, "x"),
        "p[0]/address.zip: typeMismatch Int"),
      Row(
        #"{"p": [{"id": 1, "address": {"city": "x"}}]}"#, Found(nil),
        "p[0]/address.zip: keyNotFound"),
    ]
    try verifyEntries(rows, GenericModel<[Item]>.self) { _, entries in Found(in: entries) }
  }
}

struct Found: Equatable, Sendable {
  let type: ErrorDigest.FoundValue.ValueType?
  let text: String?

  init(_ type: ErrorDigest.FoundValue.ValueType?, _ text: String? = nil) {
    self.type = type
    self.text = text
  }

  /// What the first of the entries has found.
  init(in entries: [ErrorDigest.Entry]) {
    self.init(entries.first?.foundValue?.type, entries.first?.foundValue?.text)
  }
}
