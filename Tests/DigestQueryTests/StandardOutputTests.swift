import Foundation
import Testing

/// What happens when nobody reads, or nothing can be written.
struct StandardOutputTests {
  private static let commands = [
    "top-novel-values", "top-novel-values --format csv", "top-novel-values --format tsv",
    "top-failures --format markdown", "new --since 2026-11-01",
    "diff ..2026-11-01 2026-11-01.. --format csv", "export", "export --format csv",
    "export --format tsv",
  ]

  /// A store whose reports are some times longer than a pipe holds.
  private func largeSandbox() throws -> Sandbox {
    let value = String(repeating: "value ", count: 40)
    return try Sandbox(importing: (1...800).map { Digest("d-\($0)", novelValue: "\(value)\($0)") })
  }

  /// How much is read before the pipe is closed.
  @Test(arguments: commands, [0, 100])
  func `a reader that has seen enough ends it quietly`(command: String, count: Int) throws {
    let pipe = Pipe()
    let outcome = try largeSandbox().start(command.words, stdout: pipe) { _ in
      if count > 0 { _ = try pipe.fileHandleForReading.read(upToCount: count) }
      try pipe.fileHandleForReading.close()
    }
    #expect(outcome == Outcome())
  }

  @Test(
    .needsFullDevice,
    arguments: commands + [
      "check --max-occurrences 0", "verify", "--help", "--version", "export --help",
      "import drift.ndjson",
    ])
  func `a full device is an error`(command: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(Drift.ndjson, to: "drift.ndjson")
    let device = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    #expect(
      try sandbox.start(command.words, stdout: device)
        == .failure(
          74, "cannot write the output: No space left on device; choose another destination"))
  }

  @Test(arguments: commands)
  func `a pipe that does not block gets the whole output`(command: String) throws {
    let sandbox = try largeSandbox()
    let whole = try sandbox.run(command)
    let pipe = Pipe()
    let (reading, writing) = (
      pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor
    )
    #expect(fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK) >= 0)
    var output = Data()
    let outcome = try sandbox.start(command.words, stdout: pipe) { _ in
      try pipe.fileHandleForWriting.close()
      // Until the tool has to wait, or has written everything.
      var waiting: Int32 = 0
      while waiting < min(60_000, whole.stdout.utf8.count) {
        guard ioctl(reading, UInt(FIONREAD), &waiting) == 0 else { break }
      }
      output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    }
    #expect(outcome == Outcome(stderr: whole.stderr))
    #expect(Digest.withGivenIDs(String(decoding: output, as: UTF8.self)) == whole.stdout)
  }

  @Test func `an import waits for a pipe that does not block`() throws {
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(reading, F_SETFL, fcntl(reading, F_GETFL) | O_NONBLOCK) >= 0)
    let lines = Data(Drift.ndjson.utf8)
    try pipe.fileHandleForWriting.write(contentsOf: lines.prefix(100))
    let outcome = try Sandbox().start(["import", "-"], stdin: pipe) { _ in
      try pipe.fileHandleForWriting.write(contentsOf: lines.dropFirst(100))
      try pipe.fileHandleForWriting.close()
    }
    #expect(outcome == .imported(5))
  }
}
