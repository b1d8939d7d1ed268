import Foundation
import Testing

/// The program `script`, which runs another one on a pseudo-terminal: a tool does other things
/// when a person looks.
enum Terminal {
  /// The program and the arguments that run a command on a terminal.
  static func command(_ words: [String]) -> (URL, [String]) {
    let script = URL(filePath: "/usr/bin/script")
    #if os(Linux)
      let quoted = words.map { "'\($0.replacing("'", with: #"'\''"#))'" }
      return (
        script,
        ["--quiet", "--return", "--command", "exec " + quoted.joined(separator: " "), "/dev/null"]
      )
    #else
      return (script, ["-q", "/dev/null"] + words)
    #endif
  }
}

extension Sandbox {
  /// Runs the tool on a terminal, where stdout and stderr are one.
  ///
  /// - Parameter columns: how wide the terminal is; nil for one that does not say.
  func runOnTerminal(
    _ line: String,
    _ more: [String] = [],
    environment: [String: String] = ["TERM": "dumb"],
    columns: Int? = nil
  ) throws -> Outcome {
    let tool = [try Tool.url().path] + line.words + more
    let (program, arguments) = Terminal.command(
      columns.map { ["/bin/sh", "-c", "stty cols \($0); exec \"$@\"", "sh"] + tool } ?? tool)
    var outcome = try start(
      arguments, of: program, environment: environment.merging(["SHELL": "/bin/sh"]) { $1 })
    // The terminal puts a CR before every LF.
    outcome.stdout = outcome.stdout.replacing("\r\n", with: "\n")
    #if !os(Linux)
      // BSD's script shows the end of its input, and takes it back.
      outcome.stdout = outcome.stdout.replacing("^D\u{8}\u{8}", with: "")
    #endif
    return outcome
  }
}
