#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import ResilientPlatform

  /// `POST /v1/triage`: adds a line to the file of decisions, as `digest-query triage` does.
  struct TriageRoute: Sendable {
    let processes: ReportProcesses
    let file: String

    /// A decision on the failures that match all of its patterns.
    private struct Decision: Decodable {
      let decision: String
      let model: String?
      let path: String?
      let kind: String?
      let value: String?
      let reason: String
      let until: String?

      var options: [(name: String, value: String?)] {
        [
          ("model", model), ("path", path), ("kind", kind), ("value", value), ("reason", reason),
          ("until", until),
        ]
      }
    }

    func respond(to request: Request, _ context: CollectorContext) async throws -> Response {
      guard context.mayTriage else {
        return .failure(.forbidden, "this token may only read; one with the word triage may decide")
      }
      guard request.isOfSameOrigin else {
        return .failure(.forbidden, "a decision comes from a page of this server")
      }
      // A form of another site cannot send this type.
      guard request.headers[.contentType] == "application/json" else {
        return .failure(.unsupportedMediaType, "send a decision as application/json")
      }
      let body = try await request.body.collect(upTo: 16 << 10)
      let decision: Decision
      do {
        decision = try JSONDecoder().decode(Decision.self, from: Data(body.readableBytesView))
      } catch {
        return .failure(
          .badRequest,
          "a decision has a decision, a reason, and some of model, path, kind, value, until")
      }
      guard ["ignore", "resolve"].contains(decision.decision) else {
        return .failure(.badRequest, "decision is neither ignore nor resolve")
      }
      var line = ["triage", decision.decision, "--triage=\(file)"]
      for (name, value) in decision.options {
        guard let value else { continue }
        guard !value.utf8.contains(0) else {
          return .failure(.badRequest, "\(name) has a NUL character")
        }
        line.append("--\(name)=\(value)")
      }
      if let name = context.token?.name { line.append("--by=\(name)") }
      return try await processes.respond(to: line, context) { answer in
        .json(.json(["notes": answer.notes]))
      }
    }
  }

  extension Request {
    /// Whether the request is not one that a page of another site has made.
    fileprivate var isOfSameOrigin: Bool {
      if let site = headers[.init("Sec-Fetch-Site")!], site != "same-origin" { return false }
      guard let origin = headers[.origin] else { return true }
      let host = head.authority ?? ""
      return origin == "http://\(host)" || origin == "https://\(host)"
    }
  }
#endif
