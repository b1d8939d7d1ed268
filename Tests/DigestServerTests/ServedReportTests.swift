#if Server
  import Foundation
  import ResilientPlatform
  import Testing

  @testable import DigestServer

  /// Reports over HTTP: what the commands print.
  struct ServedReportTests {
    private static let digests =
      (1...9).map {
        line(of: $0, release: "4.\($0 % 3)", value: ["villa", "a \"b\" & <c>", "=1+1"][$0 % 3])
      }
      .joined() + """
        {"id":"\(String(repeating: "0", count: 31))1","hour":"2026-11-20T10:00:00Z","model":"App.Listing",\
        "release":"4.1","decodes":5}
        """

    private func server(_ options: String = "") throws -> RunningServer {
      let server = try RunningServer(
        options, files: ["read": "team 0123456789abcdef\nmara abcdef0123456789 triage\n"])
      #expect(try server.upload(Self.digests)?.status == 200)
      return server
    }

    @Test(
      arguments: [
        ("summary", "", []),
        (
          "summary", "since=2026-11-20&until=2026-11-21",
          ["--since=2026-11-20", "--until=2026-11-21"]
        ),
        ("top-failures", "", []), ("top-failures", "limit=1&all", ["--limit=1", "--all"]),
        ("top-failures", "value=a%20%22b%22%20%26%20%3Cc%3E", ["--value=a \"b\" & <c>"]),
        ("top-failures", "value=%3D1%2B1&raw=true", ["--value==1+1", "--raw"]),
        (
          "top-failures", "path=items[].kind&columns=novel_value,rate",
          ["--path=items[].kind", "--columns=novel_value,rate"]
        ),
        ("top-novel-values", "release=4.1&no-release", ["--release=4.1", "--no-release"]),
        ("new", "release=4.2", ["--release=4.2"]), ("models", "by=release", ["--by=release"]),
        ("trend", "by=hour&group=value", ["--by=hour", "--group=value"]),
        ("trend", "rate", ["--rate"]),
        ("diff", "before=4.0&after=4.1", ["4.0", "4.1"]), ("show", "name=villa", ["villa"]),
        ("renames", "", []), ("digests", "limit=3", ["--limit=3"]), ("sources", "", []),
      ] as [(String, String, [String])])
    func `a report is what the command prints, byte for byte`(
      name: String, query: String, options: [String]
    ) throws {
      let server = try server()
      let words = try #require(ReportCommand.all[name]).words
      let formats = options.contains("--raw") ? [] : ["json", "ndjson", "markdown"]
      for format in ["csv", "tsv"] + formats {
        let answer = try #require(try server.request("GET", "/\(name).\(format)?\(query)"))
        let printed = try runs(words + ["--format=\(format)"] + options, in: server)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.body == String(decoding: printed.output, as: UTF8.self))
        let notes = printed.errors.split(separator: "\n").count
        #expect(answer.head.components(separatedBy: "Digest-Note: ").count - 1 == notes)
      }
    }

    private func runs(
      _ arguments: [String], in server: RunningServer
    ) throws -> (status: Int32, output: Data, errors: String) {
      let process = Process()
      process.executableURL = RunningServer.tool
      process.arguments = arguments
      process.currentDirectoryURL = server.folder
      process.environment = ["DIGEST_STORE": "s.sqlite"]
      let (output, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      let text = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, data, String(decoding: text, as: UTF8.self))
    }

    /// An option that a later version adds is either served, or refused on purpose.
    @Test func `each option of a served command is known here`() throws {
      let refused: Set<String> = [
        "store", "output", "triage", "format", "help", "version", "spec", "map", "map-file",
        // What a page alone has.
        "live",
      ]
      let server = try RunningServer()
      for (name, command) in ReportCommand.all {
        let help = try String(
          decoding: runs(command.words + ["--help"], in: server).output, as: UTF8.self)
        let options = Set(help.matches(of: /--([a-z][a-z-]+)/).map { String($0.output.1) })
          .filter { help.contains("\n  --\($0)") || help.contains(", --\($0)") }
        #expect(!options.isEmpty)
        let unknown = options.subtracting(refused).subtracting(command.options).subtracting(
          command.flags)
        #expect(unknown == [], "\(name)")
      }
    }

    @Test(arguments: [
      ("/diff.csv?before=9.9&after=4.1", 404, "no release 9.9"),
      ("/summary.csv?since=soon", 400, "--since"),
      ("/top-failures.csv?limit=0", 400, "--limit"),
      ("/diff.csv?before=4.0", 400, "after is missing"),
      ("/show.json?name=--help", 404, "--help"), ("/show.csv?name=nothing", 404, "nothing"),
    ])
    func `a report that fails says why`(path: String, status: Int, text: String) throws {
      let answer = try server().request("GET", path)
      #expect(answer?.status == status)
      #expect(answer?.body.contains(text) == true, "\(answer?.body ?? "")")
      #expect(answer?.body.contains("digest-query:") == false)
    }

    @Test func `the page, a failure and the metrics are served, and what they may do is limited`()
      throws
    {
      let server = try server()
      let page = try #require(try server.request("GET", "/?since=2026-11-01"))
      #expect(page.status == 200)
      #expect(page.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
      #expect(page.body.contains("connect-src"))
      #expect(page.body.contains("&amp; &lt;c&gt;") && !page.body.contains("& <c>"))
      let failure = try #require(try server.request("GET", "/failure?name=%3D1%2B1"))
      #expect(failure.status == 200 && failure.body.contains("unknown value: =1+1"))
      #expect(try server.request("GET", "/failure?name=%3Cscript%3E")?.status == 404)
      let metrics = try #require(try server.request("GET", "/metrics"))
      #expect(metrics.body.contains("digest_collector_uploaded_digests_total 9\n"))
      #expect(metrics.body.hasSuffix("# EOF\n"))
      for answer in [page, failure, metrics] {
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
      }
    }

    @Test(arguments: [
      ("may", "abcdef0123456789", [], 200), ("may not", "0123456789abcdef", [], 403),
      ("from a page", "abcdef0123456789", ["Sec-Fetch-Site: same-origin"], 200),
      ("from another site", "abcdef0123456789", ["Sec-Fetch-Site: cross-site"], 403),
      ("of another origin", "abcdef0123456789", ["Origin: https://evil.example"], 403),
      ("as a form", "abcdef0123456789", ["Content-Type: text/plain"], 415),
    ])
    func `a decision is a line of the file, by whoever may decide`(
      name: String, token: String, headers: [String], status: Int
    ) throws {
      let server = try server("--read-tokens read")
      let type =
        headers.contains { $0.hasPrefix("Content-Type") } ? [] : ["Content-Type: application/json"]
      let answer = try server.request(
        "POST", "/v1/triage", ["Authorization: Bearer \(token)"] + headers + type,
        #"{"decision":"ignore","value":"villa","reason":"a 'house' -- $(id)"}"#)
      #expect(answer?.status == status, "\(answer?.body ?? "")")
      let file = try? String(
        contentsOf: server.folder.appending(path: "digest-triage.ndjson"), encoding: .utf8)
      #expect(file?.contains("a 'house' -- $(id)") == (status == 200 ? true : nil))
      if status == 200 {
        #expect(file?.contains("mara") == true)
        let page = try server.request(
          "GET", "/top-failures.csv", ["Authorization: Bearer \(token)"])
        #expect(page?.body.contains("villa") == false)
        #expect(page?.header("Digest-Note")?.contains("1 ignored") == true)
      }
    }

    @Test(arguments: [
      #"{"decision":"delete","value":"villa","reason":"r"}"#,
      #"{"decision":"ignore","reason":"r"}"#,
      #"{"decision":"ignore","value":"villa"}"#, "nothing",
      #"{"decision":"ignore","value":"a\u0000","reason":"r"}"#,
      #"{"decision":"ignore","value":"no such","reason":"r"}"#,
    ])
    func `a bad decision is refused, and the file stays as it is`(body: String) throws {
      let server = try server()
      let answer = try server.request(
        "POST", "/v1/triage", ["Content-Type: application/json"], body)
      #expect([400, 404].contains(answer?.status))
      #expect(
        !FileManager.default.fileExists(
          atPath: server.folder.appending(path: "digest-triage.ndjson").path))
    }

    @Test func `the log has a line a request, and nothing of a payload`() throws {
      let server = try RunningServer()
      let secret = "s3cret"
      _ = try server.upload(line(release: secret, model: secret, value: secret))
      _ = try server.upload("{\"model\":\"\(secret)\"")
      _ = try server.request("GET", "/top-failures.csv?value=\(secret)")
      _ = try server.request("GET", "/\(secret).csv")
      while server.log.split(separator: "\n").count < 4 {
        #expect(try server.request("GET", "/healthz")?.status == 200)
      }
      #expect(!server.log.contains(secret))
      #expect(server.log.contains("POST /v1/digests 200"))
      #expect(server.log.contains("added=1"))
    }

    @Test func `the store is pushed on to a fleet by itself`() throws {
      let server = try server("--push fleet.sqlite --every 1s")
      func sources() throws -> String {
        try String(
          decoding: server.run("fleet", "sources", "--format", "csv", "--store", "fleet.sqlite")
            .output,
          as: UTF8.self)
      }
      while try !sources().contains(",true,9,9,14,") {
        #expect(try server.request("GET", "/healthz")?.status == 200)
      }
    }
  }
#endif
