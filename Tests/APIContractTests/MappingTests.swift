import ResilientDecoding
import Testing

@testable import APIContract

/// Which schema a failure is judged by.
struct MappingTests {
  private static func body(_ schema: String, as type: String = "application/json") -> String {
    #"{"content": {"\#(type)": {"schema": \#(schema)}}}"#
  }

  private static func kind(_ value: String) -> String {
    #"{"properties": {"p": {"enum": ["\#(value)"]}}}"#
  }

  private static let paths = #"""
    {
      "/listings": {
        "get": {"operationId": "listListings", "responses": {"200": \#(body(kind("all")))}},
        "post": {"responses": {"201": \#(body(kind("made"))), "400": \#(body(kind("error")))}}
      },
      "/listings/{id}": {"get": {"responses": {"2XX": \#(body(kind("one"), as: "application/hal+json; charset=utf-8"))}}},
      "/listings/{id}/kinds/{name}": {"get": {"responses": {"200": \#(body(kind("deep")))}}},
      "/listings/mine": {"get": {"responses": {"200": \#(body(kind("mine")))}}},
      "/default": {"get": {"responses": {"default": \#(body(kind("default")))}}},
      "/shared": {"$ref": "#/components/pathItems/Shared"},
      "/page": {"get": {"responses": {"200": \#(body(kind("html"), as: "text/html"))}}},
      "/two": {"get": {"responses": {"200": \#(body(kind("x"))), "203": \#(body(kind("y")))}}}
    }
    """#

  private static let document = #"""
    {"openapi": "3.1.0", "servers": [{"url": "https://example.com/api/v2"}, {"url": "/beta"}],
      "paths": \#(paths),
      "webhooks": {"listing": {"post": {"requestBody": \#(body(kind("hook")))}}},
      "components": {
        "schemas": {"Listing": \#(kind("named"))},
        "responses": {"Shared": \#(body(kind("shared")))},
        "pathItems": {"Shared": {"get": {"responses": {"200": {"$ref": "#/components/responses/Shared"}}}}}
      }}
    """#

  /// An operation, and the value that its response has.
  @Test(arguments: [
    ("listListings", "all"), ("GET /listings", "all"), ("get /listings", "all"),
    ("/listings", "all"), ("GET /listings?page=2", "all"), ("GET /listings/", "all"),
    ("POST /listings", "made"), ("GET /listings/{id}", "one"), ("GET /listings/{listing}", "one"),
    ("GET /listings/:id", "one"), ("GET /listings/7", "one"), ("GET /listings/{}", "one"),
    ("GET /listings/mine", "mine"), ("GET /listings/{id}/kinds/villa", "deep"),
    ("GET /api/v2/listings", "all"), ("GET /beta/listings/7", "one"), ("GET /default", "default"),
    ("GET /shared", "shared"), ("GET /two", "x"), ("GET /two", "y"), ("listing", "hook"),
    ("POST listing", "hook"),
    // Not documented: by the name of the model.
    ("GET /listings/7/{}/villa", "named"), ("GET /listings/{id}/other", "named"),
    ("DELETE /listings", "named"), ("GET /other", "named"), ("other", "named"),
    ("GET /page", "named"), ("GET /listings/7/8", "named"), ("", "named"),
  ])
  func `an operation has the schema of its response`(operation: String, value: String) throws {
    let contract = try TestContract(Self.document)
    func judgement(_ value: String) -> Judgement {
      contract.judgement(
        of: .make(operation: operation, kind: .unknownNovelValue, novel: value))
    }
    #expect(judgement(value).verdict == .appBehind)
    #expect(judgement("error").verdict == .contractBroken)
    let isOfModel = judgement(value).reason.hasSuffix(
      "; the schema is the model's, because the document has no JSON response of the operation")
    #expect(isOfModel == (value == "named"))
  }

  /// Names of schemas, that of a model, and the schema that is found.
  private static let names: [([String], String, String?)] = [
    (["Listing", "User"], "App.Listing", "Listing"),
    (["listing"], "App.Listing", "listing"),
    (["simple-user"], "App.SimpleUser", "simple-user"),
    (["simple_user", "User"], "App.SimpleUser", "simple_user"),
    (["ListingDTO"], "App.Listing", "ListingDTO"),
    (["Listing"], "App.ListingResponse", "Listing"),
    (["ListingModel"], "App.ListingPayload", "ListingModel"),
    (["FeedItem", "Item"], "App.Feed.Item", "FeedItem"),
    (["Item"], "App.Feed.Item", "Item"),
    (["Page"], "App.Page<App.Listing>", "Page"),
    (["Listing", "listing"], "App.Listing", "Listing"),
    (["Data"], "App.Data", "Data"),
    (["com.example.Listing"], "App.ComExampleListing", "com.example.Listing"),
    // A suffix is a word.
    (["Listing", "Response"], "App.Listing.Response", "Listing"),
    (["listing_response"], "App.Listing", "listing_response"),
    (["Meta", "Metadata"], "App.Metadata", "Metadata"), (["Meta"], "App.Metadata", nil),
  ]

  @Test(arguments: names)
  func `a model has the schema of its name`(
    schemas: [String], model: String, expected: String?
  ) throws {
    let contract = try TestContract(
      schemas: schemas.map { #""\#($0)": {"type": "string"}"# }.joined(separator: ","))
    let place = contract.judgement(of: .make(model, kind: .typeMismatch, at: "")).place
    #expect(place?.tokens.dropFirst(2).first == expected)
  }

  @Test(arguments: [
    (["User"], "App.Listing", "the document has no schema for App.Listing", nil),
    (
      ["listing", "LISTING"], "App.Listing",
      "the document has LISTING and listing for App.Listing", "LISTING"
    ),
    ([], "Swift.Array<App.Listing>", "the document has no schema for App.Listing", nil),
  ])
  func `a model without a schema is unmapped`(
    schemas: [String], model: String, reason: String, schema: String?
  ) throws {
    let contract = try TestContract(
      schemas: schemas.map { #""\#($0)": {"type": "string"}"# }.joined(separator: ","))
    let judgement = contract.judgement(of: .make(model, kind: .typeMismatch))
    #expect(judgement.verdict == .unmapped)
    #expect(judgement.reason == reason)
    #expect(judgement.missing?.model == "App.Listing")
    #expect(judgement.missing?.schema == schema)
  }

  @Test(arguments: [
    ("App.Listing", "p"), ("Swift.Array<App.Listing>", "[].p"), ("Swift.Set<App.Listing>", "[].p"),
    ("Swift.Optional<App.Listing>", "p"), ("Swift.Dictionary<Swift.String, App.Listing>", "*.p"),
    ("Swift.Array<Swift.Array<App.Listing>>", "[][].p"),
    ("Swift.Dictionary<Swift.String, Swift.Array<App.Listing>>", "north[].p"),
  ])
  func `a collection has the schema of its elements`(model: String, path: String) throws {
    let contract = try TestContract(schemas: #""Listing": \#(Self.kind("a"))"#)
    let failure = ContractFailure.make(model, kind: .unknownNovelValue, at: path, novel: "a")
    #expect(contract.judgement(of: failure).verdict == .appBehind)
  }

  @Test(arguments: [
    ["App.Item": "Listing"], ["App.Item": "#/components/schemas/Listing"],
    ["App.Item": "/components/schemas/Listing"], ["Swift.Array<App.Item>": "List"],
  ])
  func `a map names the schema`(map: [String: String]) throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": \#(Self.kind("a")), "Item": \#(Self.kind("b")),
        "List": {"items": {"$ref": "#/components/schemas/Listing"}}
        """#, map: map)
    let failure = ContractFailure.make(
      "Swift.Array<App.Item>", kind: .unknownNovelValue, at: "[].p", novel: "a")
    #expect(contract.judgement(of: failure).verdict == .appBehind)
  }

  /// An operation, a property, and a value, with the verdict and the end of its reason: without a map
  /// and with one. The envelope has `status` and `data`, and an item has `status` and `kind`.
  @Test(arguments: [
    ("GET /x", "status", "sold", "contract-broken (2 values)", "app-behind \(mapped("GET /x"))"),
    ("GET /x", "kind", "a", "app-behind \(noPath)", "app-behind \(mapped("GET /x"))"),
    ("GET /x", "data.kind", "a", "app-behind enum", "app-behind \(response)"),
    ("GET /x", "nope", "a", "undocumented property", "undocumented property"),
    ("GET /none", "status", "sold", "app-behind \(noResponse)", "app-behind enum"),
    (
      "GET /error", "status", "sold", "contract-broken (1 value)",
      "app-behind \(mapped("GET /error"))"
    ),
    ("hook", "status", "sold", "contract-broken (1 value)", "app-behind \(mapped("hook"))"),
    (nil, "status", "sold", "app-behind enum", "app-behind enum"),
    (nil, "nope", "a", "undocumented property", "undocumented property"),
  ])
  func `a map comes before an operation`(
    operation: String?, path: String, value: String, without: String, with: String
  ) throws {
    let envelope =
      #"{"properties": {"status": {"enum": ["ok", "error"]}, "data": \#(reference("Item"))}}"#
    let error = #"{"properties": {"status": {"enum": ["failed"]}}}"#
    for model in ["App.Item", "Swift.Array<App.Item>"] {
      let list = model == "App.Item" ? "" : "[]."
      func response(_ schema: String) -> String {
        Self.body(list.isEmpty ? schema : #"{"type": "array", "items": \#(schema)}"#)
      }
      let document = #"""
        {"openapi": "3.1.0", "paths": {
            "/x": {"get": {"responses": {"200": \#(response(envelope))}}},
            "/error": {"get": {"responses": {"default": \#(response(error))}}}},
          "webhooks": {"hook": {"post": {"requestBody": \#(response(error))}}},
          "components": {"schemas": {"Item": {"properties": {
            "status": {"enum": ["active", "sold"]}, "kind": {"enum": ["a"]}}}}}}
        """#
      for (map, expected) in [([:], without), (["App.Item": "Item"], with)] {
        let judgement = try TestContract(document, map: map).judgement(
          of: .make(
            model, operation: operation, kind: .unknownNovelValue, at: list + path, novel: value))
        let words = expected.split(separator: " ", maxSplits: 1)
        #expect(judgement.verdict.rawValue == words[0])
        #expect(judgement.reason.hasSuffix(words[1]), "\(judgement.reason)")
        #expect(
          (judgement.mapping == nil)
            == (map.isEmpty || expected.contains("of the response of GET /x, because")))
      }
    }
  }

  private static func mapped(_ operation: String) -> String {
    "the one that App.Item is mapped to, not that of the response of \(operation)"
  }
  private static let noPath =
    "the schema is the model's, because the response of GET /x does not have this path"
  private static let noResponse =
    "the schema is the model's, because the document has no JSON response of the operation"
  private static let response =
    "the schema is that of the response of GET /x, because the one for App.Item does not have this path"

  /// An app that decodes only a part of a response, which the response may exclude or not mention.
  @Test(arguments: ["true", "false"])
  func `a path that the response does not have is that of the model`(others: String) throws {
    let envelope =
      #"{"properties": {"data": {"type": "array"}}, "additionalProperties": \#(others)}"#
    let contract = try TestContract(
      #"""
      {"openapi": "3.1.0",
        "paths": {"/listings": {"get": {"responses": {"200": \#(Self.body(envelope))}}}},
        "components": {"schemas": {"Listing": {"required": ["id"], "properties": {
          "id": {}, "kind": {"enum": ["villa"]}, "owner": {"properties": {"kind": {"enum": ["a"]}}}}}}}}
      """#)
    func verdict(_ kind: ErrorDigest.Kind, _ path: String, _ value: String? = nil) -> Verdict {
      contract.judgement(
        of: .make(operation: "GET /listings", kind: kind, at: path, novel: value)
      ).verdict
    }
    // With free members the response says something of each: that it may be there.
    let isOpen = others == "true"
    #expect(verdict(.unknownNovelValue, "kind", "villa") == (isOpen ? .undocumented : .appBehind))
    #expect(
      verdict(.unknownNovelValue, "owner.kind", "b") == (isOpen ? .undocumented : .contractBroken))
    #expect(verdict(.keyNotFound, "id") == .contractBroken)
    #expect(verdict(.unknownKey, "kind") == .appBehind)
    // What neither has is judged by the response.
    #expect(
      verdict(.unknownNovelValue, "nope", "a") == (isOpen ? .undocumented : .contractBroken))
  }

  @Test(arguments: [
    ("{}", "openapi.json isn't an OpenAPI document: it has no member openapi"),
    (
      "[]",
      "openapi.json is not JSON; to read YAML, build digest-query with --traits OpenAPI, or convert it"
    ),
    (#"{"openapi": "3.1.0""#, "openapi.json is not valid JSON"),
    (#"{"swagger": "2.0"}"#, "openapi.json has version 2.0: convert it to OpenAPI 3.0 or 3.1"),
    (#"{"swagger": 2.0}"#, "openapi.json has version 2.0: convert it to OpenAPI 3.0 or 3.1"),
    (#"{"openapi": 2}"#, "openapi.json has version 2.0: convert it to OpenAPI 3.0 or 3.1"),
    (#"{"openapi": []}"#, "openapi.json isn't an OpenAPI document: it has no member openapi"),
    (#"{"openapi": "4.0.0"}"#, "openapi.json has version 4.0.0: convert it to OpenAPI 3.0 or 3.1"),
  ])
  func `what isn't a document of version 3 gets one line`(text: String, message: String) throws {
    #if OpenAPI
      guard !message.contains("YAML") else { return }
    #endif
    #expect(throws: DocumentError.self) { _ = try TestContract(text) }
    do { _ = try TestContract(text) } catch let error as DocumentError {
      #expect(error.description.hasSuffix(message))
    }
  }
}

/// References to other files.
struct ReferenceTests {
  private static let kind = #"{"Kind": {"enum": ["a"]}, "Far": {"$ref": "sub/far.json#/Kind"}}"#

  @Test(arguments: [
    ("kinds.json#/Kind", "kinds.json#/Kind/enum"),
    ("./kinds.json#/Kind", "kinds.json#/Kind/enum"),
    ("kinds.json#/Far", "kinds.json#/Kind/enum"),
    ("whole.json", "whole.json#/enum"), ("a%20b.json", "a b.json#/enum"),
    ("#/components/schemas/a~1b", "/components/schemas/a~1b/enum"),
    ("openapi.json#/components/schemas/a~1b", "/components/schemas/a~1b/enum"),
  ])
  func `a file beside the document is read`(reference: String, pointer: String) throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": {"properties": {"p": {"$ref": "\#(reference)"}}}, "a/b": {"enum": ["a"]}
        """#,
      files: [
        "kinds.json": Self.kind, "whole.json": #"{"enum": ["a"]}"#,
        "a b.json": #"{"enum": ["a"]}"#,
        "sub/far.json": #"{"Kind": {"$ref": "../kinds.json#/Kind"}}"#,
      ])
    let judgement = contract.judgement(of: .novel("a"))
    #expect(judgement.verdict == .appBehind)
    #expect(judgement.place?.text == pointer)
  }

  @Test(arguments: [
    "gone.json#/Kind", "kinds.json#/Gone", "../kinds.json#/Kind", "/etc/passwd", "sub/../../x.json",
    "https://example.com/kinds.json", "#Kind", "%zz.json", "#/components/schemas/Listing/0",
    "broken.json", "#/components/schemas/Circle", "file:///etc/passwd",
  ])
  func `what is not there, or not beside it, is unmapped`(reference: String) throws {
    let contract = try TestContract(
      schemas: #"""
        "Listing": {"properties": {"p": {"$ref": "\#(reference)"}}},
        "Circle": {"$ref": "#/components/schemas/Round"},
        "Round": {"anyOf": [{"$ref": "#/components/schemas/Circle"}]}
        """#, files: ["kinds.json": Self.kind, "broken.json": "{"])
    #expect(contract.judgement(of: .novel("a")).verdict == .unmapped)
  }

  /// The parts of a document in whose place a reference can stand.
  enum Referrer: String, CaseIterable {
    case paths, path, operation, responses, response, content, media, schema, property, parameter
    case header, webhooks, webhook, webhookOperation, requestBody, schemas
  }

  /// A document whose referrer is a reference, and what it refers to.
  private static func document(
    _ referrer: Referrer, _ reference: String
  ) -> (document: String, target: String) {
    var target = "{}"
    func part(_ part: Referrer, _ value: String) -> String {
      guard part == referrer else { return value }
      target = value
      return #"{"$ref": "\#(reference)"}"#
    }
    func content(_ value: String) -> String {
      let property = part(.property, #"{"enum": ["\#(value)"]}"#)
      let schema = part(.schema, #"{"properties": {"p": \#(property)}}"#)
      return part(.content, #"{"application/json": \#(part(.media, #"{"schema": \#(schema)}"#))}"#)
    }
    let response = part(
      .response, #"{"headers": {"h": \#(part(.header, "{}"))}, "content": \#(content("a"))}"#)
    let get = part(
      .operation,
      #"{"parameters": [\#(part(.parameter, "{}"))], "responses": \#(part(.responses, #"{"200": \#(response)}"#))}"#
    )
    let paths = part(.paths, #"{"/x": \#(part(.path, #"{"get": \#(get)}"#))}"#)
    let hook = part(
      .webhookOperation,
      #"{"requestBody": \#(part(.requestBody, #"{"content": {"text/json": {"schema": {"properties": {"p": {"enum": ["a"]}}}}}}"#))}"#
    )
    let webhooks = part(.webhooks, #"{"hook": \#(part(.webhook, #"{"post": \#(hook)}"#))}"#)
    let schemas = part(.schemas, #"{"Named": {"properties": {"p": {"enum": ["a"]}}}}"#)
    return (
      #"{"openapi": "3.1.0", "paths": \#(paths), "webhooks": \#(webhooks), "components": {"schemas": \#(schemas), "x": \#(target)}}"#,
      target
    )
  }

  /// An operation or a model whose verdict depends on a referrer.
  private static func failure(_ referrer: Referrer) -> ContractFailure {
    let hooks: [Referrer] = [.webhooks, .webhook, .webhookOperation, .requestBody]
    return .make(
      referrer == .schemas ? "App.Named" : "App.Model",
      operation: referrer == .schemas ? nil : hooks.contains(referrer) ? "hook" : "GET /x",
      kind: .unknownNovelValue, novel: "a")
  }

  @Test(
    arguments: Referrer.allCases,
    ["#/components/x", "part.json", "./a%20b.json#/x", "sub/../part.json", "sub/far.json"])
  func `a reference is followed wherever bundlers follow it`(
    referrer: Referrer, reference: String
  ) throws {
    let (document, target) = Self.document(referrer, reference)
    let contract = try TestContract(
      document,
      files: [
        "part.json": target, "a b.json": #"{"x": \#(target)}"#,
        "sub/far.json": #"{"$ref": "../openapi.json#/components/x"}"#,
      ])
    let judgement = contract.judgement(of: Self.failure(referrer))
    #expect(judgement.verdict == .appBehind)
    #expect(judgement.reason == "the document has this value in its enum")
  }

  @Test(
    arguments: Referrer.allCases,
    ["#/components/y", "gone.json", "../part.json", "https://example.com/part.json"])
  func `a reference that leads nowhere is named`(referrer: Referrer, reference: String) throws {
    let (document, _) = Self.document(referrer, reference)
    let judgement = try TestContract(document).judgement(of: Self.failure(referrer))
    switch referrer {
    // No verdict depends on these.
    case .header, .parameter: #expect(judgement.verdict == .appBehind)
    // The names of what is in them are not known.
    case .paths, .webhooks, .schemas: #expect(judgement.verdict == .unmapped)
    default:
      #expect(judgement.verdict == .unmapped)
      #expect(
        judgement.reason.hasPrefix(
          "the document has a reference here that cannot be resolved: \(reference)"),
        "\(judgement.reason)")
    }
  }

  /// Schemas that are 2^40 if they are written out.
  @Test func `schemas that double at each step are left open`() throws {
    let steps = (0..<40).map { step in
      let next = reference("S\(step + 1)")
      return #""S\#(step)": {"allOf": [\#(next), \#(next)]}"#
    }
    let ends = [#""S40": {"enum": ["a"]}"#, #""Listing": \#(reference("S0"))"#]
    let contract = try TestContract(schemas: (steps + ends).joined(separator: ","))
    #expect(contract.judgement(of: .novel("z", at: "")).verdict == .contractBroken)
    #expect(contract.contract.workDone < 200)
  }

  /// A long path through a schema that has itself several times.
  @Test func `a long path through a schema of itself has an answer`() throws {
    let whole = reference("Listing")
    let contract = try TestContract(
      schemas: #"""
        "Listing": {"anyOf": [{"properties": {"a": \#(whole)}}, {"properties": {"a": \#(whole)}},
          {"properties": {"a": {"anyOf": [\#(whole), \#(whole)]}}}]}
        """#)
    let path = Array(repeating: "a", count: 128).joined(separator: ".")
    #expect(contract.judgement(of: .novel("z", at: path)).verdict == .undocumented)
  }

  @Test(arguments: [[:], ["Swift.Array<App.Listing>": "Page"]])
  func `a path that leads nowhere names the model to map`(map: [String: String]) throws {
    let schemas = ["Listing", "Page"].map { #""\#($0)": {"properties": {"a": {}}}"# }
    let contract = try TestContract(schemas: schemas.joined(separator: ","), map: map)
    let judgement = contract.judgement(
      of: .make("Swift.Array<App.Listing>", kind: .typeMismatch, at: "[].b.c"))
    #expect(judgement.verdict == .unmapped)
    #expect(judgement.missing?.model == map.keys.first ?? "App.Listing")
  }

  /// What an operation has, and why the model's schema is used instead.
  @Test(arguments: [
    (responses(#"{"properties": {"p": {"type": "strng"}}}"#), "cannot be followed"),
    (responses(##"{"$ref": "#/gone"}"##), "cannot be followed"),
    (responses(#"{"properties": {"q": {}}}"#), "does not have this path"),
    (#"{"$ref": "gone.json"}"#, "cannot be followed: gone.json"),
  ])
  func `the reason says why the schema is the model's`(operation: String, why: String) throws {
    let contract = try TestContract(
      #"""
      {"openapi": "3.1.0", "paths": {"/a": {"get": \#(operation)}},
        "components": {"schemas": {"Listing": {"properties": {"p": {"enum": ["x"]}}}}}}
      """#)
    let judgement = contract.judgement(
      of: .make(operation: "GET /a", kind: .unknownNovelValue, novel: "x"))
    #expect(judgement.verdict == .appBehind)
    #expect(
      judgement.reason.hasSuffix(
        "; the schema is the model's, because the response of GET /a \(why)"))
  }

  private static func responses(_ schema: String) -> String {
    #"{"responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}}"#
  }
}
