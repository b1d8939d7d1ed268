// Only debug builds record the outcome of a property.
#if DEBUG
  import Foundation
  import ResilientDecoding
  import Testing

  struct DecodingOutcomeTests {
    @Test(arguments: [
      ("{}", "keyNotFound", nil), (#"{"maybe": null}"#, "valueWasNil", nil),
      (#"{"maybe": 1}"#, "decodedSuccessfully", nil),
      (
        #"{"maybe": "1"}"#, "recoveredFrom(typeMismatch, wasReported: true)", "typeMismatch"
      ),
    ])
    func `an optional has an outcome and an error`(
      json: String,
      outcome: String,
      error: String?
    ) throws {
      let model = try decode(json)
      #expect(model.$maybe.outcome.inWords == outcome)
      #expect(model.$maybe.error.map(nameOfCase) == error)
    }

    @Test func `an outcome is recorded without a reporter too`() throws {
      let model = try JSONDecoder().decode(Model.self, from: Data(#"{"maybe": "1"}"#.utf8))
      #expect(model.$maybe.error.map(nameOfCase) == "typeMismatch")
      #expect(model.$mood.error.map(nameOfCase) == "keyNotFound")
    }

    /// A payload, the errors, and the results: a value, or `!` and the error.
    static let arrays: [(String, [String], [String])] = [
      ("null", [], []),
      ("[]", [], []),
      ("[1, 2]", [], ["1", "2"]),
      (
        #"["0", 1, null, 3, {}]"#, ["typeMismatch", "valueNotFound", "typeMismatch"],
        ["!typeMismatch", "1", "!valueNotFound", "3", "!typeMismatch"]
      ),
      ("5", ["typeMismatch"], ["!typeMismatch"]),
    ]

    @Test(arguments: arrays)
    func `results of an array have every element at its index`(
      payload: String,
      errors: [String],
      results: [String]
    ) throws {
      let model = try decode(#"{"numbers": \#(payload), "maybeNumbers": \#(payload)}"#)
      #expect(model.$numbers.errors.map(nameOfCase) == errors)
      #expect(model.$numbers.results.map(inWords) == results)
      #expect(model.$maybeNumbers.errors.map(nameOfCase) == errors)
      #expect(model.$maybeNumbers.results.map(inWords) == results)
    }

    static let dictionaries: [(String, [String], [String: String])] = [
      ("null", [], [:]),
      ("{}", [], [:]),
      (#"{"a": 1}"#, [], ["a": "1"]),
      (
        #"{"c": "0", "b": 1, "a": null}"#, ["valueNotFound", "typeMismatch"],
        ["a": "!valueNotFound", "b": "1", "c": "!typeMismatch"]
      ),
      ("5", ["typeMismatch"], [:]),
    ]

    @Test(arguments: dictionaries)
    func `results of a dictionary have every entry under its key`(
      payload: String,
      errors: [String],
      results: [String: String]
    ) throws {
      let model = try decode(#"{"byName": \#(payload), "maybeByName": \#(payload)}"#)
      #expect(model.$byName.errors.map(nameOfCase) == errors)
      #expect(model.$byName.results.mapValues(inWords) == results)
      #expect(model.$maybeByName.errors.map(nameOfCase) == errors)
      #expect(model.$maybeByName.results.mapValues(inWords) == results)
    }

    @Test func `a missing array has no errors and no results`() throws {
      let model = try decode("{}")
      #expect(model.$numbers.results.isEmpty && model.$numbers.errors.isEmpty)
      #expect(model.$maybeNumbers.results.isEmpty && model.$maybeNumbers.errors.isEmpty)
      #expect(model.$byName.results.isEmpty && model.$byName.errors.isEmpty)
      #expect(model.$maybeByName.results.isEmpty && model.$maybeByName.errors.isEmpty)
    }

    @Test func `results show novel values whether or not they are hidden`() throws {
      let model = try decode(#"{"kinds": ["flat", "novel"], "sides": ["novel", "left"]}"#)
      #expect(model.$kinds.results.map(inWords) == ["flat", "!UnknownNovelValueError"])
      #expect(model.$sides.results.map(inWords) == ["!dataCorrupted", "left"])
    }

    @Test func `the error of an array has the errors of its lost elements`() throws {
      let model = try decode(#"{"numbers": ["0", 1, null], "byName": {"a": "0", "b": 1}}"#)
      let ofArray = try #require(
        model.$numbers.error as? ResilientDecodingOutcome.ArrayDecodingError
      )
      #expect(ofArray.failures.mapValues(nameOfCase) == [0: "typeMismatch", 2: "valueNotFound"])
      let ofDictionary = try #require(
        model.$byName.error as? ResilientDecodingOutcome.DictionaryDecodingError
      )
      #expect(ofDictionary.failures.mapValues(nameOfCase) == ["a": "typeMismatch"])
    }

    @Test func `setting a value resets the outcome`() throws {
      var model = try decode(#"{"maybe": "1", "numbers": ["0", 1]}"#)
      model.maybe = 2
      model.numbers.append(3)
      #expect(model.$maybe.outcome.inWords == "decodedSuccessfully")
      #expect(model.$numbers.results.map(inWords) == ["1", "3"])
      #expect(model.$numbers.errors.isEmpty)
    }

    @Test func `in an array, a dropped element is a failure and an incomplete one is a success`()
      throws
    {
      let model = try decode(#"{"rows": [[1], [2, "x"], 5, null, [null, 3]]}"#)
      #expect(
        model.$rows.results.map(inWords) == [
          "[1]", "[2]", "!typeMismatch", "!valueNotFound", "[3]",
        ]
      )
      #expect(
        model.$rows.errors.map(nameOfCase) == [
          "ArrayDecodingError", "typeMismatch", "valueNotFound", "ArrayDecodingError",
        ]
      )
      #expect(
        (model.$rows.error as? ResilientDecodingOutcome.ArrayDecodingError)?.failures.keys.sorted()
          == [1, 2, 3, 4]
      )
    }

    @Test func `among optional elements, a replaced one is a failure and null is not`() throws {
      let model = try decode(#"{"maybes": [1, null, "x", 4]}"#)
      #expect(
        model.$maybes.results.map(inWords) == [
          "Optional(1)", "nil", "!typeMismatch", "Optional(4)",
        ]
      )
      #expect(model.$maybes.errors.map(nameOfCase) == ["typeMismatch"])
    }

    @Test func `an incomplete entry of a dictionary is under its key`() throws {
      let model = try decode(#"{"arraysByName": {"a": [1], "b": [2, "x"], "c": 5, "d": {}}}"#)
      #expect(
        model.$arraysByName.results.mapValues(inWords) == [
          "a": "[1]", "b": "[2]", "c": "!typeMismatch", "d": "!typeMismatch",
        ]
      )
      #expect(
        model.$arraysByName.errors.map(nameOfCase) == [
          "ArrayDecodingError", "typeMismatch", "typeMismatch",
        ]
      )
    }

    @Test func `a wrong shape is one error and one failure`() throws {
      let model = try decode(#"{"rows": {}, "arraysByName": []}"#)
      #expect(model.$rows.results.map(inWords) == ["!typeMismatch"])
      #expect(model.$rows.errors.map(nameOfCase) == ["typeMismatch"])
      #expect(model.$arraysByName.results.isEmpty)
      #expect(model.$arraysByName.errors.map(nameOfCase) == ["typeMismatch"])
    }

    @Test func `sets and dictionaries with integer keys have the errors of lost elements`() throws {
      let model = try decode(#"{"set": [1, "x"], "byNumber": {"1": 1, "two": 2}}"#)
      #expect(
        (model.$set.error as? ResilientDecodingOutcome.ArrayDecodingError)?.failures
          .mapValues(nameOfCase) == [1: "typeMismatch"]
      )
      #expect(
        (model.$byNumber.error as? ResilientDecodingOutcome.DictionaryDecodingError)?.failures
          .mapValues(nameOfCase) == ["two": "dataCorrupted"]
      )
    }

    private func decode(_ json: String) throws -> Model {
      try Format.json.decode(Model.self, from: json).0
    }

    private func inWords<Success>(_ result: Result<Success, any Error>) -> String {
      switch result {
      case .success(let value): "\(value)"
      case .failure(let error): "!\(nameOfCase(error))"
      }
    }
  }

  private struct Model: Decodable {
    @Resilient var maybe: Int?
    @Resilient var mood: Mood
    @Resilient var numbers: [Int]
    @Resilient var maybeNumbers: [Int]?
    @Resilient var byName: [String: Int]
    @Resilient var maybeByName: [String: Int]?
    @Resilient var kinds: [Kind]
    @Resilient var sides: [Side]
    @Resilient var rows: [[Int]]
    @Resilient var maybes: [Int?]
    @Resilient var arraysByName: [String: [Int]]
    @Resilient var set: Set<Int>
    @Resilient var byNumber: [Int: Int]
  }
#endif
