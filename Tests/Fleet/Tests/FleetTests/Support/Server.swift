import Foundation
import Testing

/// The server that Scripts/test-fleet has started.
enum Server {
  static func value(_ name: String) -> String {
    ProcessInfo.processInfo.environment[name] ?? ""
  }

  static var port: String { value("FLEET_PORT") }

  /// How often what happens at random is tried.
  static var rounds: Int { Int(value("FLEET_ROUNDS")) ?? 20 }

  /// Ends the server as a power cut would, and starts it again.
  static func restart() throws {
    let status = try Tool.shell(value("FLEET_RESTART")).status
    try #require(status == 0)
  }
}

/// A database of its own, with a fleet unless it is to be empty.
struct Database {
  let name = "fleet_" + UUID().uuidString.lowercased().replacing("-", with: "")

  init(isEmpty: Bool = false) throws {
    try Self.run("CREATE DATABASE \(name)", in: "postgres")
    if !isEmpty { try #require(Tool.run("init", url()).status == 0) }
  }

  func url(user: String = "admin", _ parameters: String = "sslmode=require") -> String {
    "postgresql://\(user)@127.0.0.1:\(Server.port)/\(name)?\(parameters)"
  }

  /// How the tool names it.
  var display: String { "postgresql://admin@127.0.0.1:\(Server.port)/\(name)" }

  @discardableResult
  func run(_ sql: String) throws -> String { try Self.run(sql, in: name) }

  @discardableResult
  static func run(_ sql: String, in database: String) throws -> String {
    let url = "postgresql://admin@127.0.0.1:\(Server.port)/\(database)"
    let result = try Tool.shell("psql -qtA -v ON_ERROR_STOP=1 '\(url)'", input: sql)
    try #require(result.status == 0, "\(result.error)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
