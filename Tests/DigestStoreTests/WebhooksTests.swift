import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Real payloads of the GitHub API, decoded with a model that is some years behind it.
///
/// They are read from `$GITHUB_WEBHOOKS`, or from `shared/data/github-webhooks` beside the package:
/// the `payload-examples/api.github.com` of octokit/webhooks.
@Suite(.enabled(if: Payloads.areThere, "needs the payloads of octokit/webhooks"))
struct WebhooksTests {
  @Test func `the store agrees with the files`() throws {
    let payloads = try Payloads.all()
    let temporary = try TemporaryStore()

    for payload in payloads {
      _ = try JSONDecoder().decode(
        Webhook.self, from: payload, recordingTo: temporary.store, release: "2019.1")
    }

    let documents = try payloads.map { try JSONSerialization.jsonObject(with: $0) }
    /// Counts occurrences and digests.
    func count(_ pattern: String, _ isNovel: (Any) -> Bool) -> [Int]? {
      let perFile = documents.map { values(at: pattern, of: $0).count(where: isNovel) }
      let files = perFile.count { $0 > 0 }
      return files == 0 ? nil : [perFile.reduce(0, +), files]
    }
    func novel<Known: RawRepresentable & CaseIterable>(
      _ pattern: String, _ known: Known.Type
    ) -> [String: [Int]] where Known.RawValue == String {
      let values = documents.flatMap { self.values(at: pattern, of: $0) }.compactMap {
        $0 as? String
      }
      let unknown = Set(values).subtracting(known.allCases.map(\.rawValue))
      return Dictionary(
        uniqueKeysWithValues: unknown.compactMap { value in
          count(pattern) { $0 as? String == value }.map { ("\(pattern) \(value)", $0) }
        })
    }
    let expected = [
      novel("sender.type", Account.self), novel("repository.owner.type", Account.self),
      novel("check_run.conclusion", Conclusion.self),
      novel("workflow_job.status", Status.self),
      novel("workflow_job.steps[].conclusion", Conclusion.self),
    ].reduce(into: [:]) { $0.merge($1) { $1 } }

    let novelValues = try temporary.store.novelValues()
    #expect(
      Dictionary(
        uniqueKeysWithValues: novelValues.map {
          ("\($0.codingPath) \($0.novelValue ?? "")", [$0.occurrences, $0.digests])
        }) == expected)
    #expect(expected["sender.type Bot"] == [4, 4])

    let mismatches = try temporary.store.failures().filter { $0.kind == .typeMismatch }
    #expect(
      Dictionary(
        uniqueKeysWithValues: mismatches.map {
          ("\($0.codingPath) \($0.expectedType ?? "")", [$0.occurrences, $0.digests])
        })
        == ["repository.created_at String": count("repository.created_at") { $0 is NSNumber }])
    #expect(mismatches.map(\.occurrences) == [6])

    #expect(try temporary.store.failures().count == novelValues.count + mismatches.count)
    #expect(try temporary.store.verify().isSound)
  }

  /// The values that a document has at a pattern.
  private func values(at pattern: String, of document: Any) -> [Any] {
    pattern.split(separator: ".").reduce([document]) { values, step in
      let key = step.hasSuffix("[]") ? step.dropLast(2) : step
      let found = values.compactMap { ($0 as? [String: Any])?[String(key)] }
      return step.hasSuffix("[]") ? found.flatMap { $0 as? [Any] ?? [] } : found
    }
  }
}

private enum Payloads {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["GITHUB_WEBHOOKS"] {
      return URL(filePath: path)
    }
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.appending(path: "../shared/data/github-webhooks").standardizedFileURL
  }()

  static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static func all() throws -> [Data] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let payloads = files.filter { $0.hasSuffix(".json") }.sorted()
    #expect(payloads.count == 272)
    return try payloads.map { try Data(contentsOf: folder.appending(path: $0)) }
  }
}

private enum Account: String, ResilientRawRepresentable, CaseIterable {
  case user = "User"
  case organization = "Organization"
}

private enum Conclusion: String, ResilientRawRepresentable, CaseIterable {
  case success, failure
}

private enum Status: String, ResilientRawRepresentable, CaseIterable {
  case queued, completed
  case inProgress = "in_progress"
}

private struct Webhook: Decodable {
  @Resilient var action: String?
  @Resilient var sender: User?
  @Resilient var repository: Repository?
  @Resilient var checkRun: CheckRun?
  @Resilient var workflowJob: Job?

  enum CodingKeys: String, CodingKey {
    case action, sender, repository
    case checkRun = "check_run"
    case workflowJob = "workflow_job"
  }

  struct User: Decodable {
    let login: String
    @Resilient var type: Account?
  }

  struct Repository: Decodable {
    let fullName: String
    @Resilient var createdAt: String?
    @Resilient var owner: User?
    @Resilient var topics: [String]

    enum CodingKeys: String, CodingKey {
      case fullName = "full_name"
      case createdAt = "created_at"
      case owner, topics
    }
  }

  struct CheckRun: Decodable {
    let name: String
    @Resilient var conclusion: Conclusion?
  }

  struct Job: Decodable {
    let name: String
    @Resilient var status: Status?
    @Resilient var steps: [Step]
  }

  struct Step: Decodable {
    let name: String
    @Resilient var conclusion: Conclusion?
  }
}
