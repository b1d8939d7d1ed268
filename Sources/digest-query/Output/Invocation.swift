/// The command line as it was typed.
///
/// ArgumentParser hands over no words of a command line that it refuses. What the tool has to know
/// about one, it reads here and nowhere else.
enum Invocation {
  /// The version of the tool.
  static let version = "0.1.0"

  private static var words: ArraySlice<String> { CommandLine.arguments.dropFirst() }

  static var asksForHelp: Bool { words.first == "help" }

  /// The name of the command, or of the command to explain; nil if an option comes first.
  static var command: String? {
    let name = asksForHelp ? words.dropFirst().first : words.first
    return name.flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  /// Whether errors and notes are JSON.
  static var usesJSON: Bool { ["json", "ndjson"].contains(format) }

  /// Whether a person reads the answer.
  static var isForPeople: Bool { (format ?? "table") == "table" && StandardOutput.isTerminal }

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
