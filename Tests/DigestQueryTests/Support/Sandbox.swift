import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// A directory of its own in which the tool runs; it goes when the test does.
///
/// The ids of ``Digest`` are replaced in arguments, input and output.
final class Sandbox: Sendable {
  /// The store that the tool takes when it is told nothing.
  static let store = "digests.sqlite"

  let directory: URL

  init() throws {
    directory = try Self.makeDirectory()
  }

  private static func makeDirectory() throws -> URL {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("digest-query-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
  }

  /// The files of stores by the bytes that were imported, so that equal digests are imported once.
  private static let imported = Locked<[Data: Data]>([:])

  /// Makes a directory with a store of the digests.
  convenience init(importing ndjson: String) throws {
    try self.init()
    let key = Data(ndjson.utf8)
    if let file = Self.imported.withLock({ $0[key] }) {
      try file.write(to: url(Self.store))
      try allow(0o600)
    } else {
      try load(ndjson)
      let file = bytes()
      Self.imported.withLock { $0[key] = file }
    }
  }

  convenience init(importing digests: [Digest]) throws {
    try self.init(importing: digests.ndjson)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// Imports digests, and expects that all of them are good. A note may say that a limit is
  /// reached.
  func load(_ ndjson: String, into store: String = Sandbox.store) throws {
    let outcome = try run(["import", "-", "--store", store], stdin: ndjson)
    try #require(outcome.status == 0, "\(outcome)")
  }
}

/// Files of the directory.
extension Sandbox {
  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }

  func write(_ text: String, to name: String) throws {
    try Data(Digest.withStoredIDs(text).utf8).write(to: url(name))
  }

  /// The bytes of a file; nil where there is none.
  func bytes(_ name: String = Sandbox.store) -> Data? { try? Data(contentsOf: url(name)) }

  /// The text of a file; nil where there is none.
  func text(_ name: String) -> String? {
    bytes(name).map { Digest.withGivenIDs(String(decoding: $0, as: UTF8.self)) }
  }

  /// The names of the files, but for an empty log and the shared memory of a closed store.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().filter { name in
      guard name.hasSuffix("-wal") || name.hasSuffix("-shm") else { return true }
      return bytes("\(name.dropLast(4))-wal")?.isEmpty == false
    }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: false)
  }

  func link(_ name: String, to path: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url(name).path, withDestinationPath: path)
  }

  /// Says who may read and write a file, or the directory, which is named by `.`.
  func allow(_ permissions: Int, _ name: String = Sandbox.store) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: url(name).path)
  }

  /// Who may read and write a file.
  func permissions(of name: String = Sandbox.store) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url(name).path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}

/// What happens to the store behind the tool's back.
extension Sandbox {
  func alter(_ sql: String) throws {
    let connection = try Connection(path: url(Self.store).path, mode: .readWrite)
    try connection.execute(sql)
    try connection.emptyLog()
  }

  /// Adds a loss.
  func lose(
    _ occurrences: Int, in digests: Int = 1, _ reason: String = "failed write",
    at time: String = "2026-11-20T10:00:00Z", note: String? = nil
  ) throws {
    try alter(
      """
      INSERT INTO loss (reason, hour, digests, occurrences, note) VALUES ('\(reason)',
        strftime('%s', '\(time)') / 3600, \(digests), \(occurrences),
        \(note.map { "'\($0)'" } ?? "NULL"))
      """)
  }

  /// Has the tool evict all digests. The newest one, from which ages are measured, is removed, too.
  func evictAll() throws {
    try load(Digest.newest.line)
    _ = try run("prune --max-age 0s")
    try alter("DELETE FROM digest")
  }
}

/// Runs of the tool and of other programs.
extension Sandbox {
  /// Runs the tool in the directory, in an environment of nothing but what is given.
  ///
  /// - Parameters:
  ///   - line: the arguments with spaces between them; an argument with a space is in single quotes.
  ///   - more: further arguments.
  func run(
    _ line: String, _ more: [String] = [], environment: [String: String] = [:], stdin: String = ""
  ) throws -> Outcome {
    try run(line.words + more, environment: environment, stdin: stdin)
  }

  func run(
    _ arguments: [String], environment: [String: String] = [:], stdin: String = ""
  ) throws -> Outcome {
    try start(
      arguments, environment: environment, stdin: Data(Digest.withStoredIDs(stdin).utf8))
  }

  /// Runs the tool, or another program, and waits for its end.
  ///
  /// - Parameters:
  ///   - input: its bytes, or what a process takes for its standard input.
  ///   - output: where its answer goes, if not into the outcome.
  ///   - notes: where its notes go, if not into the outcome.
  ///   - body: is done once it runs.
  func start(
    _ arguments: [String],
    of program: URL? = nil,
    environment: [String: String] = [:],
    stdin input: Any = Data(),
    stdout output: Any? = nil,
    stderr notes: Any? = nil,
    then body: (Process) throws -> Void = { _ in }
  ) throws -> Outcome {
    // Files, so that no full pipe can make anyone wait, and outside of the tool's directory.
    let streams = try Self.makeDirectory()
    defer { try? FileManager.default.removeItem(at: streams) }
    func file(_ name: String, _ data: Data = Data()) throws -> URL {
      let url = streams.appendingPathComponent(name)
      try data.write(to: url)
      return url
    }
    let (stdout, stderr) = try (file("stdout"), file("stderr"))
    let process = Process()
    process.executableURL = try program ?? Tool.url()
    process.arguments = arguments.map { argument in
      let number = argument.wholeMatch(of: /d-([0-9]+)/)?.output.1
      return number.map { "\(Drift.store.prefix(8))-\($0)" } ?? argument
    }
    process.currentDirectoryURL = directory
    process.environment = environment
    process.standardInput =
      try (input as? Data).map { try FileHandle(forReadingFrom: file("stdin", $0)) } ?? input
    process.standardOutput = try output ?? FileHandle(forWritingTo: stdout)
    process.standardError = try notes ?? FileHandle(forWritingTo: stderr)
    try withSignals { try process.run() }
    try body(process)
    process.waitUntilExit()
    func text(_ url: URL) throws -> String {
      try Digest.withGivenIDs(String(decoding: Data(contentsOf: url), as: UTF8.self))
    }
    return Outcome(
      status: process.statusLikeAShell, stdout: try text(stdout), stderr: try text(stderr))
  }

  /// Runs the tool, or another program, and sends it a signal as soon as `isTime`.
  ///
  /// - Parameter continue: is done when the signal has been sent.
  func run(
    _ arguments: [String],
    of program: URL? = nil,
    stdin: Any = FileHandle.nullDevice,
    stdout: Any? = nil,
    stderr: Any? = nil,
    interruptedBy signal: Int32,
    when isTime: () throws -> Bool,
    then continue: () throws -> Void = {}
  ) throws -> Outcome {
    try start(arguments, of: program, stdin: stdin, stdout: stdout, stderr: stderr) { process in
      let hasEnded = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in hasEnded.signal() }
      // Nothing tells what another process has come to: that is looked up, while its end is waited
      // for.
      while try !isTime(), process.isRunning {
        _ = hasEnded.wait(timeout: .now() + .milliseconds(1))
      }
      if process.isRunning { kill(process.processIdentifier, signal) }
      try `continue`()
    }
  }

  /// What SQLite's shell answers to a question about the store.
  func answer(to sql: String) throws -> Outcome {
    try start(
      ["-readonly", Self.store], of: Program.url("sqlite3"), stdin: Data(sql.utf8))
  }

  /// Puts a program into the directory that stands for another one of this name.
  func stub(_ name: String, _ script: String) throws {
    try write("#!/bin/sh\n\(script)\n", to: name)
    try allow(0o755, name)
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
    // Tests share a sandbox, at the same time.
    let file = "script-\(UUID().uuidString)"
    try write(script, to: file)
    defer { try? remove(file) }
    return try start(
      [file] + arguments, of: URL(filePath: "/bin/sh"),
      environment: environment.merging(["PATH": path]) { $1 }, stdin: Data(stdin.utf8))
  }
}

extension String {
  /// The words of a command line.
  var words: [String] {
    matches(of: /'([^']*)'|[^ ]+/).map { String($0.output.1 ?? $0.output.0) }
  }
}

/// Runs `body` with no signal held back or ignored, as a shell runs a program: the threads of tests
/// hold some back, in the background all of them ignore some, and a process inherits that.
func withSignals(_ body: () throws -> Void) rethrows {
  for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { signal(number, SIG_DFL) }
  var none = sigset_t()
  sigemptyset(&none)
  var before = sigset_t()
  pthread_sigmask(SIG_SETMASK, &none, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  try body()
}

extension Process {
  /// The exit status; of a process that a signal has ended 128 and the signal.
  fileprivate var statusLikeAShell: Int32 {
    terminationReason == .exit ? terminationStatus : 128 + terminationStatus
  }
}
