/// The command line as it was typed.
///
/// ArgumentParser hands over no words of a command line that it refuses. What the tool has to know
/// about one, it reads here and nowhere else.
enum Invocation {
  /// The version of the tool.
  static let version = "0.1.0"

  private static var words: ArraySlice<String> { CommandLine.arguments.dropFirst() }

  static var asksForHelp: Bool { words.first == "help" }

  /// The words before the first option: the command, or the command to explain, and arguments.
  static var wordsOfCommand: ArraySlice<String> {
    (asksForHelp ? words.dropFirst() : words).prefix { !$0.hasPrefix("-") }
  }

  /// The words after an option that comes before the command.
  static var wordsAfterOption: ArraySlice<String> {
    words.first?.hasPrefix("-") == true ? words.dropFirst() : []
  }

  /// Whether errors and notes are JSON.
  static var usesJSON: Bool { ["json", "ndjson"].contains(format) }

  /// The format that `--format` names; nil without it.
  private static var format: String? {
    let options = words.prefix { $0 != "--" }
    let formats = zip(options, options.dropFirst() + [""]).compactMap { option, next in
      option == "--format"
        ? next : option.hasPrefix("--format=") ? String(option.dropFirst(9)) : nil
    }
    return formats.last
  }
}
