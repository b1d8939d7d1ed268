#if Server
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import ResilientPlatform

  /// The live page, the reports as files, and the metrics.
  struct ReportRoutes: Sendable {
    let processes: ReportProcesses

    /// The file of decisions, and the description of the API.
    let triage: String
    let spec: String?
    let counters: Counters

    private static let types = [
      "csv": "text/csv; charset=utf-8", "tsv": "text/tab-separated-values; charset=utf-8",
      "json": "application/json", "ndjson": "application/x-ndjson",
      "markdown": "text/markdown; charset=utf-8",
    ]

    /// `GET /`: the page of all failures, with the filters of the query.
    func page(_ request: Request, _ context: CollectorContext) async throws -> Response {
      let live = context.mayTriage ? "triage" : "read"
      return try await answer(
        .report, request, context, adding: ["--live=\(live)"], type: "text/html; charset=utf-8",
        // The page has a policy of its own for all else.
        policy: "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    }

    /// `GET /failure?name=KEY`: what `show` says of one failure.
    func failure(_ request: Request, _ context: CollectorContext) async throws -> Response {
      guard let show = ReportCommand.all["show"] else { throw HTTPError(.notFound) }
      let name = request.uri.queryParameters["name"].map(String.init) ?? ""
      return try await run(show, request, context, adding: []) { answer in
        var response = Response(
          status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
          body: .init(byteBuffer: ByteBuffer(string: FailurePage(name, answer).text)))
        response.headers[.contentSecurityPolicy] = FailurePage.policy
        return response
      }
    }

    /// `GET /NAME.csv`, `GET /NAME.json` and so on: what the command prints.
    func file(_ request: Request, _ context: CollectorContext) async throws -> Response {
      let name = try context.parameters.require("file").split(separator: ".", maxSplits: 1)
      guard name.count == 2, let command = ReportCommand.all[String(name[0])],
        let type = Self.types[name[1] == "md" ? "markdown" : String(name[1])]
      else { throw HTTPError(.notFound, message: "no such report; try /top-failures.csv") }
      let format = name[1] == "md" ? "markdown" : String(name[1])
      return try await answer(command, request, context, adding: ["--format=\(format)"], type: type)
    }

    /// `GET /metrics`: the numbers of the store, and of this server.
    func metrics(_ request: Request, _ context: CollectorContext) async throws -> Response {
      try await run(.metrics, request, context, adding: []) { answer in
        // A reader stops at the end.
        let end = "# EOF\n"
        let store = String(decoding: answer.output, as: UTF8.self).replacing(end, with: "")
        return Response(
          status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
          body: .init(byteBuffer: ByteBuffer(string: store + counters.text + end)))
      }
    }

    private func answer(
      _ command: ReportCommand, _ request: Request, _ context: CollectorContext,
      adding options: [String], type: String,
      policy: String? = nil
    ) async throws -> Response {
      try await run(command, request, context, adding: options) { answer in
        var response = Response(
          status: .ok, headers: [.contentType: type],
          body: .init(byteBuffer: ByteBuffer(bytes: answer.output)))
        response.headers[.contentSecurityPolicy] = policy
        return response
      }
    }

    private func run(
      _ command: ReportCommand, _ request: Request, _ context: CollectorContext,
      adding options: [String],
      _ respond: (ReportProcesses.Answer) -> Response
    ) async throws -> Response {
      let query = request.uri.queryParameters.map { ("\($0.key)", "\($0.value)") }
      var line: [String]
      do {
        line = try command.line(query)
      } catch let problem as QueryProblem {
        return .failure(.badRequest, problem.text)
      }
      var own = options
      // A file that is named has to be there.
      if command.readsTriage, access(triage, F_OK) == 0 { own.append("--triage=\(triage)") }
      if command.readsSpec, let spec { own.append("--spec=\(spec)") }
      line.insert(contentsOf: own, at: command.words.count)
      return try await processes.respond(to: line, context, respond)
    }
  }

  extension CollectorContext {
    /// Whether the sender may write decisions: anyone, where no tokens are needed.
    var mayTriage: Bool { token?.mayTriage ?? true }
  }

  extension ReportProcesses {
    /// Runs a command line, and answers with what it printed, or with why it failed.
    nonisolated func respond(
      to line: [String], _ context: CollectorContext, _ respond: (Answer) -> Response
    ) async throws -> Response {
      context.log.add(["command": "\(line[0])"])
      let answer: Answer
      do {
        answer = try await run(line)
      } catch is TooMany {
        return .failure(.serviceUnavailable, "too many reports at once; try again", retryAfter: 5)
      }
      let problem = answer.notes.last ?? "the report failed"
      var response: Response
      switch answer.status {
      case 0, 1: response = respond(answer)
      case 64, 65: return .failure(.badRequest, problem)
      case 66: return .failure(.notFound, problem)
      default: return .failure(.serviceUnavailable, problem, retryAfter: 30)
      }
      // The notes of stderr say what a report leaves out.
      for note in answer.notes.prefix(20) {
        response.headers.append(HTTPField(name: .init("Digest-Note")!, value: note.inHeader))
      }
      return response
    }
  }

  extension String {
    /// The text in the characters that a header may have; others as in a URL.
    fileprivate var inHeader: String {
      var bytes: [UInt8] = []
      for byte in utf8.prefix(2_000) {
        if 0x20..<0x7f ~= byte, byte != UInt8(ascii: "%") {
          bytes.append(byte)
        } else {
          bytes.append(
            contentsOf: "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
