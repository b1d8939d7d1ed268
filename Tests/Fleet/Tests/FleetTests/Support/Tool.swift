import Foundation

/// Runs digest-query, and other commands.
enum Tool {
  struct Result: Equatable {
    var status: Int32
    var output: String
    var error: String
  }

  static var path: String { Server.value("FLEET_QUERY") }

  static func run(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) throws -> Result {
    try run(arguments, environment: environment, input: input)
  }

  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) throws -> Result {
    try finish(start(path, arguments, environment, Data(input.utf8)))
  }

  static func shell(_ command: String, input: String = "") throws -> Result {
    try finish(start("/bin/sh", ["-c", command], [:], Data(input.utf8)))
  }

  /// A command that is running; what it says goes to files, so that it never waits for a reader.
  struct Running {
    let process: Process
    let output: URL
    let error: URL
  }

  static func start(
    _ path: String, _ arguments: [String], _ environment: [String: String] = [:],
    _ input: Data = Data()
  ) throws -> Running {
    let directory = FileManager.default.temporaryDirectory
    let name = UUID().uuidString
    let files = ["in", "out", "err"].map { directory.appendingPathComponent("\(name).\($0)") }
    try input.write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { $0.key != "DIGEST_STORE" }.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    // The process has it open.
    try FileManager.default.removeItem(at: files[0])
    return Running(process: process, output: files[1], error: files[2])
  }

  static func finish(_ running: Running) throws -> Result {
    running.process.waitUntilExit()
    let result = Result(
      status: running.process.terminationStatus,
      output: try String(decoding: Data(contentsOf: running.output), as: UTF8.self),
      error: try String(decoding: Data(contentsOf: running.error), as: UTF8.self))
    for file in [running.output, running.error] { try FileManager.default.removeItem(at: file) }
    return result
  }
}
