import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

struct DecodingPathTests {
  /// The forms of reading a value.
  enum Form: String, CaseIterable, Sendable {
    case value
    case optional
    case optionalKey
    case attempt

    func read(_ decoder: any Decoder) throws -> Point? {
      switch self {
      case .value:
        let point: Point = try decoder => "a" => "p"
        return point
      case .optional:
        let point: Point? = try decoder => "a" => "p"
        return point
      case .optionalKey:
        let point: Point? = try decoder => "a" =>? "p"
        return point
      case .attempt:
        let point: Point? = try? decoder => "a" => "p"
        return point
      }
    }

    func read(_ json: DecodableDocument) throws -> Point? {
      switch self {
      case .value:
        let point: Point = try json => "a" => "p"
        return point
      case .optional:
        let point: Point? = try json => "a" => "p"
        return point
      case .optionalKey:
        let point: Point? = try json => "a" =>? "p"
        return point
      case .attempt:
        let point: Point? = try? json => "a" => "p"
        return point
      }
    }
  }

  /// The results of the forms for a payload, in their order: 1 is the value, the rest an error.
  static let cells: [(payload: String, outcomes: [String])] = [
    (#"{"a": {"p": {"x": 1, "y": 2}}}"#, ["1", "1", "1", "1"]),
    (
      #"{"a": {"p": null}}"#,
      ["valueNotFound at a.p: expected an object, found null", "nil", "nil", "nil"]
    ),
    (
      #"{"a": {"q": 1}}"#,
      Array(repeating: #"keyNotFound at a: "p" in {"q": 1}"#, count: 2) + ["nil", "nil"]
    ),
    (
      #"{"a": {"p": "x"}}"#,
      Array(repeating: #"typeMismatch at a.p: expected an object, found "x""#, count: 3) + ["nil"]
    ),
    (
      #"{"a": {"p": {"x": 1, "y": "2"}}}"#,
      Array(repeating: #"typeMismatch at a.p.y: expected Int, found "2""#, count: 3) + ["nil"]
    ),
  ]

  @Test(arguments: cells, Source.allCases)
  func `each form throws or returns nil as documented`(
    cell: (payload: String, outcomes: [String]), source: Source
  ) throws {
    let outcomes = Form.allCases.map { form in
      outcome { try source.read(cell.payload) { try form.read($0).map { "\($0.x)" } ?? "nil" } }
    }
    #expect(outcomes == cell.outcomes)
  }

  @Test(arguments: cells, Source.documents)
  func `a document is read with its decoder's strategies`(
    cell: (payload: String, outcomes: [String]), source: Source
  ) throws {
    let document = try source.document(cell.payload)
    let outcomes = Form.allCases.map { form in
      outcome { try form.read(document).map { "\($0.x)" } ?? "nil" }
    }
    #expect(outcomes == cell.outcomes)
  }

  /// Payloads and the result of `decoder => "a" =>? "b" => "c"` as a number.
  static let optionalInTheMiddle: [(String, String)] = [
    (#"{"a": {"b": {"c": 1}}}"#, "1"),
    (#"{"a": {"b": {"c": null}}}"#, "nil"),
    (#"{"a": {"b": null}}"#, "nil"),
    (#"{"a": {}}"#, "nil"),
    (#"{"a": {"b": {}}}"#, #"keyNotFound at a.b: "c" in {}"#),
    (#"{"a": {"b": 5}}"#, "typeMismatch at a.b: expected an object, found 5"),
    (#"{"a": {"b": {"c": "1"}}}"#, #"typeMismatch at a.b.c: expected Int, found "1""#),
    (#"{"a": null}"#, "valueNotFound at a: expected an object, found null"),
    (#"{"a": []}"#, "typeMismatch at a: expected an object, found []"),
    (#"{}"#, #"keyNotFound at the root: "a" in {}"#),
  ]

  @Test(arguments: optionalInTheMiddle, Source.allCases)
  func `only the key to the right can be missing or null`(
    row: (payload: String, outcome: String),
    source: Source
  ) {
    let found = outcome {
      try source.read(row.payload) { decoder in
        let number: Int? = try decoder => "a" =>? "b" => "c"
        return number.map { "\($0)" } ?? "nil"
      }
    }
    #expect(found == row.outcome)
  }

  @Test(arguments: Source.allCases)
  func `a path can be written in any form`(source: Source) throws {
    let json = #"{"a": {"b.c": {"d": [1, 2]}}, "e": null}"#
    let found = try source.read(json) { decoder in
      let key = "b.c"
      let single: [String: [String: [Int]]] = try decoder => "a"
      let joined: [Int] = try decoder => "a" => "b.c" => "d"
      let array: [Int] = try decoder => ["a", "b.c", "d"]
      let mixed: [Int] = try decoder => ["a", "b.c"] => "d"
      let made: [Int] = try decoder => "a" => DecodingPath([key]) => "d"
      let optional: [Int]? = try decoder =>? ["a", "b.c"] =>? "d"
      let absent: [Int]? = try decoder =>? ["x", "b.c", "d"]
      let both: [Int]? = try decoder =>? "a" => "b.c" =>? "x"
      let cast = try decoder => "a" => "b.c" => "d" as [Int]
      let fallback = (try? decoder => "a" => "x") ?? [3]
      let empty: Int? = try (decoder =>? "e" => "f") ?? 4
      #expect(absent == nil)
      #expect(both == nil)
      return [
        single["b.c"]?["d"] ?? [], joined, array, mixed, made, optional ?? [], cast, fallback,
        [empty ?? 0],
      ]
    }
    #expect(found == Array(repeating: [1, 2], count: 7) + [[3], [4]])
  }

  @Test(arguments: Source.allCases)
  func `any nesting of collections and optionals is decoded`(source: Source) throws {
    let json = #"{"a": {"b": {"x": [1, null], "y": []}}, "c": [[{"k": null}, null], null]}"#
    let found = try source.read(json) { decoder in
      let numbers: [String: [Int?]] = try decoder => ["a", "b"]
      let deep: [[[String: Bool?]?]?] = try decoder => "c"
      return "\(numbers["x"] ?? []) \(numbers["y"] ?? []) \(deep)"
    }
    #expect(found == "[Optional(1), nil] [] [Optional([Optional([\"k\": nil]), nil]), nil]")
  }

  @Test func `a long chain of overloaded operators compiles`() throws {
    let json = try Source.documentOfJSON.document(
      #"{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}"#
    )
    let plain: Int = try json => "a" => "b" => "c" => "d" => "e" => "f" => "g" => "h"
    let mixed: Int? = try json => "a" =>? "b" => "c" =>? "d" => "e" => "f" =>? "g" => "h"
    #expect([plain, mixed] == [1, 1])
  }

  @Test(arguments: Source.allCases)
  func `an empty path is the whole value`(source: Source) throws {
    let found = try source.read(#"{"x": 1, "y": 2}"#) { decoder in
      let point: Point = try decoder => []
      let maybe: Point? = try decoder =>? []
      return [point, maybe]
    }
    #expect(found == [Point(x: 1, y: 2), Point(x: 1, y: 2)])
  }

  @Test func `keys are the converted keys of the payload`() throws {
    struct Model: Decodable {
      let name: String

      init(from decoder: any Decoder) throws {
        // swift-format does not know the precedence of the operator.
        // swift-format-ignore: NoAssignmentInExpressions
        name = try decoder => "owner" => "loginName"
      }
    }
    let decoder = JSONDecoder.snakeCase
    let data = Data(#"{"owner": {"login_name": "anviking"}}"#.utf8)
    #expect(try decoder.decode(Model.self, from: data).name == "anviking")
  }

  @Test(arguments: Source.allCases)
  func `an error that is not about decoding is thrown unchanged`(source: Source) {
    #expect(throws: Mishap.self) {
      try source.read(#"{"a": 1}"#) { decoder in
        let clumsy: Clumsy = try decoder => "a"
        return "\(clumsy)"
      }
    }
  }
}
