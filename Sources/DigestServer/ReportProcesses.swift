#if Server
  import ResilientPlatform
  import Subprocess

  /// Runs `digest-query` for reports, each in a process of its own: an answer is what the command
  /// prints, byte for byte, and a report that fails, or takes much memory, affects nothing else.
  actor ReportProcesses {
    /// The output of a command.
    struct Answer: Sendable {
      let status: Int
      let output: [UInt8]

      /// The lines of stderr.
      let notes: [String]
    }

    /// The server is busy.
    struct TooMany: Error {}

    /// How many run at the same time, and how many wait.
    private static let (mostRunning, mostWaiting) = (4, 64)

    /// The most bytes of an answer.
    private static let mostBytes = 64 << 20

    /// The path of the program.
    private let tool: String
    private let environment: Environment
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - tool: the path of `digest-query`.
    ///   - store: the store. It is passed in the environment, which other users cannot read: the URL
    ///     of a fleet may have a password.
    init(tool: String, store: String) {
      self.tool = URL(filePath: tool).lastPathComponent
      // The program is found by its name in its own directory.
      environment = .inherit.updating([
        "PATH": URL(filePath: tool).deletingLastPathComponent().path, "DIGEST_STORE": store,
        "NO_COLOR": "1",
      ])
    }

    /// Runs a command line.
    ///
    /// - Throws: ``TooMany``; errors of starting a process.
    func run(_ arguments: [String]) async throws -> Answer {
      if running == Self.mostRunning {
        guard waiting.count < Self.mostWaiting else { throw TooMany() }
        await withCheckedContinuation { waiting.append($0) }
      } else {
        running += 1
      }
      defer {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
      }
      let result = try await Subprocess.run(
        .name(tool), arguments: Arguments(arguments), environment: environment,
        output: .bytes(limit: Self.mostBytes), error: .string(limit: 1 << 20))
      let status: Int =
        switch result.terminationStatus {
        case .exited(let code): Int(code)
        case .signaled: 74
        }
      let notes = result.standardError.split(separator: "\n").map(Self.note)
      return Answer(status: status, output: result.standardOutput, notes: notes)
    }

    /// The text of a line on stderr, which is an object where the answer is JSON.
    private static func note(_ line: Substring) -> String {
      let prefix = "digest-query: "
      guard line.hasPrefix("{"),
        let note = try? JSONDecoder().decode(Note.self, from: Data(line.utf8))
      else { return String(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line) }
      return note.error ?? note.note ?? String(line)
    }

    private struct Note: Decodable {
      let error: String?
      let note: String?
    }
  }
#endif
