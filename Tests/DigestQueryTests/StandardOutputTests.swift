import Foundation
import Testing

/// What happens when nobody reads, or nothing can be written.
struct StandardOutputTests {
  private static let commands = [
    ["top-novel-values"], ["top-novel-values", "--format", "csv"],
    ["top-novel-values", "--format", "tsv"], ["top-failures", "--format", "markdown"],
    ["new", "--since", "2026-11-01"],
    ["diff", "..2026-11-01", "2026-11-01..", "--format", "csv"], ["export"],
    ["export", "--format", "csv"], ["export", "--format", "tsv"],
  ]

  /// A store whose reports are some times longer than a pipe holds.
  private func largeSandbox() throws -> Sandbox {
    let value = String(repeating: "value ", count: 40)
    return try Sandbox(
      importing: (1...800).map { Digest("d-\($0)", novelValue: value + "\($0)") }.ndjson)
  }

  @Test(arguments: commands)
  func `a closed pipe ends it quietly`(command: [String]) throws {
    let sandbox = try largeSandbox()
    let pipe = Pipe()
    let outcome = try sandbox.run(command, stdout: pipe) {
      try pipe.fileHandleForReading.close()
    }
    #expect(outcome == Outcome())
  }

  @Test(arguments: commands)
  func `a reader that has seen enough ends it quietly`(command: [String]) throws {
    let sandbox = try largeSandbox()
    let pipe = Pipe()
    let outcome = try sandbox.run(command, stdout: pipe) {
      _ = try pipe.fileHandleForReading.read(upToCount: 100)
      try pipe.fileHandleForReading.close()
    }
    #expect(outcome == Outcome())
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: commands + [
      ["check", "--max-occurrences", "0"], ["verify"], ["--help"], ["--version"],
      ["export", "--help"],
    ]
  )
  func `a full device is an error`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let device = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    #expect(
      try sandbox.run(command, stdout: device)
        == .failure(
          74, "cannot write the output: No space left on device; choose another destination")
    )
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `an import that cannot print its summary is an error`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(Drift.ndjson, to: "drift.ndjson")
    let device = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    #expect(
      try sandbox.run(["import", "drift.ndjson"], stdout: device)
        == .failure(
          74, "cannot write the output: No space left on device; choose another destination")
    )
  }

  @Test(arguments: commands)
  func `a pipe that does not block gets the whole output`(command: [String]) throws {
    let sandbox = try largeSandbox()
    let whole = try sandbox.run(command)
    let pipe = Pipe()
    let (reading, writing) = (
      pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor
    )
    #expect(fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK) >= 0)
    var output = Data()
    let outcome = try sandbox.run(command, stdout: pipe) {
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
    let sandbox = try Sandbox()
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(reading, F_SETFL, fcntl(reading, F_GETFL) | O_NONBLOCK) >= 0)
    let lines = Data(Drift.ndjson.utf8)
    try pipe.fileHandleForWriting.write(contentsOf: lines.prefix(100))
    let outcome = try sandbox.run(["import", "-"], stdin: pipe) {
      try pipe.fileHandleForWriting.write(contentsOf: lines.dropFirst(100))
      try pipe.fileHandleForWriting.close()
    }
    #expect(outcome == .imported(5))
  }
}
