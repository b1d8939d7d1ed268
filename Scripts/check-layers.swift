// Checks that each folder of a target uses only the folders above it in Scripts/layers, and that
// CONTRIBUTING.md quotes that list.
//
//     swift Scripts/check-layers.swift [SOURCES]
//
// A file uses another file if it names a type that the other file declares. Extending a type of the
// target's root, or naming a type nested in it, does not count as a use: public methods belong to
// the folder that does their work. A nested type that two files declare is left out, and so are
// members of extensions and free functions: they need a reviewer.
// Prints, for each target, its lines, its largest cycle of folders and its largest cycle of files.

import Foundation

let sources = URL(filePath: CommandLine.arguments.dropFirst().first ?? "Sources")
let declaration = try Regex(
  #"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*"#
    + #"(?:(?:public|package|internal|open|final|indirect|nonisolated) )*"#
    + #"(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)"#,
  as: (Substring, Substring).self
).anchorsMatchLineEndings()
let generics = try Regex(
  #"(?:func \w+|init|subscript|struct \w+|class \w+|enum \w+)<([^>]*)>"#,
  as: (Substring, Substring).self)
// Simple boundaries: by Unicode's there is none at the dot of `Report.Subject`.
let typeName = try Regex(#"\.?\b[A-Z]\w*\b"#, as: Substring.self).wordBoundaryKind(.simple)

/// A source without its comments and the text of its literals, but with the code in interpolations.
func code(_ text: String) -> String {
  let source = Array(text.utf8)
  var code: [UInt8] = []
  var index = 0
  // The ends of the literals that are open, and how many parentheses are open in an interpolation.
  var literals: [(end: [UInt8], parentheses: Int)] = []
  func hasNext(_ bytes: [UInt8]) -> Bool {
    index + bytes.count <= source.count && source[index] == bytes[0]
      && (bytes.count == 1 || source[index..<index + bytes.count].elementsEqual(bytes))
  }
  let ends = ["\"\"\"", "\""].map { Array($0.utf8) }
  let (comment, raw, rawEnd) = (Array("//".utf8), Array("#\"".utf8), Array("\"#".utf8))
  let (interpolation, open, close) = (Array("\\(".utf8), Array("(".utf8), Array(")".utf8))
  while index < source.count {
    if let literal = literals.last, literal.parentheses == 0 {
      if hasNext(literal.end) {
        index += literal.end.count
        literals.removeLast()
        code.append(UInt8(ascii: " "))
      } else if literal.end != rawEnd, hasNext(interpolation) {
        index += 2
        literals[literals.count - 1].parentheses = 1
      } else {
        index += literal.end != rawEnd && source[index] == UInt8(ascii: "\\") ? 2 : 1
      }
    } else if hasNext(comment) {
      while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
    } else if hasNext(raw) {
      index += raw.count
      literals.append((rawEnd, 0))
    } else if let end = ends.first(where: hasNext) {
      index += end.count
      literals.append((end, 0))
    } else {
      if let last = literals.indices.last {
        if hasNext(open) { literals[last].parentheses += 1 }
        if hasNext(close) { literals[last].parentheses -= 1 }
      }
      code.append(source[index])
      index += 1
    }
  }
  return String(decoding: code, as: UTF8.self)
}

/// The nodes that can reach themselves, in groups whose members reach each other.
func cycles<Node: Hashable>(_ arrows: [Node: Set<Node>]) -> [Set<Node>] {
  func reachable(from node: Node) -> Set<Node> {
    var seen: Set<Node> = []
    var rest = Array(arrows[node] ?? [])
    while let next = rest.popLast() {
      if seen.insert(next).inserted { rest += arrows[next] ?? [] }
    }
    return seen
  }
  let reached = Dictionary(uniqueKeysWithValues: arrows.keys.map { ($0, reachable(from: $0)) })
  let groups = arrows.keys.map { node in
    (reached[node] ?? []).filter { reached[$0]?.contains(node) == true }
  }
  return Set(groups.filter { $0.count > 1 }).sorted { $0.count > $1.count }
}

struct Target {
  let name: String

  /// The folders from the ground up; the files at the target's root are on top. Empty if the target
  /// has no rule.
  let layers: [String]

  private struct File {
    let path: String
    let folder: String
    var text: String
    let lines: Int

    /// The types that it declares itself, and its generic parameters.
    var own: Set<String> = []
  }

  private var files: [File]
  private var home: [String: File] = [:]
  private var topTypes: Set<String> = []

  init(name: String, layers: [String]) throws {
    self.name = name
    self.layers = layers
    let root = sources.appending(path: name)
    let found = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    files = try (found ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let parts = path.split(separator: "/")
      return File(
        path: path, folder: parts.count > 1 ? String(parts[0]) : "", text: code(text),
        lines: text.count { $0 == "\n" })
    }
    var declaring: [String: [(file: File, isTop: Bool)]] = [:]
    for index in files.indices {
      let file = files[index]
      for match in file.text.matches(of: declaration) {
        let isTop = match.0.first?.isWhitespace != true
        declaring[String(match.1), default: []].append((file, isTop))
        files[index].own.insert(String(match.1))
      }
      for match in file.text.matches(of: generics) {
        for parameter in match.1.split(separator: ",") {
          let name = parameter.prefix { $0 != ":" }.split(separator: " ").last
          if let name { files[index].own.insert(String(name)) }
        }
      }
    }
    for (type, places) in declaring {
      let top = places.filter(\.isTop)
      let homes = Set((top.isEmpty ? places : top).map(\.file.path))
      guard homes.count == 1 else { continue }
      home[type] = (top.first ?? places[0]).file
      if !top.isEmpty { topTypes.insert(type) }
    }
    let face = home.filter { $0.value.folder.isEmpty }.keys.joined(separator: "|")
    guard !face.isEmpty else { return }
    let namespace = try Regex(#"\bextension +(\#(face))\b|\b(\#(face))\.(?=[A-Z])"#)
      .wordBoundaryKind(.simple)
    for index in files.indices {
      files[index].text = files[index].text.replacing(namespace, with: "extension ")
    }
  }

  /// Prints the figures.
  ///
  /// - Returns: the uses that the rule does not allow.
  func check() -> [String] {
    var byFile: [String: Set<String>] = [:]
    var byFolder: [String: Set<String>] = [:]
    var faults: [String] = []
    if files.isEmpty { faults.append("\(name): there is no source") }
    for layer in layers where !files.contains(where: { $0.folder == layer }) {
      faults.append("\(name): Scripts/layers has \(layer), where there is no source")
    }
    for file in files {
      byFile[file.path] = []
      for name in Set(file.text.matches(of: typeName).map { String($0.output) }).sorted() {
        let type = name.hasPrefix(".") ? String(name.dropFirst()) : name
        // A name after a dot is the name of a nested type.
        guard !file.own.contains(type), !(name != type && topTypes.contains(type)),
          let used = home[type], used.path != file.path
        else { continue }
        byFile[file.path]?.insert(used.path)
        guard used.folder != file.folder else { continue }
        if !file.folder.isEmpty, !used.folder.isEmpty {
          byFolder[file.folder, default: []].insert(used.folder)
        }
        if !layers.isEmpty, height(used.folder) > height(file.folder) {
          faults.append("\(self.name)/\(file.path) uses \(type) of \(self.name)/\(used.path)")
        }
      }
      if !layers.isEmpty, !file.folder.isEmpty, !layers.contains(file.folder) {
        faults.append("\(self.name)/\(file.path): Scripts/layers has no \(file.folder)")
      }
    }
    let lines = files.reduce(0) { $0 + $1.lines }
    print(
      "\(name): \(lines) lines, \(files.count) files; largest cycle of folders "
        + "\(cycles(byFolder).first?.count ?? 0), of files \(cycles(byFile).first?.count ?? 0)")
    return faults
  }

  private func height(_ folder: String) -> Int {
    folder.isEmpty ? layers.count : layers.firstIndex(of: folder) ?? layers.count
  }
}

let list = try String(contentsOf: URL(filePath: "Scripts/layers"), encoding: .utf8)
let lines = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
let guide = try String(contentsOf: URL(filePath: "CONTRIBUTING.md"), encoding: .utf8)
var faults = lines.filter { !guide.contains("\n    \($0)\n") }
  .map { "CONTRIBUTING.md lacks a line of Scripts/layers: \($0)" }
var targets: [(name: String, layers: [String])] = []
for line in lines {
  // Lines that go on are indented further.
  let words = line.split(separator: " ")
  if !line.hasPrefix(" "), words[0].hasSuffix(":") {
    targets.append((String(words[0].dropLast()), []))
  } else if line.hasPrefix("  "), !line.hasPrefix("   ") {
    targets[targets.count - 1].layers.append(String(words[0]))
  }
}
for target in targets { faults += try Target(name: target.name, layers: target.layers).check() }
for fault in Set(faults).sorted() { print(fault) }
exit(faults.isEmpty ? 0 : 1)
