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
      try StandardOutput.print(ownOptionsFirst(DigestQuery.fullMessage(for: error)))
      return ExitFailure(status: EXIT_SUCCESS, nil)
    } catch {
      return ExitFailure(error) ?? .usage(of: error)
    }
  }

  /// A help text with the options of the command before those that commands share.
  ///
  /// The parser prints options without a title at the end.
  private static func ownOptionsFirst(_ help: String) -> String {
    let shared = /(?s)(\n\n(?:OUTPUT|FILTERS|TRIAGE|STORE):\n.*)(\n\nOPTIONS:\n.*?)(\n*)\z/
    return help.replacing(shared) { "\($0.2)\($0.1)\($0.3)" }
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
        digest-query summary --since 24h
        digest-query export --format csv --model App.Listing > drift.csv

      A shell completes models, releases and other names with the script that \
      digest-query --generate-completion-script zsh (or bash, or fish) prints.

      Exit status: 0 success; 1 check exceeded a limit, spec --fail-on found a verdict, verify found a fault, or doctor found a \
      warning; 64 usage error; 65 bad input; 66 no such store, file, failure or digest, no decodes for a \
      rate, and for check, diff and triage also an unknown name or a window without counts; 74 input or \
      output failed. \
      Errors and notes are lines on stderr. With --format json or ndjson they are JSON objects: {"error": "...", "status": 66} and {"note": "..."}.
      """,
    version: Invocation.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Reports",
        subcommands: [
          SummaryCommand.self, ShowCommand.self, TopNovelValues.self, TopFailures.self, Models.self,
          TrendCommand.self, New.self,
          Diff.self, Renames.self, Digests.self,
        ]),
      CommandGroup(
        name: "Monitoring",
        subcommands: [Check.self, Spec.self, TriageCommand.self, Metrics.self]),
      CommandGroup(name: "Sharing", subcommands: sharing),
      CommandGroup(name: "Maintenance", subcommands: [Verify.self, Doctor.self, Prune.self]),
    ]
  )
}

extension DigestQuery {
  private static var sharing: [any ParsableCommand.Type] {
    let commands: [any ParsableCommand.Type] = [
      Report.self, Export.self, Import.self, PushCommand.self, FleetCommand.self,
    ]
    #if Server
      return commands + [Serve.self]
    #else
      return commands
    #endif
  }
}

extension ExitFailure {
  /// A command line that ArgumentParser refuses.
  ///
  /// The parser's errors are internal; it publishes their messages alone. So everything that
  /// depends on the wording of these messages is here.
  static func usage(of error: any Error) -> Self {
    let (command, unknown) = commandOfInvocation
    // The parser would complain about the first option that it does not know.
    if let unknown { return unknown }
    var message = DigestQuery.message(for: error)
      // The parser lists choices, and long sentences, on lines of their own.
      .replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
      .replacing("\n    ", with: " ").replacing("'.\n", with: "'. ")
    if message.hasPrefix("The value '"), message.hasSuffix("<n>'") {
      let isNumber = message.wholeMatch(of: /The value '[0-9]+' .*/) != nil
      message += ": give it a \(isNumber ? "smaller " : "")whole number"
    }
    if let failure = mistake(message, of: command) { return failure }
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

  /// A word that other programs have, or that is in the wrong place; nil for another mistake.
  private static func mistake(
    _ message: String, of command: any ParsableCommand.Type
  ) -> Self? {
    let pattern = /(Unexpected argument|Unknown option) '(.*?)'(\. Did you mean .*)?/
    guard let match = message.wholeMatch(of: pattern) else { return nil }
    let (_, problem, word, _) = match.output
    return remedy(for: String(word), of: command).map { .usage("\(problem) '\(word)'; \($0)") }
  }

  private static func remedy(for word: String, of command: any ParsableCommand.Type) -> String? {
    let help = DigestQuery.helpMessage(for: command)
    if let name = Invocation.wordsAfterOption.first(where: { subcommand($0, of: command) != nil }) {
      return "write the command first: digest-query \(name) \(word)"
    }
    guard word.hasPrefix("-") else {
      let isStore = word.hasSuffix(".sqlite") || access(word, F_OK) == 0
      return isStore && help.contains("--store <")
        ? "give the store with --store \(word.shellQuoted)" : nil
    }
    if let format = CIFormat(rawValue: String(word.dropFirst(2)))?.rawValue {
      let isOffered =
        help.contains("--format <") && help.split { !$0.isLetter }.contains(format[...])
      return isOffered ? "did you mean --format \(format)?" : nil
    }
    let options = [
      "-n": "--limit", "--env": "--environment", "--new": "--since-last",
      "--max-new-novel-values": "--max-new",
    ]
    return options[word].flatMap { help.contains("\($0) <") ? "did you mean \($0)?" : nil }
  }

  /// Whether the command line asks for help on a command that does not exist.
  ///
  /// The parser prints the help of the root command then.
  static var isHelpOnUnknownCommand: Bool {
    Invocation.asksForHelp && commandOfInvocation.unknown != nil
  }

  /// The command of the command line, and the failure if a word should be a command but isn't one.
  private static var commandOfInvocation: (any ParsableCommand.Type, unknown: Self?) {
    var command: any ParsableCommand.Type = DigestQuery.self
    var parents = ""
    for word in Invocation.wordsOfCommand {
      guard !command.configuration.subcommands.isEmpty, word != "help" else { break }
      guard let next = subcommand(word, of: command) else {
        return (command, .unknownCommand(word, of: command, parents))
      }
      command = next
      parents += "\(word) "
    }
    return (command, nil)
  }

  private static func unknownCommand(
    _ word: String, of command: any ParsableCommand.Type, _ parents: String
  ) -> Self {
    guard word != "serve" || !parents.isEmpty else {
      return .usage(
        "this digest-query was built without collectors: build it with the trait Server, as make install "
          + "TRAITS=Server does")
    }
    let all = command.configuration.subcommands.map { $0.configuration }
    let similar = word.similar(among: all.compactMap(\.commandName))
    // The word may be the verb of an abstract: compare finds diff.
    let described = all.filter { $0.abstract.lowercased().hasPrefix("\(word.lowercased()) ") }
    let names = described.count == 1 ? described.compactMap(\.commandName) : similar
    let remedy = String.question(names.map { parents + $0 }) ?? "see digest-query \(parents)--help"
    return .usage("unknown command '\(parents)\(word)'; \(remedy)")
  }

  private static func subcommand(
    _ name: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first {
      $0.configuration.commandName == name || $0.configuration.aliases.contains(name)
    }
  }
}
