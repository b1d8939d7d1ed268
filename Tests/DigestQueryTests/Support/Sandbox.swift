import Foundation
import Testing

/// A directory of its own in which the tool runs; it goes when the test does.
///
/// The ids of ``Digest`` are replaced in arguments, input and output.
final class Sandbox: Sendable {
  /// The store that the tool takes when it is told nothing.
  static let store = "digests.sqlite"

  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("digest-query-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  private static let imported = ImportedStores()

  /// Makes a directory with a store of the digests.
  convenience init(importing ndjson: String) throws {
    try self.init()
    if let file = Self.imported[ndjson] {
      try file.write(to: url(Self.store))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: url(Self.store).path)
    } else {
      try load(ndjson)
      Self.imported[ndjson] = bytes()
    }
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

  func url(_ name: String) -> URL {
    directory.appendingPathComponent(name)
  }

  func write(_ text: String, to name: String) throws {
    try Data(Digest.withStoredIDs(text).utf8).write(to: url(name))
  }

  /// The bytes of a file; nil where there is none.
  func bytes(_ name: String = Sandbox.store) -> Data? {
    try? Data(contentsOf: url(name))
  }

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

  /// Runs the tool in the directory, in an environment of nothing but what is given.
  func run(
    _ arguments: [String],
    environment: [String: String] = [:],
    stdin: String = ""
  ) throws -> Outcome {
    try run(
      Tool.url(), arguments, environment: environment,
      stdin: Data(Digest.withStoredIDs(stdin).utf8))
  }

  func run(_ arguments: String...) throws -> Outcome {
    try run(arguments)
  }

  /// Runs SQL on the store, behind the tool's back.
  func alter(_ sql: String) throws {
    let outcome = try run(#require(SQLiteShell.url), [Self.store, sql])
    try #require(outcome == Outcome(), "\(outcome)")
  }

  /// Runs a program; its streams are files, so that no full pipe can make anyone wait.
  func run(
    _ executable: URL,
    _ arguments: [String],
    environment: [String: String] = [:],
    stdin: Data = Data()
  ) throws -> Outcome {
    let streams = try Streams(stdin: stdin)
    let process = self.process(executable, arguments, environment: environment)
    process.standardInput = try streams.input()
    process.standardOutput = try streams.output(streams.stdout)
    process.standardError = try streams.output(streams.stderr)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.statusLikeAShell,
      stdout: try text(of: streams.stdout),
      stderr: try text(of: streams.stderr)
    )
  }

  /// Runs the tool with its stdout on `output`, which tells nothing of what it takes.
  func run(
    _ arguments: [String],
    stdout output: Any,
    started: () throws -> Void = {}
  ) throws -> Outcome {
    let streams = try Streams(stdin: Data())
    let process = self.process(try Tool.url(), arguments, environment: [:])
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try streams.output(streams.stderr)
    try process.run()
    try started()
    process.waitUntilExit()
    return Outcome(
      status: process.statusLikeAShell,
      stderr: try text(of: streams.stderr)
    )
  }

  /// Runs the tool with a pipe or the like as its stdin.
  ///
  /// - Parameter started: is done once the tool runs.
  func run(
    _ arguments: [String],
    stdin input: Any,
    started: () throws -> Void = {}
  ) throws -> Outcome {
    let streams = try Streams(stdin: Data())
    let process = self.process(try Tool.url(), arguments, environment: [:])
    process.standardInput = input
    process.standardOutput = try streams.output(streams.stdout)
    process.standardError = try streams.output(streams.stderr)
    try process.run()
    try started()
    process.waitUntilExit()
    return Outcome(
      status: process.statusLikeAShell,
      stdout: try text(of: streams.stdout),
      stderr: try text(of: streams.stderr)
    )
  }

  /// Runs a program, by default the tool, and sends it a signal as soon as `isTime`.
  ///
  /// - Parameters:
  ///   - output: where its answer goes, if not into the outcome.
  ///   - notes: where its notes go, if not into the outcome.
  ///   - continue: is done when the signal has been sent.
  func run(
    _ arguments: [String],
    of executable: URL? = nil,
    stdin: Any = FileHandle.nullDevice,
    stdout output: Any? = nil,
    stderr notes: Any? = nil,
    interruptedBy signal: Int32,
    when isTime: () throws -> Bool,
    then continue: () throws -> Void = {}
  ) throws -> Outcome {
    let streams = try Streams(stdin: Data())
    let process = self.process(try executable ?? Tool.url(), arguments, environment: [:])
    process.standardInput = stdin
    process.standardOutput = try output ?? streams.output(streams.stdout)
    process.standardError = try notes ?? streams.output(streams.stderr)
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try withSignals { try process.run() }
    // Nothing tells what another process has come to: that is looked up, while its end is waited
    // for.
    while try !isTime(), hasEnded.wait(timeout: .now() + .milliseconds(1)) == .timedOut {}
    if process.isRunning { kill(process.processIdentifier, signal) }
    try `continue`()
    process.waitUntilExit()
    return Outcome(
      status: process.statusLikeAShell,
      stdout: try text(of: streams.stdout),
      stderr: try text(of: streams.stderr)
    )
  }

  /// The text of a stream.
  private func text(of file: URL) throws -> String {
    try Digest.withGivenIDs(String(decoding: Data(contentsOf: file), as: UTF8.self))
  }

  private func process(
    _ executable: URL,
    _ arguments: [String],
    environment: [String: String]
  ) -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments.map { argument in
      let number = argument.wholeMatch(of: /d-([0-9]+)/)?.output.1
      return number.map { "\(Drift.store.prefix(8))-\($0)" } ?? argument
    }
    process.currentDirectoryURL = directory
    process.environment = environment
    return process
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

/// The files that stand for the streams of one run, outside of the directory it runs in.
private final class Streams {
  private let directory: URL
  private let stdin: URL
  let stdout: URL
  let stderr: URL

  init(stdin data: Data) throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("digest-query-streams-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    stdin = directory.appendingPathComponent("stdin")
    stdout = directory.appendingPathComponent("stdout")
    stderr = directory.appendingPathComponent("stderr")
    try data.write(to: stdin)
    for file in [stdout, stderr] { try Data().write(to: file) }
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  func input() throws -> FileHandle { try FileHandle(forReadingFrom: stdin) }

  func output(_ url: URL) throws -> FileHandle { try FileHandle(forWritingTo: url) }
}

extension Process {
  /// The exit status; of a process that a signal has ended 128 and the signal.
  fileprivate var statusLikeAShell: Int32 {
    terminationReason == .exit ? terminationStatus : 128 + terminationStatus
  }
}

/// The files of stores by what was imported into them, so that equal digests are imported once.
private final class ImportedStores: @unchecked Sendable {
  private let lock = NSLock()
  /// By bytes, because texts in two canonical forms are equal.
  private var files: [Data: Data] = [:]

  subscript(ndjson: String) -> Data? {
    get { lock.withLock { files[Data(ndjson.utf8)] } }
    set { lock.withLock { files[Data(ndjson.utf8)] = newValue } }
  }
}
