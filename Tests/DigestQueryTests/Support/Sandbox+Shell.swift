import Foundation

extension Sandbox {
  /// Puts a program into the directory that stands for another one of this name.
  func stub(_ name: String, _ script: String) throws {
    try write("#!/bin/sh\n\(script)\n", to: name)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: url(name).path)
  }

  /// Runs a script as a file of the directory: first on the path are its programs, then the tool.
  func runShell(
    _ script: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    stdin: String = ""
  ) throws -> Outcome {
    let tools = try Tool.url().deletingLastPathComponent().path
    let path = "\(directory.path):\(tools):/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin"
    try write(script, to: "script")
    defer { try? FileManager.default.removeItem(at: url("script")) }
    return try run(
      URL(filePath: "/bin/sh"), ["script"] + arguments,
      environment: environment.merging(["PATH": path]) { $1 }, stdin: Data(stdin.utf8))
  }
}
