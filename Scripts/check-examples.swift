// Checks that what the articles and the README show is true.
//
// - A block of Swift in an article is a part of a snippet, which compiles. In README it is a whole
//   snippet: pasted as it is, it compiles and runs.
// - A block of text is a part of what a snippet prints.
// - The commands in README and CommandLine run on the demo's store, one after the other. Those of a
//   block `console` print what is shown, except for times and ids; those of a block `shell` print
//   what depends on the day or the machine.
//
//     swift Scripts/check-examples.swift DIRECTORY             where the snippets and digest-query
//     were built swift Scripts/check-examples.swift DIRECTORY --update    writes what the commands
//     print into the blocks `console`

import Foundation

struct Block {
  let language: String
  let place: String
  var lines: [Substring] = []
}

/// The fenced blocks of a Markdown file.
func blocks(in file: String) throws -> [Block] {
  var blocks: [Block] = []
  var open: Block?
  let text = try String(contentsOfFile: file, encoding: .utf8)
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    if let block = open {
      if line == "```" {
        blocks.append(block)
        open = nil
      } else {
        open?.lines.append(line)
      }
    } else if line.hasPrefix("```") {
      open = Block(language: String(line.dropFirst(3)), place: "\(file):\(index + 1)")
    }
  }
  return blocks
}

/// The lines without what they are all indented by, and without spaces at their ends.
func dedented(_ lines: some Collection<Substring>) -> [Substring] {
  let lines = lines.map { line in
    line.lastIndex { $0 != " " }.map { line[...$0] } ?? ""
  }
  let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
  return lines.map { $0.dropFirst(indent) }
}

func contains(_ text: [Substring], _ part: [Substring]) -> Bool {
  let part = dedented(part)
  guard text.count >= part.count else { return false }
  return (0...text.count - part.count).contains { dedented(text[$0..<$0 + part.count]) == part }
}

/// The lines of a snippet that a reader sees: without the markers, and with and without the rest.
func views(of snippet: String) -> [[Substring]] {
  var isHidden = false
  var visible: [Substring] = []
  var all: [Substring] = []
  for line in snippet.split(separator: "\n", omittingEmptySubsequences: false) {
    switch line.trimmingCharacters(in: .whitespaces) {
    case "// snippet.hide": isHidden = true
    case "// snippet.show": isHidden = false
    default:
      all.append(line)
      if !isHidden { visible.append(line) }
    }
  }
  return [all, visible]
}

/// A new folder, which the system empties if it stays.
func temporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("snippet-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// Runs a program in a folder, and returns its exit status and what it prints.
func run(
  _ executable: String, _ arguments: [String] = [], in folder: URL,
  environment: [String: String] = [:], withErrors: Bool = false
) throws -> (status: Int32, lines: [Substring]) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: executable)
  process.arguments = arguments
  process.currentDirectoryURL = folder
  // Stores that apps keep are in the folder too.
  process.environment = ProcessInfo.processInfo.environment
    .merging(["XDG_STATE_HOME": folder.path]) { $1 }.merging(environment) { $1 }
  let pipe = Pipe()
  process.standardOutput = pipe
  if withErrors { process.standardError = pipe }
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let lines = String(decoding: data, as: UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false)
  return (process.terminationStatus, lines)
}

/// The output of a snippet. It runs in a folder of its own, where it may make a store.
func output(of executable: String) throws -> [Substring] {
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  let (status, lines) = try run(executable, in: folder)
  guard status == 0 else {
    print("\(executable) has failed")
    exit(1)
  }
  return lines
}

func files(in directory: String, withSuffix suffix: String) -> [String] {
  (FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(suffix) }.sorted().map { "\(directory)/\($0)" }
}

/// A snippet as a reader of README pastes it: all of it, without the comment that it begins with.
func program(of snippet: String) -> [Substring] {
  let lines = snippet.split(separator: "\n", omittingEmptySubsequences: false)
  return Array(lines.drop { $0.hasPrefix("//") || $0.isEmpty }.reversed().drop(while: \.isEmpty))
    .reversed()
}

/// The text with the same marks for all times and ids, so that two runs can be compared.
func masked(_ text: Substring) -> Substring {
  text.replacing(
    #/[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?Z/#, with: "(time)"
  )
  .replacing(#/\b[0-9a-f]{8}([0-9a-f]{24})?\b/#, with: "(id)")
}

/// The commands of a console block, each with the output that is shown below it.
func commands(of block: Block) -> [(line: String, output: [Substring])] {
  var commands: [(line: String, output: [Substring])] = []
  for line in block.lines {
    if line.hasPrefix("$ ") {
      commands.append((String(line.dropFirst(2)), []))
    } else if !commands.isEmpty {
      commands[commands.count - 1].output.append(line)
    }
  }
  return commands
}

/// The folder in which the commands of a file run, with the demo's store.
func demoFolder() throws -> URL {
  let folder = try temporaryFolder()
  _ = try run("\(binaries)/DriftingFeed", in: folder)
  return folder
}

/// Runs the commands of a block, and returns it with what they print, and what is wrong.
func checked(_ block: Block, in folder: URL) throws -> (block: Block, faults: [String]) {
  let path = "\(binaries):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
  var result = block
  var faults: [String] = []
  result.lines = []
  for command in commands(of: block) {
    // A target of the Makefile is only looked up: this check is a part of one.
    let isTarget = command.line.hasPrefix("make ")
    let line =
      isTarget
      ? "make --dry-run --directory '\(root)' \(command.line.dropFirst(5))" : command.line
    let (status, lines) = try run(
      "/bin/sh", ["-c", line], in: folder, environment: ["PATH": path], withErrors: true)
    let shown = command.output.reversed().drop(while: \.isEmpty).reversed()
    let blank = command.output.count - shown.count
    // A gate may be closed, a system's SQLite may deserve a warning, and some examples are of
    // errors.
    let expected: Set<Int32> =
      command.line.contains(#/^digest-query (check|doctor) /#) ? [0, 1, 66] : [0]
    let showsError = shown.contains { $0.hasPrefix("digest-query: ") || $0.hasPrefix("{\"error\"") }
    if !expected.contains(status), !showsError {
      faults.append("`\(command.line)` ends with status \(status): \(lines.first ?? "")")
    }
    let printed = lines.dropLast()
    let isCompared = block.language == "console" && !isTarget && !(isReadMe(block) && shown.isEmpty)
    if isCompared, shown.map(masked) != printed.map(masked) {
      faults.append("`\(command.line)` prints something else")
    }
    let output = isCompared ? Array(printed) : Array(shown)
    result.lines +=
      ["$ \(command.line)"] + output + Array(repeating: "", count: blank)
  }
  return (result, faults)
}

func isReadMe(_ block: Block) -> Bool { block.place.hasPrefix("README.md") }

/// Writes a block in the place of another one.
func replace(_ block: Block, by other: Block, in file: String) throws {
  let text = try String(contentsOfFile: file, encoding: .utf8)
  let fence = "```\(block.language)\n"
  try text.replacingOccurrences(
    of: fence + block.lines.joined(separator: "\n") + "\n```\n",
    with: fence + other.lines.joined(separator: "\n") + "\n```\n"
  ).write(toFile: file, atomically: true, encoding: .utf8)
}

let root = FileManager.default.currentDirectoryPath
let binaries = URL(fileURLWithPath: CommandLine.arguments[1]).path
let isUpdating = CommandLine.arguments.contains("--update")
let snippets = try files(in: "Snippets", withSuffix: ".swift").map { file in
  (
    name: URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent,
    source: try String(contentsOfFile: file, encoding: .utf8)
  )
}
let code = snippets.flatMap { views(of: $0.source) }
let programs = snippets.map { program(of: $0.source) }
let outputs = try snippets.map { try output(of: "\(binaries)/\($0.name)") }

var faultCount = 0
for file in ["README.md"] + files(in: "Sources", withSuffix: ".md") {
  let runsCommands = file == "README.md" || file.hasSuffix("/CommandLine.md")
  let folder = runsCommands ? try demoFolder() : nil
  defer { if let folder { try? FileManager.default.removeItem(at: folder) } }
  for block in try blocks(in: file) {
    switch block.language {
    case "swift" where isReadMe(block):
      if programs.contains(block.lines) { continue }
      print("\(block.place): this isn't a whole snippet")
    case "swift":
      if code.contains(where: { contains($0, block.lines) }) { continue }
      print("\(block.place): no snippet has this")
    case "text":
      if outputs.contains(where: { contains($0, block.lines) }) { continue }
      print("\(block.place): no snippet prints this")
    case "console", "shell":
      guard let folder else { continue }
      let (actual, faults) = try checked(block, in: folder)
      if faults.isEmpty { continue }
      for fault in faults { print("\(block.place): \(fault)") }
      if isUpdating { try replace(block, by: actual, in: file) }
    default: continue
    }
    faultCount += 1
  }
}
exit(faultCount == 0 ? 0 : 1)
