#if Server
  import Foundation
  import ResilientPlatform
  import Testing

  @testable import DigestStore
  @testable import DigestStoreTests
  import DigestUpload

  /// What was acknowledged is in the file, whatever is killed.
  struct LastingTests {
    private static func lines(of app: Int) -> String {
      (1...3).map { number in
        line(
          of: app + 1, number, release: "4.\((app + number) % 5)", value: "v\((app * number) % 40)")
      }.joined()
    }

    /// Uploads each app, and again until it is acknowledged.
    private static func upload(
      _ apps: [Int], to server: Locked<RunningServer>, _ acknowledged: Locked<Int>
    ) {
      var connection: HTTPConnection?
      for app in apps {
        while true {
          let port = server.withLock { $0.port }
          connection = connection ?? (try? HTTPConnection(port))
          let isSent =
            connection?.send(
              RunningServer.text(
                "POST", "/v1/digests", ["Content-Type: application/x-ndjson"], lines(of: app), port)
            ) ?? false
          if isSent, connection?.answer()?.status == 200 { break }
          connection = nil
          sched_yield()
        }
        acknowledged.withLock { $0 += 1 }
      }
    }

    @Test func `each upload counts once, however often the server is killed`() throws {
      let apps = Repetitions.count(1_200, long: 15_000)
      let server = Locked(try RunningServer())
      let acknowledged = Locked(0)
      let group = DispatchGroup()
      for client in 0..<8 {
        let own = stride(from: client, to: apps, by: 8).map { $0 }
        group.enter()
        Thread {
          // Each upload twice, the second time in another order.
          Self.upload(own + own.reversed(), to: server, acknowledged)
          group.leave()
        }.start()
      }
      for kill in 1...10 {
        while acknowledged.withLock({ $0 }) < kill * apps / 6 { sched_yield() }
        try server.withLock { server in
          server.signal(SIGKILL)
          _ = server.end()
          try server.start()
        }
      }
      group.wait()
      let running = server.withLock { $0 }
      let reference = try TemporaryStore()
      let all = (0..<apps).map(Self.lines).joined()
      #expect(try reference.store.importDigests(Data(all.utf8)).added == 3 * apps)
      try reference.store.close()
      for command in [
        ["top-failures"], ["models", "--by", "release"], ["new", "--release", "4.3"],
        ["trend", "--by", "hour"],
      ] {
        func output(_ store: String) throws -> Data {
          let process = Process()
          process.executableURL = RunningServer.tool
          process.arguments = command + ["--format", "csv", "--store", store]
          let output = Pipe()
          (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
          try process.run()
          defer { process.waitUntilExit() }
          return output.fileHandleForReading.readDataToEndOfFile()
        }
        let counted = try output(running.folder.appending(path: "s.sqlite").path)
        #expect(counted == (try output(reference.path)) && !counted.isEmpty)
      }
      #expect(try running.run("verify").status == 0)
    }

    @Test func `SIGTERM ends the server with everything written`() throws {
      let server = Locked(try RunningServer())
      let acknowledged = Locked(0)
      let running = server.withLock { $0 }
      let slow = try HTTPConnection(running.port)
      slow.send("POST /v1/digests HTTP/1.1\r\nHost: 127.0.0.1\r\n")
      Self.upload(Array(0..<50), to: server, acknowledged)
      running.signal(SIGTERM)
      #expect(running.end() == 0)
      #expect(slow.answer() == nil)
      #expect(try running.run("verify").status == 0)
      #expect(try running.digests() == 150)
      let log = try? Data(contentsOf: running.folder.appending(path: "s.sqlite-wal"))
      #expect(log?.isEmpty != false)
    }

    @Test func `an app uploads to a server that is killed, and each digest counts once`()
      async throws
    {
      let server = try RunningServer("--upload-tokens up", files: ["up": "app 0123456789abcdef\n"])
      let app = try TemporaryStore()
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
      for round in 0..<5 {
        try app.store.appendAll((0..<20).map { .make(release: "4.\(round)", .novel("v\($0)")) })
        if round.isMultiple(of: 2) {
          server.signal(SIGKILL)
          _ = server.end()
          try server.start()
        }
        let summary = try await app.store.upload(to: url, token: "0123456789abcdef")
        #expect(summary.added == 20)
      }
      await #expect(throws: UploadError.self) {
        try app.store.append(.make())
        _ = try await app.store.upload(to: url, token: "fedcba9876543210")
      }
      #expect(try server.digests() == 100)
      #expect(try server.run("verify").status == 0)
    }

    @Test func `a store that is locked is busy, and the upload is taken later`() throws {
      let server = try RunningServer()
      #expect(try server.upload(line())?.status == 200)
      let other = try Connection(
        path: server.folder.appending(path: "s.sqlite").path, mode: .readWrite)
      try other.execute("BEGIN IMMEDIATE")
      let answer = try server.upload(line(of: 2))
      #expect(answer?.status == 503)
      #expect(answer?.header("Retry-After") == "5")
      try other.execute("ROLLBACK")
      #expect(try server.upload(line(of: 2))?.status == 200)
      #expect(try server.digests() == 2)
    }
  }
#endif
