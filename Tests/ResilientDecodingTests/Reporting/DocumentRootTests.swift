import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

/// What is reported does not depend on the options and on the call that decodes.
struct DocumentRootTests {
  /// Members of a model, and values for each.
  static let members = [
    "plain", "plains", "byName", "rows", "maybe", "url", "at", "side", "byte", "open", "document",
    "list", "lists", "map", "maps", "optional", "fallback", "number", "text", "replaced",
  ]

  static let values = [
    "null", "7", "300", "1.5", #""x""#, "[]", "{}", "[null]", "[7]", #"["x"]"#, "[[null]]",
    #"[["x", 1]]"#, #"{"a": null}"#, #"{"a": 7}"#, #"{"a": [null, "x"]}"#, #"{"x": null}"#,
    #"[{"x": 1, "y": "b"}]"#, #"{"a": {"x": 1, "y": "b"}}"#, #"{"new": 1}"#,
  ]

  private static let internalNames = [
    "ResilientDecoding.", "Recoverable", "Entry<", "Traced", "DocumentRoot", "Conversion",
  ]

  enum Call: CaseIterable {
    case reporting, collecting, collectingReporting
  }

  @Test(arguments: members)
  func `recovered errors are the same with all options and calls`(member: String) throws {
    for value in Self.values {
      let json = #"{"p": [{"\#(member)": \#(value)}]}"#
      let expected = try outcome(of: List.self, json, [], .reporting)
      #expect(Self.internalNames.allSatisfy { !expected.joined().contains($0) })
      for options in Self.options {
        for call in Call.allCases {
          let outcome = try outcome(of: List.self, json, options, call)
          #expect(outcome == expected, "\(json) \(options) \(call)")
        }
      }
    }
  }

  @Test(arguments: members)
  func `thrown errors are the same with all options and calls`(member: String) throws {
    for value in Self.values {
      let json = #"{"\#(member)": \#(value)}"#
      let expected = try outcome(of: Everything.self, json, [], .collectingReporting)
      #expect(Self.internalNames.allSatisfy { !expected.joined().contains($0) })
      for options in Self.options {
        let outcome = try outcome(of: Everything.self, json, options, .collectingReporting)
        #expect(outcome == expected, "\(json) \(options)")
      }
      let subclass = try outcome(
        of: Everything.self, json, [], .collectingReporting, TypeAwareDecoder())
      // An error about a number is another one once it has left the decoder.
      #expect(subclass == expected || member == "byte", "\(json)")
      // Without a call of the library, no decoder shows what the payload has.
      let collected = try outcome(of: Everything.self, json, [], .collecting)
      #expect(collected.count == expected.count)
      #expect(collected.first == expected.first)
    }
  }

  @Test(arguments: ["plain", "plains", "byName", "points", "rows", "map", "document", "url"])
  func `null in place of a required value names the model's type`(member: String) throws {
    let members = [
      #""plain": {"x": 1, "y": 1}"#, #""plains": []"#, #""byName": {}"#, #""points": {}"#,
      #""rows": []"#, #""map": {}"#, #""document": 1"#, #""url": "a""#,
    ].filter { !$0.hasPrefix(#""\#(member)""#) }
    for value in ["null", "[null]", "[[null]]", #"{"a": null}"#, #"{"a": [null]}"#] {
      let json = "{\(members.joined(separator: ",")), \"\(member)\": \(value)}"
      let list = #"{"p": [\#(json)]}"#
      let thrown = try outcome(of: Required.self, json, [], .collectingReporting)
      let recovered = try outcome(of: RequiredList.self, list, [], .reporting)
      for options in Self.options {
        let outcomes = [
          try outcome(of: Required.self, json, options, .collectingReporting),
          try outcome(of: RequiredList.self, list, options, .reporting),
        ]
        #expect(outcomes == [thrown, recovered])
        let text = outcomes.joined().joined()
        #expect(Self.internalNames.allSatisfy { !text.contains($0) }, "\(text)")
      }
    }
  }

  /// Decodes an empty body as an empty value.
  private final class TypeAwareDecoder: JSONDecoder, @unchecked Sendable {
    struct Empty: Decodable {}

    override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
      if let empty = Empty() as? T, data.isEmpty { return empty }
      return try super.decode(type, from: data)
    }
  }

  @Test func `a subclass is asked for the type itself`() throws {
    let (_, digest) = try TypeAwareDecoder().decode(
      TypeAwareDecoder.Empty.self, from: Data(), reportResilientDecodingErrors: true)
    #expect(digest == nil)
    #expect(throws: DecodingError.self) {
      try TypeAwareDecoder().decode(Int.self, from: Data(), reportResilientDecodingErrors: true)
    }
  }

  private static let options: [[CodingUserInfoKey]] = [
    [], [.reportsMissingKeys], [.reportsUnknownKeys], [.reportsMissingKeys, .reportsUnknownKeys],
  ]

  /// The thrown error and the entries, without those that only an option reports.
  private func outcome<T: Decodable>(
    of type: T.Type, _ json: String, _ options: [CodingUserInfoKey], _ call: Call,
    _ decoder: JSONDecoder = JSONDecoder()
  ) throws -> [String] {
    decoder.dateDecodingStrategy = .iso8601
    for option in options { decoder.userInfo[option] = true }
    let data = Data(json.utf8)
    let reporter = ResilientDecodingErrorReporter()
    var thrown = "nothing"
    var digest: ErrorDigest?
    do {
      switch call {
      case .reporting:
        digest = try decoder.decode(type, from: data, reportResilientDecodingErrors: true).1
      case .collecting:
        _ = try reporter.collectErrors { try decoder.decode(type, from: data) }
      case .collectingReporting:
        digest = try reporter.collectErrors {
          try decoder.decode(type, from: data, reportResilientDecodingErrors: true).1
        }
      }
    } catch {
      thrown = String(reflecting: error)
    }
    digest = digest ?? reporter.flushReportedErrors()
    let entries = digest?.entries.filter { ![.missingKey, .unknownKey].contains($0.kind) } ?? []
    return [thrown] + entries.map { "\($0) \($0.recoveryPath) \($0.message) \($0.error)" }
  }
}

private struct Everything: Decodable {
  let plain: Point?
  let plains: [Point]?
  let byName: [String: Point]?
  let rows: [[Int]]?
  let maybe: [Int?]?
  let url: URL?
  let at: Date?
  let side: Side?
  let byte: UInt8?
  let open: Open<Kind>?
  let document: DecodableDocument?
  @Resilient var list: [Point]
  @Resilient var lists: [[Point]]?
  @Resilient var map: [String: Point]
  @Resilient var maps: [String: [String: Int]]
  @Resilient var optional: Point?
  @Resilient var fallback: Mood
  @ResilientLossless var number: Int?
  @ResilientDefault<DefaultValue.EmptyString> var text: String
  @ResilientElements<DefaultValue.Zero<Int>> var replaced: [Int]
}

private struct List: Decodable {
  @Resilient var p: [Everything]
}

private struct Required: Decodable {
  let plain: Point
  let plains: [Point]
  let byName: [String: Point]
  let points: [String: [Point]]
  @Resilient var rows: [[Point]]
  @Resilient var map: [String: [Point]]
  let document: DecodableDocument
  let url: URL
}

private struct RequiredList: Decodable {
  @Resilient var p: [Required]
}
