// Only debug builds record the outcome of a property.
#if DEBUG
  import ResilientDecoding
  import Testing

  /// The outcome of a collection whose elements are collections.
  struct DecodingOutcomeNestedTests {
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
      let model = try decode(#"{"byName": {"a": [1], "b": [2, "x"], "c": 5, "d": {}}}"#)
      #expect(
        model.$byName.results.mapValues(inWords) == [
          "a": "[1]", "b": "[2]", "c": "!typeMismatch", "d": "!typeMismatch",
        ]
      )
      #expect(
        model.$byName.errors.map(nameOfCase) == [
          "ArrayDecodingError", "typeMismatch", "typeMismatch",
        ]
      )
    }

    @Test func `a wrong shape is one error and one failure`() throws {
      let model = try decode(#"{"rows": {}, "byName": []}"#)
      #expect(model.$rows.results.map(inWords) == ["!typeMismatch"])
      #expect(model.$rows.errors.map(nameOfCase) == ["typeMismatch"])
      #expect(model.$byName.results.isEmpty)
      #expect(model.$byName.errors.map(nameOfCase) == ["typeMismatch"])
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
    @Resilient var rows: [[Int]]
    @Resilient var maybes: [Int?]
    @Resilient var byName: [String: [Int]]
    @Resilient var set: Set<Int>
    @Resilient var byNumber: [Int: Int]
  }
#endif
