import Foundation
import Testing

/// The digests themselves, of stores that send them.
struct DigestsTests {
  private func push(
    _ store: String, _ files: Files, to database: Database, _ options: String...
  ) throws -> Tool.Result {
    try Tool.run(
      ["push", database.url(), "--name", store, "--store", files.path("\(store).sqlite")] + options)
  }

  /// Stores a, b and c, of which a and b send their digests, and `both` with the digests of these.
  private func filled(_ files: Files, _ database: Database) throws {
    var random = SeededGenerator(31)
    for (machine, name) in ["a", "b", "c"].enumerated() {
      let digests = (0..<500).map { Digest.random($0, of: machine, using: &random) }
      try files.add(digests, to: "\(name).sqlite")
      if machine < 2 { try files.add(digests, to: "both.sqlite") }
      let options = machine < 2 ? ["--digests"] : []
      try #require(
        Tool.run(
          ["push", database.url(), "--name", name, "--store", files.path("\(name).sqlite")]
            + options
        ).status == 0)
    }
  }

  private static let filters: [[String]] = [
    [], ["--model", "App.L*"], ["--kind", "typeMismatch"], ["--value", "villa"],
    ["--value", "a\"b", "--release", "4.2.0"], ["--no-release"], ["--path", "items[].price"],
    ["--since", "2025-10-11T05:20:17Z", "--until", "2025-10-15T21:13:31.123Z"],
    ["--value", "none of them"], ["--model", "App.\u{10FFFE}"],
  ]

  @Test func `an export of a fleet is that of one store with the digests of all`() throws {
    let files = try Files()
    let database = try Database()
    try filled(files, database)
    for filter in Self.filters {
      for format in ["ndjson", "csv", "tsv"] {
        let export = ["export", "--format", format] + filter
        let file = try Tool.run(export + ["--store", files.path("both.sqlite")])
        let fleet = try Tool.run(export + ["--store", database.url(), "--source", "[ab]"])
        // Brackets are no wildcards.
        #expect(fleet.status == 66)
        #expect(
          try Tool.run(export + ["--store", database.url()]).output == file.output, "\(export)")
        #expect(
          try Tool.run(export + ["--store", database.url(), "--source", "b"]).output
            == Tool.run(export + ["--store", files.path("b.sqlite")]).output, "\(export)")
      }
    }
  }

  @Test func `the latest digests of a fleet are listed by when they were recorded`() throws {
    let files = try Files()
    let database = try Database()
    try filled(files, database)
    // The same store, in the order of time.
    let lines = try Tool.run("export", "--store", files.path("both.sqlite")).output
      .split(separator: "\n").map(String.init)
    func moment(_ line: String) -> Substring? {
      line.firstRange(of: "\"recordedAt\":\"").map { line[$0.upperBound...].prefix(24) }
    }
    let sorted = lines.sorted { (moment($0) ?? "") < (moment($1) ?? "") }
    try #require(
      Tool.run(
        "import", "-", "--store", files.path("sorted.sqlite"),
        input: sorted.joined(separator: "\n") + "\n"
      ).status == 0)
    for filter in Self.filters {
      for options in [["--limit", "7"], ["--limit", "5000", "--format", "csv"]] {
        let file = try Tool.run(
          ["digests", "--store", files.path("sorted.sqlite")] + filter + options)
        let fleet = try Tool.run(["digests", "--store", database.url()] + filter + options)
        #expect(fleet.output == file.output, "\(filter) \(options)")
        #expect(
          fleet.error.contains(
            "counted, but not available in detail: 500 digests that were not "
              + "sent"))
      }
    }
  }

  @Test func `a digest is found by the id that a list shows, and by its beginning`() throws {
    let files = try Files()
    let database = try Database()
    try filled(files, database)
    for id in ["1-499", "0-77", "1-49"] {
      for options in [[], ["--format", "json"], ["--format", "csv"]] {
        let file = try Tool.run(
          ["digests", id, "--store", files.path("both.sqlite")] + options)
        let fleet = try Tool.run(["digests", id, "--store", database.url()] + options)
        #expect(fleet.output == file.output, "\(id)")
        #expect(fleet.status == file.status)
      }
    }
    // Of a store's own, which begins with its identity.
    try #require(
      Tool.run("merge", files.path("a.sqlite"), "--store", files.path("d.sqlite")).status == 0)
    #expect(
      try Tool.run("digests", "nothing-1", "--store", database.url())
        == Tool.Result(
          status: 66, output: "",
          error:
            "digest-query: no digest nothing-1 in \(database.display): it may have been evicted "
            + "and is still counted then; digest-query digests lists the digests that are "
            + "left\n"))
  }

  @Test(.timeLimit(.minutes(5)), arguments: [["export"], ["export", "--output", "out"]])
  func `an interrupted export leaves no file behind`(command: [String]) throws {
    let files = try Files()
    let database = try Database()
    try filled(files, database)
    let temporary = files.directory.appendingPathComponent("temporary")
    let folder = files.directory.appendingPathComponent("folder")
    for directory in [temporary, folder] {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }
    func names(_ directory: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.path)
    process.arguments = command + ["--store", database.url()]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": temporary.path]) { $1 }
    // Nobody reads them: it waits with some of the digests, or with the notes.
    let (output, error) = (Pipe(), Pipe())
    let notes = error.fileHandleForWriting.fileDescriptor
    let flags = fcntl(notes, F_GETFL)
    try #require(fcntl(notes, F_SETFL, flags | O_NONBLOCK) >= 0)
    while write(notes, "x", 1) > 0 {}
    try #require(fcntl(notes, F_SETFL, flags) >= 0)
    process.standardOutput = output
    process.standardError = error
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    // In the background tests ignore the signal, and their threads hold it back: a process inherits both.
    signal(SIGINT, SIG_DFL)
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    try process.run()
    pthread_sigmask(SIG_SETMASK, &before, nil)
    func isTime() throws -> Bool {
      try FileManager.default.subpathsOfDirectory(atPath: temporary.path).contains {
        $0.hasSuffix("digests.sqlite")
      }
    }
    while try !isTime(), hasEnded.wait(timeout: .now() + .milliseconds(1)) == .timedOut {}
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(try names(temporary) == [])
    #expect(try names(folder) == [])
  }

  @Test func `digests are sent once, and a note counts those that are evicted`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(37)
    try files.add((0..<3_000).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    #expect(
      try push("a", files, to: database, "--digests").output.hasSuffix("; sent 3000 digests\n"))
    #expect(
      try push("a", files, to: database, "--digests").output.hasSuffix("; sent 0 digests\n"))
    try files.add((3_000..<5_000).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    try files.add((0..<5_000).map { .random($0, of: 1, using: &random) }, to: "b.sqlite")
    #expect(
      try Tool.run("prune", "--max-age", "1d", "--store", files.path("a.sqlite")).status == 0)
    let late = try push("a", files, to: database, "--digests")
    #expect(late.output.hasSuffix("; sent 0 digests\n"))
    #expect(
      late.error.contains("not sent: 2000 digests (evicted before this push); they are counted"))
    #expect(
      try push("b", files, to: database, "--digests").output.hasSuffix("; sent 5000 digests\n"))
    #expect(try database.run("SELECT sum(digests) FROM digests.digest_page") == "8000")
  }

  @Test func `pushes of digests that are killed, or run at the same time, send each once`() throws {
    let files = try Files()
    let database = try Database()
    var random = SystemRandomNumberGenerator()
    for round in 0..<max(4, Server.rounds / 2) {
      try files.add((0..<300).map { .random($0, of: round, using: &random) }, to: "a.sqlite")
      let other = try Tool.start(
        Tool.path,
        [
          "push", database.url(), "--name", "web-1", "--digests", "--store",
          files.path("a.sqlite"),
        ])
      try database.push(
        files.path("a.sqlite"), "--digests",
        interruptedAfter: .random(in: 0..<200_000, using: &random)
      ) { kill($0, SIGKILL) }
      _ = try Tool.finish(other)
    }
    #expect(try push("a", files, to: database, "--digests", "--take-name").status == 0)

    let fleet = try Tool.run("export", "--store", database.url())
    #expect(fleet.output == (try Tool.run("export", "--store", files.path("a.sqlite")).output))
  }

  @Test func `pruned counts of a fleet stay counted by day`() throws {
    let files = try Files()
    let database = try Database()
    try filled(files, database)
    let before = ["top-failures", "models"].map { [$0, "--format", "csv"] }
    let counts = try before.map { try Tool.run($0 + ["--store", database.url()]).output }
    let days = ["trend", "--by", "day", "--format", "csv"]
    let trend = try Tool.run(days + ["--store", database.url()]).output

    let result = try Tool.run("prune", "--max-age", "1d", "--store", database.url())
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasPrefix("deleted 1000 digests, which stay counted; before "))

    #expect(try before.map { try Tool.run($0 + ["--store", database.url()]).output } == counts)
    #expect(try Tool.run(days + ["--store", database.url()]).output == trend)
    #expect(
      try Tool.run("digests", "--store", database.url(), "--format", "csv").output
        .split(separator: "\n").count == 1)
    let hours = try Tool.run(
      "top-failures", "--since", "2025-10-11T05:00:00Z", "--store", database.url())
    #expect(hours.error.contains("counted since 2025-10-11T00:00:00.000Z"))
    // It does not come back.
    #expect(try push("a", files, to: database, "--digests").output.contains("pushed 0 counts"))
    #expect(
      try database.run(
        "SELECT count(*) FROM digests.growth WHERE span = 1",
        clickHouse: "SELECT count() FROM digests.counts WHERE span = 1") == "0")
  }

  @Test(arguments: [[], ["--max-bytes", "1048576"], ["--max-age", "1d", "--source", "a"]])
  func `a fleet is pruned by age, and as a whole`(options: [String]) throws {
    #expect(
      try Tool.run(["prune", "--store", "postgresql://nobody@127.0.0.1:1/none"] + options)
        == Tool.Result(
          status: 64, output: "",
          error:
            "digest-query: a fleet is pruned by age, and as a whole: give it --max-age alone, such as "
            + "90d\n"))
  }

  @Test func `an export under a name is of one store`() throws {
    let result = try Tool.run(
      "export", "--new", "backend", "--store", "postgresql://nobody@127.0.0.1:1/none")
    #expect(result.status == 64)
    #expect(
      result.error
        == "digest-query: --new works on a single store: export on each machine, or use --since\n")
  }
}
