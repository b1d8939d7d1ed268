import ArgumentParser
import ResilientPlatform

@main
enum Main {
  static func main() { run { try DigestQuery.parseAsRoot() } }

  /// Runs a command. If that fails, ends the process.
  static func run(_ parse: () throws -> any ParsableCommand) {
    // A write then reports that the reader has gone away, and the run ends quietly.
    signal(SIGPIPE, SIG_IGN)
    Interruption.begin()
    do {
      var command = try parse()
      try command.run()
      Interruption.end()
    } catch {
      end(error)
    }
  }

  private static func end(_ error: any Error) -> Never {
    let failure = ExitFailure(error) ?? answer(to: error)
    if let message = failure.message { Note.writeError(message, status: failure.status) }
    Interruption.end()
    exit(failure.status)
  }

  /// Prints the help, the version and the like if the command line asks for them.
  private static func answer(to error: any Error) -> ExitFailure {
    // What the parser throws is about the command line; it takes everything else for a failure.
    if DigestQuery.exitCode(for: error) == .failure { return .io("\(error)") }
    guard DigestQuery.exitCode(for: error) == .success, !ExitFailure.isHelpOnUnknownCommand else {
      return .usage(of: error)
    }
    do {
      try StandardOutput.print(DigestQuery.fullMessage(for: error))
      return ExitFailure(status: EXIT_SUCCESS, nil)
    } catch {
      return ExitFailure(error) ?? .usage(of: error)
    }
  }
}
