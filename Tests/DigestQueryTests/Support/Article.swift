import Foundation

/// The fenced blocks of an article of the documentation.
struct Article {
  /// Language and text of each.
  let blocks: [(language: String, text: String)]

  init(_ name: String) throws {
    let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let file = package.appending(path: "Sources/DigestStore/DigestStore.docc/\(name).md")
    let text = try String(contentsOf: file, encoding: .utf8)
    // Before the first fence, and between two blocks, there is text.
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    blocks = parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { _, part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
    }
  }

  /// The blocks of a language by their names, with which their first comments begin.
  func named(_ language: String, comment: String) -> [String: String] {
    let named = blocks.filter { $0.language == language }.compactMap { block in
      block.text.split(separator: "\n").first { $0.hasPrefix("\(comment) ") }.map { line in
        (String(line.dropFirst(comment.count + 1).prefix { $0 != ":" }), block.text)
      }
    }
    return Dictionary(named) { first, _ in first }
  }
}

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
