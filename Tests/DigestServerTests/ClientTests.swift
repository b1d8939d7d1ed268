#if Server
  import Foundation
  import ResilientPlatform
  import Testing

  /// What clients may send, and what is stored then.
  struct ClientTests {
    struct Client: Sendable, CustomTestStringConvertible {
      let name: String
      let request: @Sendable (_ port: Int) -> String

      /// The statuses of the answers; empty where the connection is closed without one.
      let statuses: [Int]
      let digests: Int

      var testDescription: String { name }

      init(
        _ name: String, _ statuses: [Int], digests: Int = 0,
        _ request: @escaping @Sendable (Int) -> String
      ) {
        (self.name, self.request, self.statuses, self.digests) = (name, request, statuses, digests)
      }

      /// A body that is uploaded as it should be.
      init(_ name: String, _ statuses: [Int], digests: Int = 0, body: String) {
        self.init(name, statuses, digests: digests) {
          RunningServer.text(
            "POST", "/v1/digests", ["Content-Type: application/x-ndjson"], body, $0)
        }
      }

      /// An upload of one digest with other headers.
      init(_ name: String, _ statuses: [Int], digests: Int = 0, headers: [String]) {
        self.init(name, statuses, digests: digests) {
          RunningServer.text("POST", "/v1/digests", headers, line(), $0)
        }
      }

      init(_ name: String, _ statuses: [Int], _ method: String = "GET", path: String) {
        self.init(name, statuses) { RunningServer.text(method, path, [], nil, $0) }
      }
    }

    private static let ndjson = "Content-Type: application/x-ndjson"
    private static let host = "Host: 127.0.0.1"

    static let clients = [
      Client("one digest", [200], digests: 1, body: line()),
      Client("many digests", [200], digests: 9, body: (1...9).map { line(of: $0) }.joined()),
      Client("the same line twice", [200], digests: 1, body: line() + line()),
      Client("nothing", [200], body: ""),
      Client("blank lines", [200], digests: 1, body: "\n\n" + line() + "\r\n"),
      Client("no line break at the end", [200], digests: 1, body: String(line().dropLast())),
      Client("a bad line", [400], body: line() + "{\"model\":1}\n"),
      Client("no id", [400], body: line().replacing(/"id":"[^"]*",/, with: "")),
      Client("an array", [400], body: "[\(line())]"),
      Client("a NUL in a line", [400]) { port in
        String(
          decoding: Array(RunningServer.text("POST", "/v1/digests", [ndjson], "", port).utf8),
          as: UTF8.self
        ).replacing("Content-Length: 0", with: "Content-Length: 2") + "{\u{0}"
      },
      Client(
        "a line that is too long", [400],
        body: "{\"id\":\"\(String(repeating: "a", count: 3 << 20))\"}"),
      Client(
        "as large as may be", [200], digests: 1,
        body: line() + String(repeating: "\n", count: (4 << 20) - line().utf8.count)),
      Client("announced too large", [413]) {
        RunningServer.text("POST", "/v1/digests", [ndjson, "Content-Length: 4194305"], nil, $0)
      },
      Client("chunks", [200], digests: 1) { _ in
        "POST /v1/digests HTTP/1.1\r\n\(host)\r\n\(ndjson)\r\nTransfer-Encoding: chunked\r\n\r\n"
          + line().map { "1\r\n\($0)\r\n" }.joined().replacing("1\r\n\n\r\n", with: "1\r\n\n\r\n")
          + "0\r\n\r\n"
      },
      Client("chunks that are too large", [413]) { _ in
        "POST /v1/digests HTTP/1.1\r\n\(host)\r\n\(ndjson)\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(repeating: "100000\r\n\(String(repeating: "\n", count: 1 << 20))\r\n", count: 5)
          + "0\r\n\r\n"
      },
      Client("no type", [415], headers: []),
      Client("another type", [415], headers: ["Content-Type: application/json"]),
      Client(
        "a type with a parameter", [200], digests: 1,
        headers: ["content-type: application/x-ndjson; charset=utf-8"]),
      Client("gzip", [415], headers: [ndjson, "Content-Encoding: gzip"]),
      Client("expects to continue", [200], digests: 1, headers: [ndjson, "Expect: 100-continue"]),
      Client("two requests at once", [200, 200], digests: 2) { port in
        [1, 2].map { RunningServer.text("POST", "/v1/digests", [ndjson], line(of: $0), port) }
          .joined()
      },
      Client("two lengths", []) { _ in
        "POST /v1/digests HTTP/1.1\r\n\(host)\r\n\(ndjson)\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na"
      },
      Client("a length and chunks", []) { _ in
        "POST /v1/digests HTTP/1.1\r\n\(host)\r\n\(ndjson)\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
      },
      Client("huge headers", []) { _ in
        "GET / HTTP/1.1\r\n\(host)\r\nX: \(String(repeating: "a", count: 1 << 20))\r\n\r\n"
      },
      Client("no HTTP", []) { _ in "hello\r\n\r\n" },
      Client("no host", [421]) { _ in "GET /healthz HTTP/1.1\r\n\r\n" },
      Client("another host", [421], headers: [ndjson, "Host: evil.example"]),
      Client("a path that leaves", [404], path: "/../../etc/passwd.csv"),
      Client("a path that leaves, escaped", [404], path: "/%2e%2e%2fetc%2fpasswd.csv"),
      Client("an unknown path", [404], path: "/v2"),
      Client("an unknown report", [404], path: "/passwd.csv"),
      Client("an unknown format", [404], path: "/summary.exe"),
      Client("a write by GET", [404], path: "/v1/digests"),
      Client("another method", [404], "DELETE", path: "/"),
      Client("a NUL", [400], path: "/summary.csv?model=a%00b"),
      Client("an option of a file", [400], path: "/summary.csv?store=/etc/passwd"),
      Client("a file to write", [400], path: "/summary.csv?output=/tmp/x"),
      Client("another file of decisions", [400], path: "/summary.csv?triage=/etc/passwd"),
    ]

    @Test(arguments: clients)
    func `a client gets an answer, and only good digests are stored`(client: Client) throws {
      let server = try RunningServer()
      let connection = try HTTPConnection(server.port)
      connection.send(client.request(server.port))
      var statuses: [Int] = []
      for _ in 0..<max(1, client.statuses.count) {
        guard let answer = connection.answer(), answer.status > 0 else { break }
        statuses.append(answer.status)
        #expect(answer.header("X-Content-Type-Options") == "nosniff" || answer.status == 400)
      }
      // What is not understood at all is answered or not, and then closed.
      if client.statuses.isEmpty {
        #expect(statuses == [] || statuses == [400])
        #expect(connection.answer() == nil)
      } else {
        #expect(statuses == client.statuses)
      }
      #expect(try server.digests() == client.digests)
      #expect(try server.request("GET", "/healthz")?.body == "ok\n")
    }

    /// Slow and broken clients, which are closed after five seconds here.
    @Test(arguments: [
      ("a head without an end", "POST /v1/digests HTTP/1.1\r\nHost: 127.0.0.1\r\n", false),
      ("nothing at all", "", false),
      (
        "a body that does not come",
        "POST /v1/digests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 500\r\n\r\n{",
        false
      ),
      (
        "a body that is cut off",
        "POST /v1/digests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 500\r\n\r\n\(line())",
        true
      ),
      ("a head that is cut off", "POST /v1/dig", true),
    ])
    func `a connection that comes to nothing is closed, and nothing is stored`(
      name: String, text: String, finishes: Bool
    ) throws {
      let server = try RunningServer("--request-seconds 5")
      let connection = try HTTPConnection(server.port)
      connection.send(text)
      if finishes { connection.finish() }
      #expect(connection.answer().map(\.status) == nil || finishes)
      #expect(try server.digests() == 0)
      #expect(try server.upload(line())?.status == 200)
    }

    #if os(Linux)
      @Test func `thousands of idle connections do not keep an upload out`() throws {
        let server = try RunningServer("--request-seconds 5")
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let count = min(3_000, Int(limit.rlim_cur) / 2)
        let idle = (0..<count).compactMap { _ in try? HTTPConnection(server.port) }
        #expect(idle.count > count / 2)
        #expect(try server.upload(line())?.status == 200)
        // Each is closed in the end.
        for connection in idle { #expect(connection.answer() == nil) }
        #expect(try server.digests() == 1)
      }
    #endif

    @Test(arguments: [
      ("none", nil, 401), ("another", "Bearer fedcba9876543210", 401),
      ("a prefix", "Bearer 0123456789abcde", 401),
      ("a longer one", "Bearer 0123456789abcdef0", 401),
      ("another scheme", "Token 0123456789abcdef", 401), ("empty", "Bearer ", 401),
      ("right", "Bearer 0123456789abcdef", 200), ("of a reader", "Bearer abcdef0123456789", 401),
      ("as a password", "Basic \(Data("a:0123456789abcdef".utf8).base64EncodedString())", 200),
      ("no base64", "Basic ****", 401),
    ])
    func `a token of uploads may upload, and nothing else may`(
      name: String, authorization: String?, status: Int
    ) throws {
      let server = try RunningServer(
        "--upload-tokens up --read-tokens read",
        files: ["up": "# apps\n\nweb 0123456789abcdef\n", "read": "mara abcdef0123456789 triage\n"])
      let headers = authorization.map { ["Authorization: \($0)"] } ?? []
      #expect(try server.upload(line(), headers)?.status == status)
      #expect(try server.digests() == (status == 200 ? 1 : 0))
      let reads = try server.request("GET", "/summary.csv", headers)
      #expect(reads?.status == (name == "of a reader" ? 200 : 401))
      #expect(!server.log.contains("0123456789"))
    }

    @Test(arguments: [
      ("a b c d\n", "line 1: a token has 16"), ("web short\n", "line 1: a token has 16"),
      ("web\n", "line 1: write a name, a space and a token"),
      ("a 0123456789abcdef\nb 0123456789abcdef\n", "line 2: the name or the token is there twice"),
      ("a 0123456789abcdef write\n", "only the word triage"),
    ])
    func `a bad file of tokens is one line, and no server`(text: String, problem: String) throws {
      let server = try RunningServer(files: ["tokens": text])
      let outcome = try server.run(
        "serve", "--listen", "127.0.0.1:0", "--upload-tokens", "tokens", "--store", "n.sqlite")
      #expect(outcome.status != 0)
      #expect(outcome.errors.contains(problem), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(
        !FileManager.default.fileExists(atPath: server.folder.appending(path: "n.sqlite").path))
    }

    @Test func `a file of tokens that others may read is refused, and so is an open address`()
      throws
    {
      let server = try RunningServer(files: ["tokens": "web 0123456789abcdef\n"])
      let path = server.folder.appending(path: "tokens").path
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let outcome = try server.run("serve", "--upload-tokens", "tokens")
      #expect(outcome.errors.contains("chmod 600"))
      #expect(
        try server.run("serve", "--listen", "0.0.0.0:0").errors.contains(
          "without tokens only this machine"))
    }

    @Test func `SIGHUP reads tokens again, and a broken file keeps the old ones`() throws {
      let server = try RunningServer(
        "--upload-tokens up", files: ["up": "web 0123456789abcdef\n"])
      func statuses() throws -> [Int?] {
        try ["0123456789abcdef", "fedcba9876543210"].map {
          try server.upload(line(), ["Authorization: Bearer \($0)"])?.status
        }
      }
      func reload(_ text: String, _ message: String) throws {
        try server.write(text, to: "up")
        let before = server.log.components(separatedBy: message).count
        server.signal(SIGHUP)
        while server.log.components(separatedBy: message).count == before {
          #expect(try server.request("GET", "/healthz")?.status == 200)
        }
      }
      #expect(try statuses() == [200, 401])
      try reload("new fedcba9876543210\n", "read tokens again")
      #expect(try statuses() == [401, 200])
      try reload("broken\n", "tokens stay as they were")
      #expect(try statuses() == [401, 200])
    }

    @Test func `a token has limits of uploads and of new apps`() throws {
      let server = try RunningServer("--max-uploads 6 --max-new-apps 2")
      let statuses = try [1, 2, 3, 1].map { try server.upload(line(of: $0, 2))?.status }
      #expect(statuses == [200, 200, 429, 200])
      #expect(try server.digests() == 2)
      _ = try (4...5).map { try server.upload(line(of: 1, $0)) }
      let refused = try server.upload(line(of: 1, 9))
      #expect(refused?.status == 429)
      #expect(refused?.header("Retry-After") == "60")
    }
  }
#endif
