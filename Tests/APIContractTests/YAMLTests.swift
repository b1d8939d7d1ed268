#if OpenAPI
  import ResilientDecoding
  import Testing

  @testable import APIContract

  /// Documents in YAML, against the same documents in JSON.
  struct YAMLTests {
    /// A scalar of YAML, its text, and its value in JSON by the core schema.
    struct Scalar: CustomTestStringConvertible {
      let yaml: String
      let text: String
      let value: String
      var testDescription: String { yaml }

      init(_ yaml: String, _ value: String? = nil, text: String? = nil) {
        self.yaml = yaml
        self.text = text ?? yaml
        self.value = value ?? #""\#(text ?? yaml)""#
      }
    }

    private static let scalars = [
      Scalar("NO"), Scalar("no"), Scalar("No"), Scalar("off"), Scalar("OFF"), Scalar("on"),
      Scalar("yes"), Scalar("YES"), Scalar("y"), Scalar("N"), Scalar("tRUE"), Scalar("nULL"),
      Scalar("true", "true"), Scalar("True", "true"), Scalar("TRUE", "true"),
      Scalar("false", "false"), Scalar("False", "false"), Scalar("~", "null"),
      Scalar("null", "null"), Scalar("Null", "null"), Scalar("NULL", "null"),
      Scalar("''", text: ""),
      Scalar("7", "7"), Scalar("+7", "7"), Scalar("-7", "-7"), Scalar("010", "10"),
      Scalar("0755", "755"), Scalar("0o7", "7"), Scalar("0o8"), Scalar("0x1F", "31"), Scalar("0xG"),
      Scalar("0x1p3"), Scalar("0b10"), Scalar("1_000"), Scalar("1:1"), Scalar("16:9"),
      Scalar("12:30"), Scalar("190:20:30"), Scalar("1e3", "1000.0"), Scalar("1.10", "1.1"),
      Scalar(".5", "0.5"), Scalar("5.", "5.0"), Scalar("."), Scalar("1.2.3"), Scalar("1e"),
      Scalar("nan"), Scalar("inf"), Scalar("2020-01-01"), Scalar("="), Scalar("<<"),
      // JSON has neither number, so a larger one than any other here stands for it.
      Scalar(".inf", "1e308"), Scalar(".nan", "[]"),
      Scalar("'<<'", text: "<<"), Scalar("'NO'", text: "NO"), Scalar(#""NO""#, text: "NO"),
      Scalar(#""010""#, text: "010"), Scalar("'true'", text: "true"),
      Scalar("!!str NO", text: "NO"), Scalar("!!str 010", text: "010"),
      Scalar(#"!!int "010""#, "10", text: "010"),
      Scalar("!!bool NO", text: "NO"), Scalar("!!null ''", "null", text: ""),
    ]

    /// The role of a scalar in a document.
    enum Use: CaseIterable {
      case enumOfString, enumOfStringOrNull, enumOfInteger, const, extensibleEnum, required
      case property, response, operationID, minimum
    }

    /// A document with a scalar for a use, and plain things for the others.
    private static func document(_ use: Use, _ scalar: String) -> [String] {
      func text(_ other: Use, or plain: String) -> String { use == other ? scalar : plain }
      let schema =
        switch use {
        case .enumOfString: #""type": "string", "enum": [\#(scalar)]"#
        case .enumOfStringOrNull: #""type": ["string", "null"], "enum": [\#(scalar)]"#
        case .enumOfInteger: #""type": "integer", "enum": [\#(scalar)]"#
        case .const: #""const": \#(scalar)"#
        case .extensibleEnum: #""type": "string", "x-extensible-enum": [\#(scalar)]"#
        case .minimum: #""minimum": \#(scalar)"#
        case .required, .property, .response, .operationID: #""type": "string""#
        }
      return [
        #"{"openapi": "3.1.0", "paths": {"/a": {"get": {"#,
        #""operationId": \#(text(.operationID, or: #""op""#)), "responses": {"#,
        #"\#(text(.response, or: #""200""#)): {"content": {"application/json": {"schema": "#,
        #"{"properties": {"p": {"enum": ["op"]}}}}}}}}}}, "#,
        #""components": {"schemas": {"Listing": {"required": [\#(text(.required, or: #""q""#))], "#,
        #""properties": {\#(text(.property, or: #""q""#)): {"enum": ["a"]}, "p": {\#(schema)}}}}}}"#,
      ]
    }

    private static func failures(_ text: String) -> [ContractFailure] {
      let numbers = ["10", "7", "31", "1000", "1.1", "0.5", "5", "755", "-7"]
      let path = ErrorDigest.Path([.key(text)])
      return [.novel(text), .found(.boolean, "true"), .found(.boolean, "false"), .found(.null)]
        + numbers.map { .found(.number, $0) }
        + [.keyNotFound, .unknownKey].map {
          ContractFailure(model: "App.Listing", path: path, kind: $0)
        }
        + [text, "GET /a"].map { .make(operation: $0, kind: .unknownNovelValue, novel: "op") }
    }

    @Test(arguments: scalars, Use.allCases)
    func `the same document as JSON judges the same`(scalar: Scalar, use: Use) throws {
      let text = #""\#(scalar.text)""#
      let value =
        switch use {
        case .enumOfString, .enumOfStringOrNull, .extensibleEnum:
          scalar.value == "null" || scalar.yaml.hasPrefix("!!int") ? scalar.value : text
        case .required, .operationID: scalar.yaml.hasPrefix("!!") ? scalar.value : text
        case .property, .response: text
        case .enumOfInteger, .const, .minimum: scalar.value
        }
      // A plain << merges the members of its value, which JSON does not have.
      guard scalar.yaml != "<<" || ![.property, .response].contains(use) else { return }
      let json = Self.document(use, value).joined()
      // The first character tells YAML from JSON.
      let yaml = "---\n" + Self.document(use, scalar.yaml).joined(separator: "\n")
      let contract = try TestContract(json)
      let other = try TestContract(yaml, name: "openapi.yaml")
      for failure in Self.failures(scalar.text) {
        let judgement = contract.judgement(of: failure)
        #expect(other.judgement(of: failure).verdict == judgement.verdict, "\(failure)")
      }
      guard ![".inf", ".nan"].contains(scalar.yaml) else { return }
      #expect(
        other.contract.node(at: SourcePlace())?.value
          == contract.contract.node(at: SourcePlace())?.value)
    }

    private static let merging = """
      openapi: 3.1.0
      x-kinds: &kinds
        enum: [2020, villa]
      x-base: &base
        p: &p
          <<: *kinds
          type: string
        q: {enum: [q]}
      components:
        schemas:
          Listing:
            properties:
              <<: *base
              q: {enum: [own]}
          Item:
            properties:
              p: {<<: [*p, {enum: [other]}], enum: [3]}
              <<: {q: {enum: [q]}}
          Text: {properties: {"<<": {p: {enum: [a]}}}}
      """

    /// A property of a model, a value, the verdict on it, and the line of the list that decides.
    @Test(arguments: [
      ("App.Listing", "p", "villa", Verdict.appBehind, 3),
      ("App.Listing", "p", "2020", .appBehind, 3),
      ("App.Listing", "p", "yurt", .contractBroken, 3),
      ("App.Listing", "q", "own", .appBehind, 14), ("App.Listing", "q", "q", .contractBroken, 14),
      ("App.Item", "p", "3", .appBehind, 17), ("App.Item", "p", "villa", .contractBroken, 17),
      ("App.Item", "q", "q", .appBehind, 18), ("App.Text", "p", "b", .undocumented, 19),
    ])
    func `a merge key brings members, and their lines`(
      model: String, path: String, value: String, verdict: Verdict, line: Int
    ) throws {
      let contract = try TestContract(Self.merging, name: "openapi.yaml")
      let judgement = contract.judgement(
        of: .make(model, kind: .unknownNovelValue, at: path, novel: value))
      #expect(judgement.verdict == verdict)
      let place = try #require(judgement.place)
      #expect(contract.contract.lines(of: [place]) == [place: line])
    }

    /// Lists that double at each step, by aliases or by merge keys, and a chain of aliases.
    @Test(arguments: [
      (0..<40).map { "  - &a\($0 + 1) {allOf: [*a\($0), *a\($0)]}" },
      (0..<40).map { "  - &a\($0 + 1) {<<: [*a\($0), *a\($0)]}" },
      (0..<2_000).map { "  - &a\($0 + 1) [*a\($0)]" },
      (0..<2_000).map { "  - &a\($0 + 1) {<<: *a\($0)}" },
    ])
    func `aliases that repeat too much get one line`(lines: [String]) {
      let text = "openapi: 3.1.0\nx:\n  - &a0 {enum: [a]}\n" + lines.joined(separator: "\n")
      let error = #expect(throws: DocumentError.self) {
        _ = try TestContract(text, name: "openapi.yaml")
      }
      let problems = [
        "openapi.yaml has too many values once its aliases are expanded",
        "openapi.yaml has more than 500 values inside each other",
      ]
      #expect(problems.contains { error?.description.hasSuffix($0) == true })
    }

    @Test func `a property has the name of a keyword`() throws {
      let text = """
        openapi: 3.1.0
        components:
          schemas:
            Listing:
              properties:
                operationId: {enum: [1], nullable: true, additionalProperties: false}
                required: {enum: [2]}
        """
      let contract = try TestContract(text, name: "openapi.yaml").contract
      let schema = contract.node(at: SourcePlace())?.value["components"]?["schemas"]?["Listing"]
      let properties = schema?["properties"]
      #expect(properties?["operationId"]?["nullable"] == .boolean(true))
      #expect(properties?["operationId"]?["enum"] == .array([.integer(1)]))
      #expect(properties?["required"]?["enum"] == .array([.integer(2)]))
    }

    @Test func `lines behind a chain of merge keys are found in a step for each`() throws {
      let count = 60
      let chain = (1...count).map { "a\($0): &a\($0) {<<: *a\($0 - 1)}" }
      let text = "openapi: 3.1.0\na0: &a0 {x: 1}\n" + chain.joined(separator: "\n") + "\n"
      let contract = try TestContract(text, name: "openapi.yaml")
      let place = SourcePlace(pointer: "/a\(count)/x")
      #expect(contract.contract.lines(of: [place]) == [place: 2])
    }
  }
#endif
