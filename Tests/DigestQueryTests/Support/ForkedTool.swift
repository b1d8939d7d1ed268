import ArgumentParser
import Foundation
import Testing

@testable import digest_query

@_silgen_name("fork") private func forkProcess() -> pid_t

/// The tool in a fork of this process: starting the program would take most of the time of
/// thousands of runs.
///
/// To be used in a process that runs a single test, because only the thread that forks exists in
/// the child.
struct ForkedTool {
  let directory: URL

  /// For how many seconds a run may compute.
  private static let seconds: rlim_t = 60

  /// How many bytes of memory a run may use.
  private static let bytes: rlim_t = 2 << 30

  /// A command line that was parsed before the fork, which takes most of a run's time.
  struct Command {
    let text: String
    fileprivate let parsed: any ParsableCommand

    init(_ text: String) throws {
      self.text = text
      parsed = try DigestQuery.parseAsRoot(text.split(separator: " ").map { String($0) })
    }
  }

  /// Runs the tool and discards its output.
  func run(_ command: Command) throws -> Outcome {
    let notes = directory.appendingPathComponent("stderr").path
    let child = forkProcess()
    if child == 0 {
      Self.begin(in: directory.path, notes, open("/dev/null", O_RDWR))
      Main.run { command.parsed }
      _exit(0)
    }
    try #require(child > 0)
    var status: Int32 = 0
    try #require(waitpid(child, &status, 0) == child)
    let signal = status & 0x7f
    return Outcome(
      status: signal == 0 ? status >> 8 & 0xff : 128 + signal,
      stderr: String(decoding: try Data(contentsOf: URL(fileURLWithPath: notes)), as: UTF8.self))
  }

  #if os(Linux)
    private static func limit(_ resource: __rlimit_resource, to limit: rlim_t) {
      Self.limit(Int32(resource.rawValue), to: limit)
    }
  #endif

  private static func limit(_ resource: Int32, to limit: rlim_t) {
    var limit = rlimit(rlim_cur: limit, rlim_max: limit)
    setrlimit(resource, &limit)
  }

  private static func begin(in directory: String, _ notes: String, _ input: Int32) {
    // A run that waits for ever computes nothing. An import uses this signal itself.
    alarm(300)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigprocmask(SIG_SETMASK, &signals, nil)
    limit(RLIMIT_CPU, to: seconds)
    limit(RLIMIT_DATA, to: bytes)
    setenv("TERM", "xterm", 1)
    let errors = open(notes, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard chdir(directory) == 0, dup2(input, STDIN_FILENO) >= 0, dup2(input, STDOUT_FILENO) >= 0,
      dup2(errors, STDERR_FILENO) >= 0
    else { _exit(99) }
  }
}
