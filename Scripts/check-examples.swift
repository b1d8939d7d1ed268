// Checks that what the articles and the README show is true: each block of Swift is a part of a
// snippet, which compiles, and each block of text is a part of what a snippet prints.
//
//     swift Scripts/check-examples.swift DIRECTORY    where the snippets were built

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

/// What a snippet prints, in a folder of its own, for one with a store makes it there.
func output(of executable: String) throws -> [Substring] {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("snippet-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  // It is in the temporary folder of the system, which is emptied anyway.
  defer { try? FileManager.default.removeItem(at: folder) }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: executable)
  process.currentDirectoryURL = folder
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    print("\(executable) has failed")
    exit(1)
  }
  return String(decoding: data, as: UTF8.self)
    .split(separator: "\n", omittingEmptySubsequences: false)
}

func files(in directory: String, withSuffix suffix: String) -> [String] {
  (FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(suffix) }.sorted().map { "\(directory)/\($0)" }
}

let binaries = CommandLine.arguments[1]
let snippets = try files(in: "Snippets", withSuffix: ".swift").map { file in
  (
    name: URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent,
    source: try String(contentsOfFile: file, encoding: .utf8)
  )
}
let code = snippets.flatMap { views(of: $0.source) }
let outputs = try snippets.map { try output(of: "\(binaries)/\($0.name)") }

var faults = 0
for file in ["README.md"] + files(in: "Sources", withSuffix: ".md") {
  for block in try blocks(in: file) {
    let texts: [[Substring]]
    switch block.language {
    case "swift": texts = code
    case "text": texts = outputs
    default: continue
    }
    if texts.contains(where: { contains($0, block.lines) }) { continue }
    faults += 1
    print("\(block.place): no snippet \(block.language == "swift" ? "has" : "prints") this")
  }
}
exit(faults == 0 ? 0 : 1)
