import Foundation
import Testing

/// The machine of the cookbook that takes what phones send: its scripts as they stand there, its store,
/// and the fleet to which it pushes.
final class Gateway {
  let files: Files
  let database: Database
  let store: String
  private let writer: String

  init() throws {
    files = try Files()
    database = try Database()
    store = files.path("digests.sqlite")
    writer = "writer_\(database.name)"
    let password = Server.value("PGPASSWORD")
    try database.run("CREATE ROLE \(writer) LOGIN PASSWORD '\(password)'")
    try #require(Tool.run("init", database.url(), "--writer", writer).status == 0)

    let scripts = try Article("Cookbook").named("sh", comment: "#")
    for name in ["receive-drift", "push-drift"] {
      let script = try #require(scripts[name], "the cookbook has no \(name)")
      try script.write(toFile: files.path(name), atomically: true, encoding: .utf8)
    }
    try keepPassword(password)
  }

  /// Writes the file from which libpq takes the password.
  func keepPassword(_ password: String) throws {
    let file = files.path("pgpass")
    try "127.0.0.1:\(Server.port):*:\(writer):\(password)\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  /// The fleet as the gateway's role sees it.
  var url: String { database.url(user: writer) }

  /// Begins to send a body, as a web server hands it over.
  func start(_ body: Data) throws -> Tool.Running {
    try start("receive-drift", ["CONTENT_LENGTH": "\(body.count)"], body)
  }

  /// Sends a body, and returns the status that the phone gets.
  func post(_ body: Data) throws -> Int? {
    try Self.status(of: Tool.finish(start(body)))
  }

  /// The status that a phone gets.
  static func status(of answer: Tool.Result) -> Int? {
    answer.output.wholeMatch(of: /Status: (\d+) [A-Za-z ]+\n\n/).flatMap { Int($0.1) }
  }

  /// Runs what cron runs.
  func push(_ environment: [String: String] = [:]) throws -> Tool.Result {
    let fleet = ["DIGEST_FLEET": url, "PGPASSFILE": files.path("pgpass"), "PGPASSWORD": ""]
    return try Tool.finish(start("push-drift", fleet.merging(environment) { $1 }))
  }

  private func start(
    _ script: String, _ environment: [String: String], _ body: Data = Data()
  ) throws -> Tool.Running {
    let tools = URL(fileURLWithPath: Tool.path).deletingLastPathComponent().path
    return try Tool.start(
      "/bin/sh", [files.path(script)],
      ["DIGEST_STORE": store, "PATH": "\(tools):\(Server.value("PATH"))"]
        .merging(environment) { $1 }, body)
  }

  /// What is left of the digests.
  func export() throws -> String { try Tool.run("export", "--store", store).output }

  /// Expects that the fleet answers as a store does that has all digests.
  func expectFleet(
    equals all: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    for report in [["top-novel-values"], ["trend", "--by", "hour", "--group", "release"]] {
      #expect(
        try Tool.run(report + ["--store", database.url(), "--format", "csv"]).output
          == Tool.run(report + ["--store", files.path(all), "--format", "csv"]).output,
        sourceLocation: location)
    }
  }
}

extension [Digest] {
  /// What a phone sends.
  var body: Data { Data(map { $0.line + "\n" }.joined().utf8) }
}
