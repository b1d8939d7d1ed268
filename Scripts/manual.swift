// Writes the manual: a page for digest-query and one for each of its commands (mdoc(7)).
//
//     digest-query --experimental-dump-help | swift Scripts/manual.swift DIRECTORY
//
// Environment, files and exit statuses are written here; all else is what --help says.

import Foundation

struct Help: Decodable {
  let command: Command
}

struct Command: Decodable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool
  let superCommands: [String]?
  let subcommands: [Command]?
  let arguments: [Argument]?

  /// As a shell takes it, and as its page is called.
  var words: [String] { (superCommands ?? []) + [commandName] }
  var page: String { words.joined(separator: "-") }

  var commands: [Command] {
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  /// This command and all below it.
  var all: [Command] { [self] + commands.flatMap(\.all) }

  /// The discussion without its examples, and those.
  var text: (paragraphs: [String], examples: [String]) {
    let paragraphs = (discussion ?? "").components(separatedBy: "\n\n")
    let title = "Examples:\n"
    let examples = paragraphs.filter { $0.hasPrefix(title) }.flatMap {
      $0.dropFirst(title.count).split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return (paragraphs.filter { !$0.hasPrefix(title) && !$0.isEmpty }, examples)
  }
}

struct Argument: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String

    /// What `.Fl` takes, which writes the first hyphen itself.
    var flag: String { kind == "long" ? "-\(name)" : name }
  }

  let kind: String
  let shouldDisplay: Bool
  let isOptional: Bool
  let isRepeating: Bool
  let names: [Name]?
  let valueName: String?
  let defaultValue: String?
  let allValues: [String]?
  let abstract: String?

  private var value: String { kind == "flag" ? "" : "Ar \(valueName ?? "value")" }

  private var dots: String { isRepeating ? " ..." : "" }

  /// In the synopsis.
  var synopsis: String {
    let flag = names?.last.map { "Fl \($0.flag) " } ?? ""
    let all = (flag + value).trimmingCharacters(in: .whitespaces)
    return isOptional ? ".Op \(all)\(dots)" : ".\(all)\(dots)"
  }

  /// At the head of what is said of it.
  var item: String {
    let flags = (names ?? []).map { "Fl \($0.flag)" }.joined(separator: " , ")
    return ".It \([flags, value].filter { !$0.isEmpty }.joined(separator: " "))"
  }

  var text: String {
    let values = allValues.map { " One of \($0.joined(separator: ", "))." } ?? ""
    let preset = defaultValue.map { " The default is \($0)." } ?? ""
    return (abstract ?? "") + values + preset
  }
}

/// Breaks text into lines, starts each sentence on a new line, and escapes formatter requests.
func lines(_ text: String) -> String {
  var lines: [String] = []
  var line = ""
  func end() {
    if !line.isEmpty { lines.append(line) }
    line = ""
  }
  let words = text.split(separator: " ")
  for (index, word) in words.enumerated() {
    if line.count + word.count > 74 { end() }
    line += (line.isEmpty ? "" : " ") + word
    let next = index + 1 < words.count ? words[index + 1].first : nil
    if let last = word.last, ".?!".contains(last), next?.isUppercase == true || next == "-" {
      end()
    }
  }
  end()
  return lines.map(escaped).joined(separator: "\n") + "\n"
}

/// Joins the paragraphs of a description. Indented lines become a table.
func description(_ paragraphs: [String]) -> String {
  paragraphs.enumerated().map { index, text in
    guard text.hasPrefix("  ") else { return (index > 0 ? ".Pp\n" : "") + lines(text) }
    let rows = text.split(separator: "\n").map { escaped($0.trimmingCharacters(in: .whitespaces)) }
    return ".Bd -literal -offset indent\n" + rows.joined(separator: "\n") + "\n.Ed\n"
  }.joined()
}

func escaped(_ line: String) -> String {
  // A hyphen alone becomes a typographic one in some formatters.
  let text = line.replacingOccurrences(of: "\\", with: "\\e")
    .replacingOccurrences(of: "--", with: "\\-\\-")
  return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
}

func tagged(_ items: [(String, String)]) -> String {
  ".Bl -tag -width Ds\n" + items.map { ".It \($0)\n" + lines($1) }.joined() + ".El\n"
}

let environment = tagged([
  ("Ev DIGEST_STORE", "The store, unless --store names one."),
  ("Ev DIGEST_TRIAGE", "The file of decisions, unless --triage names one."),
  ("Ev NO_COLOR", "If set and not empty, disables colors (https://no-color.org)."),
  ("Ev LC_ALL , Ev LC_CTYPE , Ev LANG", "Whether bars may contain more than ASCII."),
  ("Ev TERM", "Whether the terminal has cursor control; dumb means that it has not."),
  ("Ev TMPDIR", "The directory for the copy of prune --dry-run."),
])

let files = tagged([
  ("Pa digests.sqlite", "The default store."),
  (
    "Pa digests.sqlite-wal , Pa digests.sqlite-shm",
    "Files of SQLite that belong to a store in use. Beside a closed store they mean nothing."
  ),
  ("Pa digest-triage.ndjson", "The default file of decisions, if it exists."),
  (
    "Pa digests.sqlite.checks",
    "The failures that each check with --since-last NAME has reported, as hashes."
  ),
])

let statuses = tagged([
  ("0", "Success."),
  (
    "1",
    "check exceeded a limit, spec found a verdict of --fail-on, verify found a fault, or doctor found a "
      + "warning."
  ),
  ("64", "The command line is invalid."),
  ("65", "The input or the store is invalid."),
  ("66", "There is no such store, release or other name."),
  ("74", "Input or output failed."),
])

func page(_ command: Command, root: Command, date: String) -> String {
  let hasCommands = !command.commands.isEmpty
  let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
  let (paragraphs, examples) = command.text
  let abstract = command.abstract ?? ""
  var text = """
    .Dd \(date)
    .Dt \(command.page.uppercased()) 1
    .Os
    .Sh NAME
    .Nm \(command.page)
    .Nd \(escaped(abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract))
    .Sh SYNOPSIS
    .Nm "\(command.words.joined(separator: " "))"

    """
  if hasCommands { text += ".Ar command\n.Op Ar argument ...\n" }
  text += arguments.map { $0.synopsis + "\n" }.joined()
  text += ".Sh DESCRIPTION\n"
  text += description(paragraphs)
  if hasCommands {
    text += ".Pp\nThe commands are:\n"
    text += tagged(command.commands.map { ("Xr \($0.page) 1", $0.abstract ?? "") })
  }
  if !arguments.isEmpty {
    text += ".Pp\nThe options are:\n.Bl -tag -width Ds\n"
    text += arguments.map { $0.item + "\n" + lines($0.text) }.joined() + ".El\n"
  }
  text += ".Sh ENVIRONMENT\n\(environment).Sh FILES\n\(files).Sh EXIT STATUS\n\(statuses)"
  if !examples.isEmpty {
    text += ".Sh EXAMPLES\n.Bd -literal -offset indent\n"
    text +=
      examples.map { escaped($0).replacingOccurrences(of: "-", with: "\\-") + "\n" }
      .joined().replacingOccurrences(of: "\\\\-", with: "\\-") + ".Ed\n"
  }
  let others = (hasCommands ? command.commands : [root]).map(\.page).sorted()
  let references = others.map { ".Xr \($0) 1" }.joined(separator: " ,\n")
  return text + ".Sh SEE ALSO\n\(references)\n"
}

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(
    Data("digest-query --experimental-dump-help | swift Scripts/manual.swift DIRECTORY\n".utf8))
  exit(64)
}
let directory = URL(filePath: CommandLine.arguments[1])
let help = try JSONDecoder().decode(Help.self, from: FileHandle.standardInput.readToEnd() ?? Data())
let seconds = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
let formatter = DateFormatter()
formatter.locale = Locale(identifier: "en_US_POSIX")
formatter.timeZone = TimeZone(secondsFromGMT: 0)
formatter.dateFormat = "MMMM d, yyyy"
let date = formatter.string(from: seconds.map(Date.init(timeIntervalSince1970:)) ?? Date())
for command in help.command.all {
  try Data(page(command, root: help.command, date: date).utf8)
    .write(to: directory.appending(path: "\(command.page).1"))
}
