import ResilientDecoding
import Testing

@testable import APIContract

struct VerdictTests {
  /// Failures at the property `p`, one for each column of the table.
  private static let failures: [ContractFailure] = [
    .novel("a"), .novel("z"), .found(.string, "z"), .found(.number, "7"), .found(.number, "0.5"),
    .found(.boolean, "true"), .found(.object), .found(.array), .make(kind: .valueNotFound),
    .found(.null), .found(.string, "yesterday", kind: .dataCorrupted),
    .found(.string, "2026-11-20T10:00:00Z", kind: .dataCorrupted),
    .found(.number, "300", kind: .dataCorrupted), .found(.string, "7", kind: .converted),
    .make(kind: .typeMismatch, expected: "Swift.Int"),
  ]

  // app-behind, contract-broken, undocumented, model-differs, unmapped (x); in the columns:
  // novel a and z, string, number, fraction, boolean, object, array, null, found null, no date,
  // a date, number 300, converted string, unknown value for an Int.
  private static let schemas: [(String, String)] = [
    (#"{}"#, "uuuuuuuu uu uuu uu"),
    (#"true"#, "uuuuuuuu uu uuu uu"),
    (#"{"description": "Any.", "x-more": 1}"#, "uuuuuuuu uu uuu uu"),
    (#"false"#, "cccccccc cc ccc cc"),
    (#"{"type": "string"}"#, "uuaccccc cc uuc aa"),
    (#"{"type": ["string", "null"]}"#, "uuaccccc ma uuc aa"),
    (#"{"type": "string", "nullable": true}"#, "uuaccccc ma uuc aa"),
    (#"{"type": "integer"}"#, "cccacccc cc cca cc"),
    (#"{"type": "number"}"#, "cccaaccc cc cca cc"),
    (#"{"type": ["integer", "string"]}"#, "uuaacccc cc uua aa"),
    (#"{"type": "boolean"}"#, "cccccacc cc ccc ca"),
    (#"{"type": "object"}"#, "ccccccac cc ccc ca"),
    (#"{"type": "array", "items": {}}"#, "ccccccca cc ccc ca"),
    (#"{"properties": {"q": {}}}"#, "uuuuuuau uu uuu uu"),
    (#"{"items": {}}"#, "uuuuuuua uu uuu uu"),
    (#"{"type": "null"}"#, "cccccccc ma ccc ca"),
    (#"{"type": "string", "enum": ["a", "b"]}"#, "accccccc cc ccc ca"),
    (#"{"enum": ["a", 7, null]}"#, "accacccc ma ccc ca"),
    (#"{"type": "string", "nullable": true, "enum": ["a"]}"#, "accccccc ma ccc ca"),
    (#"{"type": ["string", "null"], "enum": ["a", null]}"#, "accccccc ma ccc ca"),
    (#"{"const": "a"}"#, "accccccc cc ccc ca"),
    (#"{"const": 7}"#, "cccacccc cc ccc cc"),
    (#"{"type": "string", "x-extensible-enum": ["a"]}"#, "auuccccc cc uuc ua"),
    (#"{"type": "string", "format": "date-time"}"#, "cccccccc cc cac ca"),
    (#"{"type": "string", "format": "byte"}"#, "uuaccccc cc uuc aa"),
    (#"{"type": "integer", "maximum": 200}"#, "cccacccc cc ccc cc"),
    (#"{"type": "integer", "minimum": 8, "exclusiveMaximum": 300}"#, "cccccccc cc ccc cc"),
    (#"\#(reference("Kind"))"#, "accccccc cc ccc ca"),
    (#"\#(reference("Gone"))"#, "xxxxxxxx xx xxx xx"),
    (#"\#(reference("Loop"))"#, "xxxxxxxx xx xxx xx"),
    (##"{"$ref": "#/components/schemas/Kind", "nullable": true}"##, "accccccc ma ccc ca"),
    (#"{"allOf": [\#(reference("Kind"))], "nullable": true}"#, "accccccc ma ccc ca"),
    (
      #"{"allOf": [{"type": "string"}, {"enum": ["a", "b"]}, {"enum": ["b", "z"]}]}"#,
      "cccccccc cc ccc ca"
    ),
    (#"{"oneOf": [\#(reference("Kind")), {"type": "number"}]}"#, "accaaccc cc cca ca"),
    (#"{"anyOf": [\#(reference("Kind")), {"type": "null"}]}"#, "accccccc ma ccc ca"),
    (
      #"{"anyOf": [{"type": "string", "format": "date-time"}, {"type": "integer"}]}"#,
      "cccacccc cc caa ca"
    ),
    (#"{"anyOf": [\#(reference("Gone")), {"type": "integer"}]}"#, "xxxaxxxx xx xxa xx"),
    (#"{"not": {"type": "string"}}"#, "uuuuuuuu uu uuu uu"),
  ]

  @Test(arguments: schemas)
  func `a value has the verdict of its schema`(schema: String, verdicts: String) throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": {"type": "object", "properties": {"p": \#(schema)}},
        "Kind": {"type": "string", "enum": ["a", "b"]},
        "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}]}
        """#)
    #expect(contract.verdicts(on: Self.failures) == verdicts.replacing(" ", with: ""))
  }

  /// How the objects of a schema say what members they have.
  private static let objects: [(String, String)] = [
    (#"{"type": "object", "required": ["p"], "properties": {"p": {"type": "string"}}}"#, "cca"),
    (#"{"type": "object", "properties": {"p": {"type": "string"}}}"#, "mma"),
    (#"{"type": "object", "properties": {"q": {}}}"#, "uuu"),
    (#"{"type": "object", "properties": {"q": {}}, "additionalProperties": false}"#, "mmc"),
    (#"{"type": "object", "properties": {"q": {}}, "unevaluatedProperties": false}"#, "mmc"),
    (#"{"type": "object", "required": ["p"]}"#, "ccu"),
    (#"{"type": "object"}"#, "uuu"),
    (#"{}"#, "uuu"),
    (#"{"type": "string"}"#, "xxx"),
    (#"{"type": "object", "required": ["p"], "properties": {"p": {"writeOnly": true}}}"#, "mma"),
    (#"{"allOf": [\#(reference("P")), {"required": ["p"]}]}"#, "cca"),
    (#"{"oneOf": [\#(reference("P")), {"required": ["p"]}]}"#, "mma"),
    (#"{"oneOf": [{"type": "object", "required": ["p"]}, {"type": "null"}]}"#, "ccu"),
    (#"\#(reference("Gone"))"#, "xxx"),
  ]

  @Test(arguments: objects)
  func `a key has the verdict of its object`(schema: String, verdicts: String) throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": \#(schema),
        "P": {"type": "object", "properties": {"p": {}}}
        """#)
    let kinds: [ErrorDigest.Kind] = [.keyNotFound, .missingKey, .unknownKey]
    #expect(contract.verdicts(on: kinds.map { .make(kind: $0) }) == verdicts)
  }

  /// Schemas, a path to an enum of one value, and the pointer to that.
  private static let enums: [(String, String, String)] = [
    (
      #"{"properties": {"a": {"properties": {"b": \#(kind)}}}}"#, "a.b",
      "/properties/a/properties/b/enum"
    ),
    (
      #"{"properties": {"a": {"type": "array", "items": \#(kind)}}}"#, "a[]",
      "/properties/a/items/enum"
    ),
    (
      #"{"properties": {"a": {"prefixItems": [\#(kind)], "items": false}}}"#, "a[3]",
      "/properties/a/prefixItems/0/enum"
    ),
    (#"{"type": "array", "items": {"items": \#(kind)}}"#, "[][]", "/items/items/enum"),
    (#"{"additionalProperties": \#(kind)}"#, "*", "/additionalProperties/enum"),
    (#"{"additionalProperties": \#(kind)}"#, "north", "/additionalProperties/enum"),
    (
      #"{"patternProperties": {"^x-": \#(kind)}, "additionalProperties": false}"#, "*",
      "/patternProperties/^x-/enum"
    ),
    (
      #"{"patternProperties": {"^x-": \#(kind)}, "additionalProperties": false}"#, #"["x-a"]"#,
      "/patternProperties/^x-/enum"
    ),
    (#"{"properties": {"a": \#(kind), "b": \#(kind)}}"#, "*", "/properties/a/enum"),
    (#"{"properties": {"a/b~c": \#(kind)}}"#, #"["a/b~c"]"#, "/properties/a~1b~0c/enum"),
    (
      #"{"properties": {"a": \#(reference("Listing")), "k": \#(kind)}}"#, "a.a.a.k",
      "/properties/k/enum"
    ),
    (
      #"{"allOf": [{"properties": {"a": \#(kind)}}, {"properties": {"b": {}}}]}"#, "a",
      "/allOf/0/properties/a/enum"
    ),
  ]

  /// Schemas, a path that leads elsewhere, and the answer for a novel value there.
  private static let paths: [(String, String, String)] = [
    (
      #"{"oneOf": [{"properties": {"a": \#(kind)}}, {"properties": {"b": {}}}]}"#, "a",
      "undocumented /oneOf/1 the document allows any value here"
    ),
    (
      #"{"oneOf": [{"properties": {"a": \#(kind)}}, {}]}"#, "a",
      "undocumented /oneOf/1 the document allows any value here"
    ),
    (#"{"type": "object"}"#, "a.b.c", "undocumented  the document says nothing about a"),
    (#"{"additionalProperties": true}"#, "a.b", "undocumented  the document says nothing about a"),
    (
      #"{"properties": {"a": {}}}"#, "a.b.c",
      "undocumented /properties/a the document says nothing about a.b"
    ),
    (#"{"properties": {"a": {}}}"#, "b", "undocumented  the document has no such property"),
    (#"{"properties": {"a": {}}}"#, "b.c", "unmapped  the document has no property b here"),
    (
      #"{"properties": {"a": {"properties": {"b": {}}}}}"#, "a.c.d",
      "unmapped /properties/a the document has no property c at a"
    ),
    (
      #"{"properties": {"a": {}}, "additionalProperties": false}"#, "b",
      "contract-broken  the document allows no other properties here"
    ),
    (
      #"{"properties": {"a": {"type": "string"}}}"#, "a.b",
      "unmapped /properties/a the document has no property b at a"
    ),
    (
      #"{"properties": {"a": {"type": "string"}}}"#, "a[]",
      "unmapped /properties/a the document has no array at a"
    ),
    (
      #"{"properties": {"a": {"type": "array", "items": false}}}"#, "a[]",
      "contract-broken /properties/a/items the document allows no value here"
    ),
    (
      #"{"properties": {"a": \#(reference("Gone"))}}"#, "a.b",
      "unmapped /properties/a the document has a reference here that cannot be resolved: #/components/schemas/Gone"
    ),
    (
      #"{"properties": {"a": {"type": ["strng", "null"], "enum": ["x"]}}}"#, "a",
      "unmapped /properties/a/type the document has an unknown type here: strng"
    ),
  ]

  private static let answers: [(String, String, String)] =
    paths + enums.map { ($0.0, $0.1, "contract-broken \($0.2) \(notListed)") }

  /// A member that several parts of a schema have, and types that have numbers in common.
  @Test(arguments: [
    (
      #"{"allOf": [{"properties": {"p": {"type": "string"}}}, {"properties": {"p": {"enum": ["a"]}}}]}"#,
      "acccc"
    ),
    (#"{"properties": {"p": {"allOf": [{"type": "number"}, {"type": "integer"}]}}}"#, "ccaca"),
    (
      #"{"properties": {"p": {"allOf": [{"type": ["integer", "null"]}, {"type": "number"}]}}}"#,
      "ccaca"
    ),
    (#"{"properties": {"p": false}}"#, "ccccc"),
    (#"{"properties": {"p": {"type": "integer", "format": "int32"}}}"#, "ccaca"),
    (#"{"properties": {"p": {"enum": [9007199254740992]}}}"#, "cccca"),
  ])
  func `all parts of a schema count`(schema: String, verdicts: String) throws {
    let contract = try TestContract(schemas: #""Listing": \#(schema)"#)
    let failures: [ContractFailure] = [
      .novel("a"), .novel("z"), .found(.number, "7"), .found(.number, "2147483648.5"),
      .make(kind: .typeMismatch, expected: "Swift.String"),
    ]
    #expect(contract.verdicts(on: failures) == verdicts)
  }

  /// A format, numbers that have it, and numbers that do not.
  @Test(arguments: [
    ("int8", "-128 127 1.0 1e2 -0", "-129 128 1.5 1e39"),
    ("int16", "-32768 32767 1.0 -0", "-32769 32768 1.5 1e39"),
    ("int32", "-2147483648 2147483647 1.0 -0", "-2147483649 2147483648 1.5 1e39"),
    (
      "int64", "-9223372036854775808 9223372036854775807 9.223372036854775807e18 1.0 -0",
      "-9223372036854775809 9223372036854775808 -9223372036854775808.5 1.5 1e39 1e400"
    ),
    ("uint8", "0 255 1.0 -0", "-1 256 300 1.5 1e39"),
    ("uint16", "0 65535 1.0 -0", "-1 65536 1.5 1e39"),
    ("uint32", "0 4294967295 1.0 -0", "-1 4294967296 1.5 1e39"),
    ("uint64", "0 18446744073709551615 1.0 -0", "-1 18446744073709551616 1.5 1e39"),
    ("float", "0 -3.4028235e38 3.4028235e38 1.5 -0 1e-60", "1e39 -1e39 1e400"),
    ("double", "0 1.7976931348623157e308 1e39 1.5 -0 1e-400", "1e400 -1e400 1e309"),
    ("decimal", "0 1e400 1.5", ""),
  ])
  func `a format of numbers has bounds`(format: String, within: String, beyond: String) throws {
    let contract = try TestContract(property: #"{"type": "number", "format": "\#(format)"}"#)
    for (numbers, verdict) in [(within, Verdict.appBehind), (beyond, .contractBroken)] {
      for number in numbers.split(separator: " ") {
        let judgement = contract.judgement(of: .found(.number, String(number)))
        #expect(judgement.verdict == verdict, "\(number)")
        #expect(judgement.place?.tokens.last == (verdict == .appBehind ? "type" : "format"))
      }
    }
    #expect(contract.judgement(of: .found(.string, "1")).verdict == .contractBroken)
  }

  /// A list that other words may open, and the verdicts on a listed text, another text, a listed number,
  /// another number, and null.
  @Test(arguments: [
    (#"{"type": "string", "x-extensible-enum": ["a", "b"]}"#, "auccc"),
    (#"{"type": "string", "x-extensible-enum": [{"value": "a", "description": "A."}]}"#, "auccc"),
    (
      #"{"type": "string", "x-extensible-enum": [{"a": "The letter."}, {"b": "Another."}]}"#,
      "auccc"
    ),
    (#"{"type": "string", "x-extensible-enum": [{"7": "A digit."}, "a"]}"#, "auccc"),
    (#"{"type": "integer", "x-extensible-enum": [7, 8]}"#, "ccauc"),
    (#"{"type": "integer", "x-extensible-enum": [{"value": 7}]}"#, "ccauc"),
    (#"{"type": "integer", "x-extensible-enum": [{"7": "A digit."}]}"#, "ccauc"),
    (#"{"x-extensible-enum": ["a", {"value": 7}]}"#, "auauu"),
    (#"{"type": "string", "enum": ["a"], "x-extensible-enum": true}"#, "auccc"),
    (
      #"{"type": "string", "enum": ["a"], "x-ms-enum": {"name": "E", "modelAsString": true}}"#,
      "auccc"
    ),
    (#"{"enum": ["a", 7], "x-extensible-enum": true}"#, "auauu"),
    (#"{"type": "string", "enum": ["a"], "x-extensible-enum": false}"#, "acccc"),
    (#"{"type": "string", "enum": ["a"], "x-ms-enum": {"modelAsString": false}}"#, "acccc"),
    (#"{"enum": [{"value": "a"}, {"b": "a"}, 7]}"#, "ccacc"),
  ])
  func `a list may be open`(schema: String, verdicts: String) throws {
    let contract = try TestContract(property: schema)
    let failures: [ContractFailure] = [
      .novel("a"), .novel("z"), .make(kind: .unknownNovelValue, novel: "7", novelType: "Int"),
      .make(kind: .unknownNovelValue, novel: "9", novelType: "Int"), .found(.null),
    ]
    #expect(contract.verdicts(on: failures) == verdicts)
  }

  @Test func `integers beyond those of a double are told apart`() throws {
    let contract = try TestContract(property: #"{"enum": [9007199254740993]}"#)
    #expect(contract.judgement(of: .found(.number, "9007199254740993")).verdict == .appBehind)
    #expect(contract.judgement(of: .found(.number, "9007199254740992")).verdict == .contractBroken)
  }

  /// Work is counted, not time: each schema and each step is made once.
  @Test func `many failures take no more work than few`() throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": {"properties": {"p": {"$ref": "#/components/schemas/Kind"}}}, "Kind": {"type": "string"}
        """#)
    _ = contract.judgement(of: .novel("a"))
    let made = contract.contract.workDone
    for number in 0..<1_000 { _ = contract.judgement(of: .novel("value \(number)")) }
    #expect(contract.contract.workDone == made)
  }

  private static let kind = #"{"enum": ["a"]}"#
  private static let notListed = "the document does not list this value in its enum (1 value)"

  /// It says nothing of who has cut or replaced the body.
  @Test(arguments: [ErrorDigest.FoundValue.ValueType.html, .empty, .truncated, .compressed, .utf16])
  func `no schema is broken by a body that isn't JSON`(body: ErrorDigest.FoundValue.ValueType)
    throws
  {
    let contract = try TestContract(schemas: #""Listing": {"type": "object"}"#)
    let failure = ContractFailure.found(body, kind: .dataCorrupted, at: "")
    #expect(
      contract.judgement(of: failure).line
        == "undocumented  the document describes JSON, and the body is \(body.rawValue)")
  }

  @Test(arguments: answers)
  func `a path leads to its schema, or says how far it got`(
    schema: String, path: String, answer: String
  ) throws {
    let contract = try TestContract(schemas: #""Listing": \#(schema)"#)
    #expect(contract.judgement(of: .novel("z", at: path)).line == answer)
  }

  /// The schema of a property, in which something cannot be followed, and what of that is said of a
  /// value, of a value that is not known, and of a key below it.
  @Test(arguments: [
    (#"{"type": "strng"}"#, "has an unknown type here: strng"),
    (#"{"type": ["string", "strng"]}"#, "has an unknown type here: strng"),
    (#"{"type": []}"#, "has a type here that isn't a name or a list of names"),
    (#"{"type": [5]}"#, "has a type here that isn't a name or a list of names"),
    (#"{"type": 5}"#, "has a type here that isn't a name or a list of names"),
    (#"{"type": ["string", null]}"#, "has null as a type here: write it in quotes"),
    (#"{"allOf": [{"type": "strng"}, {"maxLength": 3}]}"#, "has an unknown type here: strng"),
    (
      ##"{"allOf": [{"properties": {"a": {}}}, {"$ref": "#/gone"}]}"##,
      "has a reference here that cannot be resolved: #/gone"
    ),
    (
      ##"{"anyOf": [{"$ref": "#/gone"}, {"type": "strng"}]}"##,
      "has a reference here that cannot be resolved: #/gone"
    ),
  ])
  func `what cannot be followed isn't a verdict`(schema: String, words: String) throws {
    let contract = try TestContract(property: schema)
    let failures: [ContractFailure] = [
      .novel("x"), .found(.string, "x"), .make(kind: .typeMismatch, expected: "Swift.Int"),
      .make(kind: .keyNotFound, at: "p.k"),
    ]
    for failure in failures {
      let judgement = contract.judgement(of: failure)
      #expect(judgement.verdict == .unmapped)
      #expect(judgement.reason == "the document \(words)")
    }
  }

  /// A body that isn't JSON, an error thrown by a model, and the whole document.
  @Test(arguments: [
    (ContractFailure.make(kind: .dataCorrupted, at: ""), "undocumented"),
    (.make(kind: .other, at: ""), "undocumented"),
    (.make(kind: .typeMismatch, at: "", expected: "Swift.String"), "app-behind"),
    (.make(kind: .typeMismatch, at: "", expected: "App.Owner"), "unmapped"),
    (.make(kind: .typeMismatch, at: ""), "unmapped"),
    (.found(.array, at: ""), "contract-broken"),
    (.found(.object, at: ""), "app-behind"),
    (.make(kind: .keyNotFound, at: ""), "undocumented"),
  ])
  func `a failure of the whole document has a verdict`(
    failure: ContractFailure, verdict: String
  ) throws {
    let contract = try TestContract(schemas: #""Listing": {"type": "object"}"#)
    #expect(contract.judgement(of: failure).verdict.rawValue == verdict)
  }

  @Test func `two letters that look alike are two values`() throws {
    let contract = try TestContract(property: "{\"enum\": [\"caf\u{e9}\"]}")
    #expect(contract.judgement(of: .novel("caf\u{e9}")).verdict == .appBehind)
    #expect(contract.judgement(of: .novel("cafe\u{301}")).verdict == .contractBroken)
  }
}
