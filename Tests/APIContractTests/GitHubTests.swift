import Foundation
import ResilientDecoding
import Testing

@testable import APIContract

/// What a real backend documents, against what it sends, for models that are wrong in known ways.
///
/// The document is read from `$GITHUB_OPENAPI`, or from `shared/data/github-openapi` beside the
/// package, and payloads likewise from `$GITHUB_WEBHOOKS` or `shared/data/github-webhooks`: the
/// schemas and the examples of octokit/webhooks.
@Suite(.enabled(if: GitHub.isThere, "needs the schemas and payloads of octokit/webhooks"))
struct GitHubTests {
  /// The verdicts on all errors of a model, by path, kind and value.
  private func verdicts<Model: Decodable>(
    _ model: Model.Type, _ change: (inout [String: Any]) -> Void = { _ in }
  ) throws -> Set<String> {
    let contract = try APIContract(path: GitHub.document.path)
    var verdicts: Set<String> = []
    for (event, payload) in try GitHub.payloads() {
      var object = try #require(
        try JSONSerialization.jsonObject(with: payload) as? [String: Any])
      change(&object)
      let data = try JSONSerialization.data(withJSONObject: object)
      let reporter = ResilientDecodingErrorReporter()
      _ = try? reporter.collectErrors { try JSONDecoder().decode(model, from: data) }
      for entry in reporter.flushReportedErrors()?.entries ?? [] {
        let failure = ContractFailure(
          model: "App.Event", operation: event, path: entry.codingPath.generalized,
          kind: entry.kind, expectedType: entry.expectedType, novelValue: entry.novelValue?.text,
          valueType: entry.novelValue?.type, found: entry.foundValue)
        let verdict = contract.judgement(of: failure).verdict
        verdicts.insert(
          "\(entry.codingPath.pattern) \(entry.kind) \(entry.novelValue?.text ?? "-"): \(verdict.rawValue)"
        )
      }
    }
    return verdicts
  }

  private enum Account: String, ResilientRawRepresentable {
    case user = "User"
    case organization = "Organization"
  }

  private struct Behind: Decodable {
    struct User: Decodable { @Resilient var type: Account? }

    struct Repository: Decodable {
      @Resilient var createdAt: String?
      @Resilient var id: String?
      enum CodingKeys: String, CodingKey {
        case createdAt = "created_at"
        case id
      }
    }

    @Resilient var sender: User?
    @Resilient var repository: Repository?
  }

  @Test func `an app that lacks documented values and types is behind`() throws {
    #expect(
      try verdicts(Behind.self) == [
        "sender.type unknownNovelValue Bot: app-behind",
        "repository.created_at typeMismatch -: app-behind",
        "repository.id typeMismatch -: app-behind",
      ])
  }

  private struct Demanding: Decodable {
    struct User: Decodable { let email: String }

    struct Repository: Decodable {
      let name: String
      @Resilient var language: Name?
      @Resilient var homepage: Name?

      struct Name: Decodable {
        init(from decoder: any Decoder) throws {
          _ = try decoder.singleValueContainer().decode(String.self)
        }
      }
    }

    struct Other: Decodable { let nope: Int }

    @Resilient var sender: User?
    @Resilient var repository: Repository?
    @Resilient var organization: Other?
  }

  @Test func `an app that requires more than the document differs`() throws {
    #expect(
      try verdicts(Demanding.self) == [
        "sender.email keyNotFound -: model-differs",
        "organization.nope keyNotFound -: model-differs",
      ])
  }

  /// A payload that is as documented is never called broken, whatever an app takes for it.
  @Test func `the backend is not accused of what it documents`() throws {
    struct Text: Decodable {
      @Resilient var action: Int?
      @Resilient var sender: [String]?
      @Resilient var issue: Inner?
      @Resilient var pullRequest: Inner?
      @Resilient var repository: Inner?
      @Resilient var release: Inner?
      @Resilient var checkRun: Inner?

      enum CodingKeys: String, CodingKey {
        case action, sender, issue, repository, release
        case pullRequest = "pull_request"
        case checkRun = "check_run"
      }

      struct Inner: Decodable {
        @Resilient var id: Bool?
        @Resilient var state: [Int]?
        @Resilient var labels: String?
        @Resilient var user: Int?
        @Resilient var body: Int?
        @Resilient var milestone: Int?
        @Resilient var createdAt: Bool?
        @Resilient var draft: String?
        @Resilient var owner: [Int]?
        @Resilient var conclusion: Int?

        enum CodingKeys: String, CodingKey {
          case id, state, labels, user, body, milestone, draft, owner, conclusion
          case createdAt = "created_at"
        }
      }
    }
    let verdicts = try verdicts(Text.self)
    #expect(verdicts.count > 20)
    #expect(verdicts.filter { !$0.hasSuffix("app-behind") } == [])
  }

  @Test func `what the document excludes is the backend's`() throws {
    struct Event: Decodable {
      struct User: Decodable {
        let login: String
        @Resilient var type: Account?
      }

      @Resilient var sender: User?
    }
    let changed = try verdicts(Event.self) { object in
      guard var sender = object["sender"] as? [String: Any] else { return }
      sender["type"] = "Mannequin"
      object["sender"] = sender
    }
    // The events of one product document any string there.
    #expect(
      changed == [
        "sender.type unknownNovelValue Mannequin: contract-broken",
        "sender.type unknownNovelValue Mannequin: undocumented",
      ])
    let missing = try verdicts(Event.self) { object in
      guard var sender = object["sender"] as? [String: Any] else { return }
      (sender["login"], sender["type"]) = (nil, "User")
      object["sender"] = sender
    }
    #expect(missing == ["sender.login keyNotFound -: contract-broken"])
    let null = try verdicts(Event.self) { object in
      guard var sender = object["sender"] as? [String: Any] else { return }
      (sender["login"], sender["type"]) = (NSNull(), "User")
      object["sender"] = sender
    }
    #expect(null == ["sender.login valueNotFound -: contract-broken"])
  }
}

private enum GitHub {
  private static let shared = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/data").standardizedFileURL

  static let document =
    ProcessInfo.processInfo.environment["GITHUB_OPENAPI"].map { URL(filePath: $0) }
    ?? shared.appending(path: "github-openapi/openapi.json")

  private static let folder =
    ProcessInfo.processInfo.environment["GITHUB_WEBHOOKS"].map { URL(filePath: $0) }
    ?? shared.appending(path: "github-webhooks")

  static var isThere: Bool {
    [document, folder].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// The payloads with the names of their events.
  static func payloads() throws -> [(event: String, Data)] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try files.filter { $0.hasSuffix(".json") }.sorted().map { file in
      (String(file.prefix { $0 != "/" }), try Data(contentsOf: folder.appending(path: file)))
    }
  }
}
