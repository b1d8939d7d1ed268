import ArgumentParser

extension ExitFailure {
  /// A command line that ArgumentParser refuses.
  ///
  /// The parser's errors are internal; it publishes their messages alone. So everything that
  /// depends on the wording of these messages is here.
  static func usage(of error: any Error) -> Self {
    // The parser would complain about the first option that it does not know.
    if let name = Invocation.command, !isCommand(name) { return .unknownCommand(name) }
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
