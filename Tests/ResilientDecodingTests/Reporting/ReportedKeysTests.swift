import Foundation
import ResilientDocuments
import ResilientPlatform
import Testing

@testable import ResilientDecoding

/// Missing keys, which a decode reports if it is asked to.
struct ReportedKeysTests {
  private struct Wrappers: Decodable {
    @Resilient var optional: Int?
    @Resilient var array: [String]
    @Resilient var optionalArray: [Int]?
    @Resilient var dictionary: [String: Int]
    @Resilient var optionalDictionary: [String: [Int]]?
    @Resilient var kind: Kind?
    @Resilient var set: Set<Int>
    @ResilientDefault<Untitled> var name: String
    @ResilientElements<Untitled> var tags: [String]
    @ResilientLossless var price: Double?
    @ResilientLossless var prices: [Double]
    let plain: Int?
  }

  @Test(arguments: Format.allCases)
  func `each wrapper's missing key is reported, and null is not`(format: Format) throws {
    let (value, digest) = try KeyReport.decode(Wrappers.self, "{}", .missing, as: format)
    #expect(
      KeyReport.lines(digest) == [
        "optional missingKey Int", "array missingKey Array<String>",
        "optionalArray missingKey Array<Int>", "dictionary missingKey Dictionary<String, Int>",
        "optionalDictionary missingKey Dictionary<String, Array<Int>>",
        "kind missingKey ResilientDecodingTests.Kind", "set missingKey Set<Int>",
        "name missingKey String", "tags missingKey Array<String>",
        "price missingKey Double", "prices missingKey Array<Double>",
      ])
    #expect(digest?.errors.isEmpty == true)
    #expect(digest?.errors(includeUnknownNovelValueErrors: true).count == 11)
    #expect(value.optional == nil && value.array.isEmpty && value.name == "untitled")
    #if DEBUG
      guard case .keyNotFound = value.$optional.outcome else {
        Issue.record("\(value.$optional.outcome)")
        return
      }
    #endif

    let null = """
      {"optional": null, "array": null, "optionalArray": null, "dictionary": null,
        "optionalDictionary": null, "kind": null, "set": null, "name": null, "tags": null,
        "price": null, "prices": null}
      """
    #expect(try KeyReport.decode(Wrappers.self, null, .missing, as: format).1 == nil)
    #expect(try KeyReport.decode(Wrappers.self, "{}", [], as: format).1 == nil)
    #expect(try KeyReport.decode(Wrappers.self, "{}", .unknown, as: format).1 == nil)
  }

  private struct Nested: Decodable {
    @Resilient var items: [Item]
    @Resilient var named: [String: Item]

    struct Item: Decodable {
      @Resilient var name: String?
      @Resilient var mood: Mood
      let id: Int
    }
  }

  @Test(arguments: Format.allCases)
  func `missing keys have exact paths, and a required one stays an error`(format: Format) throws {
    let json =
      #"{"items": [{"id": 1, "mood": "calm"}, {"id": 2, "name": "a"}], "named": {"k": {"id": 3, "mood": "calm"}}}"#
    let (_, digest) = try KeyReport.decode(Nested.self, json, .missing, as: format)
    #expect(
      KeyReport.lines(digest) == [
        "items[0].name missingKey String",
        "items[1].mood keyNotFound ResilientDecodingTests.Mood", "named.k.name missingKey String",
      ])
    #expect(digest?.errors.count == 1)
    #expect(
      digest?.debugDescription.contains("Found no key \"name\" (this error is not reported") == true
    )
  }

  @Test func `a decoder's userInfo asks for missing keys, with a reporter of either kind`() throws {
    struct Model: Decodable { @Resilient var name: String? }
    let decoder = JSONDecoder()
    let data = Data("{}".utf8)
    #expect(
      try decoder.decode(Model.self, from: data, reportResilientDecodingErrors: true).1 == nil)
    decoder.userInfo[.reportsMissingKeys] = true
    let (_, digest) = try decoder.decode(
      Model.self, from: data, reportResilientDecodingErrors: true)
    #expect(KeyReport.lines(digest) == ["name missingKey String"])
    let reporter = decoder.enableResilientDecodingErrorReporting()
    _ = try decoder.decode([Model].self, from: Data("[{}, {}]".utf8))
    #expect(
      KeyReport.lines(reporter.flushReportedErrors()) == [
        "[0].name missingKey String", "[1].name missingKey String",
      ])
    decoder.userInfo[.reportsMissingKeys] = false
    _ = try decoder.decode(Model.self, from: data)
    #expect(reporter.flushReportedErrors() == nil)
    // Nobody listens.
    decoder.userInfo = [.reportsMissingKeys: true]
    _ = try decoder.decode(Model.self, from: data)
  }

  @Test func `an attempt that throws takes its missing keys back`() throws {
    struct Form: Decodable {
      @Resilient var a: Int?
      let b: Int
    }
    struct Other: Decodable { @Resilient var c: Int? }
    struct Union: Decodable {
      init(from decoder: any Decoder) throws {
        do {
          _ = try decoder.withReportingCheckpoint { try Form(from: decoder) }
        } catch {
          _ = try decoder.withReportingCheckpoint { try Other(from: decoder) }
        }
      }
    }
    let (_, digest) = try KeyReport.decode(Union.self, "{}", .missing)
    #expect(KeyReport.lines(digest) == ["c missingKey Int"])
  }

  @Test func `missing keys take at most half of a digest`() throws {
    struct Model: Decodable {
      @Resilient var name: String?
    }
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 4)
    reporter.reportedKeys = .missing
    _ = try reporter.collectErrors {
      try JSONDecoder().decode(
        [Model].self, from: Data(#"[{}, {}, {}, {}, {}, {"name": 1}]"#.utf8))
    }
    let digest = reporter.flushReportedErrors()
    #expect(
      KeyReport.lines(digest) == [
        "[0].name missingKey String", "[1].name missingKey String",
        "[5].name typeMismatch String number 1",
      ])
    #expect(digest?.errors.count == 1)
    #expect(digest?.omissions.map(\.count) == [3])
    #expect(digest?.omissions.first?.failure.kind == .missingKey)
    #expect(digest?.omissions.first?.failure.codingPath.description == "[].name")
  }

  @Test(arguments: Format.allCases)
  func `a reporter in a decoder's userInfo asks for missing keys too`(format: Format) throws {
    struct Model: Decodable { @Resilient var name: String? }
    let reporter = ResilientDecodingErrorReporter()
    reporter.reportedKeys = .missing
    _ = try format.decode(
      Model.self, from: "{}", userInfo: [.resilientDecodingErrorReporter: reporter])
    #expect(KeyReport.lines(reporter.flushReportedErrors()) == ["name missingKey String"])
  }

  @Test func `a document is decoded later with the options of its decoder`() throws {
    struct Model: Decodable { @Resilient var name: String? }
    let decoder = JSONDecoder()
    decoder.userInfo[.reportsMissingKeys] = true
    let reporter = decoder.enableResilientDecodingErrorReporting()
    let document = try decoder.decode(DecodableDocument.self, from: Data("{}".utf8))
    _ = try document.decode(Model.self)
    #expect(KeyReport.lines(reporter.flushReportedErrors()) == ["name missingKey String"])
  }

  @Test func `both kinds of keys come from one decode, on several threads`() throws {
    let json = #"{"id": 1, "title": "Loft", "tags": [], "rooms": [], "prices": {}, "owner": null}"#
    let decoder = JSONDecoder()
    decoder.userInfo[.reportsMissingKeys] = true
    decoder.userInfo[.reportsUnknownKeys] = true
    let results = Locked<[[String]]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        let digest = try? decoder.decodeReporting(KeyReport.Listing.self, json).1
        let lines = KeyReport.lines(digest)
        results.withLock { $0.append(lines) }
      }
    }
    let expected = ["name missingKey String", "title unknownKey string \"Loft\""]
    #expect(results.withLock { $0 } == Array(repeating: expected, count: 160))
  }
}
