import Foundation
import Testing

/// A shell that reads keys from a terminal, as a person presses them.
struct InteractiveShell {
  let name: String
  private let options: [String]

  /// Reads completions from the standard input of a command line.
  private let setup: String

  static let bash = Self(
    name: "bash", options: ["--norc", "--noprofile", "-i"], setup: ". ./completions")
  static let zsh = Self(
    name: "zsh", options: ["-f", "-i"],
    setup: "autoload -Uz compinit; compinit -D -u; . ./completions")
  static let fish = Self(
    name: "fish", options: ["--no-config", "--private", "-i"], setup: "source ./completions")

  /// Presses keys, a line after the other, in a directory with the completions that the tool
  /// prints.
  ///
  /// - Returns: the arguments that the tool was started with each time, except to complete.
  func press(_ lines: [String], in sandbox: Sandbox) throws -> [[String]] {
    let script = try sandbox.run("--generate-completion-script \(name)")
    try sandbox.write(script.stdout, to: "completions")
    defer { try? sandbox.remove("completions") }
    let (program, arguments) = Terminal.command([try Program.url(name).path] + options)
    let keys = ([setup] + lines + ["exit"]).map { $0 + "\n" }.joined()
    return try start(program, arguments, keys, in: sandbox)
  }

  /// Runs a command line.
  ///
  /// - Returns: the arguments that the tool was started with; nil where it was not.
  func run(_ line: String, in sandbox: Sandbox) throws -> [String]? {
    try start(Program.url(name), ["-c", line], "", in: sandbox).first
  }

  private func start(
    _ program: URL, _ arguments: [String], _ keys: String, in sandbox: Sandbox
  ) throws -> [[String]] {
    try sandbox.stub(
      Tool.name,
      """
      if [ "$1" = ---completion ]; then exec '\(Tool.url().path)' "$@"; fi
      printf '%s\\0' "$#" "$@" >> arguments
      """)
    // What a shell remembers of its own goes elsewhere.
    let home = try Sandbox()
    _ = try sandbox.start(
      arguments, of: program,
      environment: [
        "PATH": "\(sandbox.directory.path):/usr/bin:/bin", "HOME": home.directory.path,
        "TERM": "dumb", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh",
      ],
      stdin: Data(keys.utf8))
    let bytes = sandbox.bytes("arguments") ?? Data()
    for file in [Tool.name, "arguments"] { try? sandbox.remove(file) }
    var words = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    var commands: [[String]] = []
    while let count = words.popFirst().flatMap({ Int($0) }) {
      commands.append(Array(words.prefix(count)))
      words = words.dropFirst(count)
    }
    return commands
  }
}
