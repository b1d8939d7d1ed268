import ResilientDecoding
import Testing

@testable import APIContract

/// Schemas that contain themselves, of which the verdict must not depend on what was asked before.
struct CircleTests {
  private static let pets = #"""
    "Pet": {"type": "object", "required": ["t"], "properties": {"t": {"enum": ["cat", "dog"]}},
      "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]},
    "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"},
      {"type": "object", "properties": {"m": {"type": "integer"}}}]},
    "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"},
      {"type": "object", "properties": {"m": {"type": "string"}}}]}
    """#

  private static let closed = #"""
    "A": {"anyOf": [{"$ref": "#/components/schemas/B"},
      {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}]},
    "B": {"anyOf": [{"$ref": "#/components/schemas/A"},
      {"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": false}]}
    """#

  private static let failures: [(schemas: String, failure: ContractFailure, verdict: Verdict)] = [
    (pets, .make("App.Cat", kind: .unknownNovelValue, at: "t", novel: "bird"), .contractBroken),
    (pets, .make("App.Cat", kind: .keyNotFound, at: "t"), .contractBroken),
    (pets, .make("App.Pet", kind: .unknownNovelValue, at: "t", novel: "bird"), .contractBroken),
    (pets, .make("App.Dog", kind: .unknownNovelValue, at: "t", novel: "cat"), .appBehind),
    (closed, .make("App.A", kind: .unknownKey, at: "a"), .appBehind),
    (closed, .make("App.B", kind: .unknownKey, at: "a"), .appBehind),
    (closed, .make("App.A", kind: .unknownKey, at: "b"), .appBehind),
    (closed, .make("App.B", kind: .unknownKey, at: "c"), .contractBroken),
  ]

  @Test(arguments: [pets, closed])
  func `a verdict does not depend on earlier ones`(schemas: String) throws {
    let failures = Self.failures.filter { $0.schemas == schemas }
    for first in failures.indices {
      let contract = try TestContract(schemas: schemas)
      for index in Array(failures.indices[first...]) + Array(failures.indices[..<first]) {
        let judgement = contract.judgement(of: failures[index].failure)
        #expect(judgement.verdict == failures[index].verdict, "\(failures[index].failure)")
      }
    }
  }

  /// Sixty schemas each of which is made of all others.
  @Test func `schemas that are all made of each other have an answer`() throws {
    let names = (0..<60).map { "S\($0)" }
    let schemas = names.map { name in
      let others = names.filter { $0 != name }.map { reference($0) }
      return #""\#(name)": {"anyOf": [\#(others.joined(separator: ",")), {"type": "string"}]}"#
    }
    let contract = try TestContract(schemas: schemas.joined(separator: ","))
    #expect(
      contract.judgement(of: .found(.number, "1", at: "").of("App.S7")).verdict == .contractBroken)
    #expect(contract.contract.workDone < 10_000)
  }

  /// Schemas whose parts have the same answer: two at each of 60 levels, and circles.
  private static let doubling: [String] =
    [#"{"enum": ["a"]}"#, #"{"properties": {"p": {"enum": ["a"]}}, "required": ["p"]}"#].map {
      end in
      (0..<60).map { level in
        let next = reference("S\(level + 1)")
        return #"""
          "S\#(level)": {"allOf": [{"anyOf": [\#(next), {"type": "null"}]},
            {"anyOf": [\#(next), {"type": "string"}]}]}
          """#
      }.joined(separator: ",") + #", "S60": \#(end)"#
    }
    + [40, 60, 100].map { count in
      (0..<count).map { number in
        #"""
        "S\#(number)": {"allOf": [\#(reference("S\((number + 1) % count)")),
          {"anyOf": [\#(reference("S\(7 * number % count)")),
            {"properties": {"p": \#(reference("S\(3 * number % count)"))}}]}]}
        """#
      }.joined(separator: ",")
    }

  @Test(arguments: doubling)
  func `parts with the same answer give it once`(schemas: String) throws {
    let contract = try TestContract(schemas: schemas)
    let path = Array(repeating: "p", count: 40).joined(separator: ".")
    let failures: [ContractFailure] = [
      .novel("z", at: ""), .novel("z"), .novel("z", at: path), .make(kind: .keyNotFound),
      .make(kind: .valueNotFound), .make(kind: .valueNotFound, at: path),
      .make(kind: .unknownKey, at: path), .make(kind: .typeMismatch),
    ]
    for failure in failures {
      _ = contract.judgement(of: failure.of("App.S0"))
    }
    #expect(contract.contract.workDone < 20_000)
  }

  /// What a schema says in its parts, beside a reference, or only for the other direction.
  @Test(arguments: [
    ("3.1.0", #"{"patternProperties": {"^x-": {"type": "string"}}}"#, "u"),
    (
      "3.1.0",
      #"{"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "string"}}"#,
      "c"
    ),
    ("3.1.0", #"{"allOf": [{"additionalProperties": true}], "unevaluatedProperties": false}"#, "u"),
    (
      "3.1.0", #"{"if": {}, "then": {"properties": {"p": {}}}, "unevaluatedProperties": false}"#,
      "u"
    ),
    ("3.0.3", ##"{"properties": {"p": {"$ref": "#/components/schemas/Text", "enum": [1]}}}"##, "c"),
    (
      "3.0.3",
      ##"{"properties": {"p": {"$ref": "#/components/schemas/Number", "type": "string"}}}"##, "a"
    ),
    (
      "3.1.0",
      ##"{"properties": {"p": {"$ref": "#/components/schemas/Number", "type": "string"}}}"##, "c"
    ),
    (
      "3.1.0",
      #"{"anyOf": [{"properties": {"p": {"type": "string"}}}, {"properties": {"q": {}}}]}"#, "u"
    ),
    (
      "3.0.3",
      #"{"properties": {"p": {"type": "number", "minimum": 7, "exclusiveMinimum": true}}}"#, "c"
    ),
    ("3.1.0", #"{"properties": {"p": {"enum": [7], "maximum": 5}}}"#, "c"),
  ])
  func `a number is judged by what holds`(version: String, schema: String, verdict: String) throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": \#(schema), "Text": {"type": "string"}, "Number": {"type": "number"}
        """#, version: version)
    let found = contract.judgement(of: .found(.number, "7")).verdict.rawValue
    #expect(found.hasPrefix(verdict), "\(found)")
  }

  @Test(arguments: [
    #"{"required": ["p"], "properties": {"p": {"writeOnly": true}}}"#,
    #"{"required": ["p"], "allOf": [{"properties": {"p": {"writeOnly": true}}}]}"#,
    #"{"required": ["p"], "properties": {"p": \#(reference("Secret"))}}"#,
    #"{"required": ["p"], "properties": {"p": {"allOf": [\#(reference("Secret"))]}}}"#,
    #"{"required": ["p"], "properties": {"p": \#(reference("Deep"))}}"#,
    ##"{"required": ["p"], "properties": {"p": {"$ref": "#/components/schemas/Secret", "title": "P"}}}"##,
  ])
  func `a response need not have what is only for requests`(schema: String) throws {
    let contract = try TestContract(
      schemas: ##"""
        "Listing": \##(schema), "Secret": {"writeOnly": true, "allOf": [{"type": "string"}]},
        "Deep": {"allOf": [{"$ref": "#/components/schemas/Deep"}, {"allOf": [{"writeOnly": true}]}]}
        """##)
    #expect(contract.judgement(of: .make(kind: .keyNotFound)).verdict == .modelDiffers)
  }
}

extension ContractFailure {
  fileprivate func of(_ model: String) -> Self {
    var failure = self
    failure.model = model
    return failure
  }
}
