import ArgumentParser
import ResilientPlatform

@main
enum Main {
  static func main() { run { try DigestQuery.parseAsRoot() } }

  /// Runs a command. If that fails, ends the process.
  static func run(_ parse: () throws -> any ParsableCommand) {
    // A write then reports that the reader has gone away, and the run ends quietly; or that a file
    // would exceed a limit of the shell.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
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

/// The command line: `digest-query COMMAND`.
struct DigestQuery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest-query",
    abstract: "Report what the backend sends that the app does not know.",
    discussion: """
      The store is --store PATH, else $DIGEST_STORE, else digests.sqlite in this directory.

      Examples:
        digest-query top-novel-values --since 24h
        digest-query export --format csv --model App.Listing > drift.csv

      A shell completes models, releases and other names with the script that \
      digest-query --generate-completion-script zsh (or bash, or fish) prints.

      Exit status: 0 success; 1 check exceeded a limit, spec --fail-on found a verdict, verify found a fault, or doctor found a \
      warning; 64 usage error; 65 bad input; 66 no such store, file or digest, and for \
      check and diff also an unknown name or a window without counts; 74 input or output failed. \
      Errors and notes are lines on stderr. With --format json or ndjson they are JSON objects: {"error": "...", "status": 66} and {"note": "..."}.
      """,
    version: Invocation.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Reports",
        subcommands: [
          SummaryCommand.self, ShowCommand.self, TopNovelValues.self, TopFailures.self, Models.self, TrendCommand.self, New.self,
          Diff.self, Renames.self, Digests.self,
        ]),
      CommandGroup(
        name: "Monitoring",
        subcommands: [Check.self, Spec.self, TriageCommand.self, Metrics.self]),
      CommandGroup(
        name: "Sharing",
        subcommands: [
          Report.self, Export.self, Import.self, PushCommand.self, FleetCommand.self,
        ]),
      CommandGroup(name: "Maintenance", subcommands: [Verify.self, Doctor.self, Prune.self]),
    ]
  )
}

extension ExitFailure {
  /// A command line that ArgumentParser refuses.
  ///
  /// The parser's errors are internal; it publishes their messages alone. So everything that
  /// depends on the wording of these messages is here.
  static func usage(of error: any Error) -> Self {
    // The parser would complain about the first option that it does not know.
    if let name = Invocation.command, !isCommand(name) { return .unknownCommand(name) }
    if let (old, name) = renamedOption(in: DigestQuery.message(for: error)) {
      return .usage("\(old) is called \(name)")
    }
    var message = DigestQuery.message(for: error)
      // The parser lists choices, and long sentences, on lines of their own.
      .replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
      .replacing("\n    ", with: " ").replacing("'.\n", with: "'. ")
    if message.hasPrefix("The value '"), message.hasSuffix("<n>'") {
      message += ": give it a whole number"
    }
    if let match = message.wholeMatch(of: /([^']*'([^']*)')\. Did you mean '([^']*)'\?/) {
      let (_, complaint, option, candidate) = match.output
      // The parser suggests options that have little in common with what was typed.
      guard String(option).similar(among: [String(candidate)]).isEmpty else {
        return .usage("\(complaint); did you mean \(candidate)?")
      }
      message = String(complaint)
    }
    // A suggestion is the remedy.
    guard !message.hasSuffix("?") else { return .usage(message) }
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    let help = DigestQuery.fullMessage(for: error).matches(of: /See '([^']*)' for more information/)
    return .usage("\(sentence); see \(help.last?.output.1 ?? "digest-query --help")")
  }

  /// An unknown option that has another name now, and that name.
  private static func renamedOption(in message: String) -> (old: String, name: String)? {
    let names = ["--max-new-novel-values": "--max-new", "--new": "--since-last"]
    return names.first { message.hasPrefix("Unknown option '\($0.key)'") }.map {
      ($0.key, $0.value)
    }
  }

  /// Whether the command line asks for help on a command that does not exist.
  ///
  /// The parser prints the help of the root command then.
  static var isHelpOnUnknownCommand: Bool {
    Invocation.asksForHelp && Invocation.command.map { !isCommand($0) } ?? false
  }

  private static func unknownCommand(_ name: String) -> Self {
    let remedy = name.suggestion(among: commands) ?? "see digest-query --help"
    return .usage("unknown command '\(name)'; \(remedy)")
  }

  private static func isCommand(_ name: String) -> Bool {
    name == "help" || commands.contains(name)
      || subcommands.contains { $0.configuration.aliases.contains(name) }
  }

  private static var commands: [String] {
    subcommands.compactMap { $0.configuration.commandName }
  }

  private static var subcommands: [any ParsableCommand.Type] {
    DigestQuery.configuration.groupedSubcommands.flatMap(\.subcommands)
  }
}
