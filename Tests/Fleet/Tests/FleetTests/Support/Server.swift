import Foundation
import Testing

/// The server that Scripts/test-fleet or Scripts/test-clickhouse has started.
enum Server {
  enum Engine {
    case postgreSQL, clickHouse
  }

  static let engine: Engine = value("FLEET_ENGINE") == "ClickHouse" ? .clickHouse : .postgreSQL

  static var isPostgreSQL: Bool { engine == .postgreSQL }

  static func value(_ name: String) -> String {
    ProcessInfo.processInfo.environment[name] ?? ""
  }

  static var port: String { value("FLEET_PORT") }

  /// How often what happens at random is tried.
  static var rounds: Int { Int(value("FLEET_ROUNDS")) ?? 20 }

  /// Ends the server as a power cut would, and starts it again.
  static func restart() throws {
    guard !isPostgreSQL else { return try run(value("FLEET_RESTART")) }
    try run("\(value("FLEET_SERVER")) kill 0")
    try start(0)
  }

  /// Stops servers of the cluster: 0 and 1 are the replicas of the first shard, 2 and 3 of the second.
  static func stop(_ numbers: Int...) throws {
    try run("\(value("FLEET_SERVER")) stop \(numbers.map(String.init).joined(separator: " "))")
  }

  /// Starts a server of the cluster again, and waits until it answers.
  static func start(_ number: Int) throws { try run("\(value("FLEET_SERVER")) start \(number)") }

  private static func run(_ command: String) throws {
    let result = try Tool.shell(command)
    try #require(result.status == 0, "\(result.error)")
  }
}

/// A database of its own, with a fleet unless it is to be empty.
struct Database {
  let name: String

  /// Drops the database when the test lets go of it. Tables that merge and ask ZooKeeper all the time would
  /// slow down the tests after it.
  private final class Lifetime: Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    deinit {
      guard !Server.isPostgreSQL else { return }
      let place = Database.initOptions.isEmpty ? "" : " ON CLUSTER fleet"
      _ = try? Database.run("DROP DATABASE IF EXISTS \(name)\(place)", in: name)
    }
  }

  private let lifetime: Lifetime

  init(isEmpty: Bool = false) throws {
    name = "fleet_" + UUID().uuidString.lowercased().replacing("-", with: "")
    lifetime = Lifetime(name)
    if Server.isPostgreSQL { try Self.run("CREATE DATABASE \(name)", in: "postgres") }
    guard !isEmpty else { return }
    let result = try Tool.run(["init", url()] + Self.initOptions)
    try #require(result.status == 0, "\(result.error)")
  }

  /// Where the tables are made.
  static let initOptions = Server.value("FLEET_INIT").split(separator: " ").map(String.init)

  func url(user: String = "admin", _ parameters: String = "sslmode=require") -> String {
    switch Server.engine {
    case .postgreSQL: "postgresql://\(user)@127.0.0.1:\(Server.port)/\(name)?\(parameters)"
    case .clickHouse: "clickhouse://\(user)@127.0.0.1:\(Server.port)/\(name)"
    }
  }

  /// How the tool names it.
  var display: String {
    "\(Server.isPostgreSQL ? "postgresql" : "clickhouse")://admin@127.0.0.1:\(Server.port)/\(name)"
  }

  /// Runs a statement, in which `digests` stands for the database where that has no schemas.
  ///
  /// - Parameter other: the statement for ClickHouse, where it is another one.
  @discardableResult
  func run(_ sql: String, clickHouse other: String? = nil) throws -> String {
    try Self.run(
      Server.isPostgreSQL ? sql : (other ?? sql).replacing("digests.", with: "\(name)."), in: name)
  }

  /// Waits until a server of the cluster has all rows of the other replica.
  func synchronize(_ number: Int) throws {
    let port = "\((Int(Server.port) ?? 0) + 10 * number)"
    let tables = try Self.run(
      "SELECT table FROM system.replicas WHERE database = '\(name)'", in: name, port: port)
    for table in tables.split(separator: "\n") {
      try Self.run("SYSTEM SYNC REPLICA \(name).\(table)", in: name, port: port)
    }
  }

  @discardableResult
  static func run(
    _ sql: String, in database: String, port: String = Server.port
  ) throws -> String {
    let url = "//127.0.0.1:\(port)/"
    let command =
      switch Server.engine {
      case .postgreSQL:
        "psql -qtA -v ON_ERROR_STOP=1 'postgresql:\(url.replacing("//", with: "//admin@"))\(database)'"
      case .clickHouse:
        "curl -sS --fail-with-body -H X-ClickHouse-User:admin -H X-ClickHouse-Key:$CLICKHOUSE_PASSWORD "
          + "--data-binary @- 'http:\(url)?insert_distributed_sync=1'"
      }
    let result = try Tool.shell(command, input: sql)
    try #require(result.status == 0, "\(result.error)\(result.output)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
