// Checks that no source uses API that needs a newer release than the floor of Package.swift.
//
//     swift Scripts/check-floor.swift
//
// The compiler checks this only where Apple's SDKs are. Scripts/newer-api lists the names.

import Foundation

struct NewerAPI {
  let text: String
  let name: Regex<AnyRegexOutput>
  let releases: Substring
}

let list = try String(contentsOf: URL(filePath: "Scripts/newer-api"), encoding: .utf8)
let newer = try list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
  let parts = line.split(separator: "\t")
  // Simple boundaries: by Unicode's there is none at a dot between letters.
  return NewerAPI(
    text: String(parts[0]), name: try Regex(String(parts[0])).wordBoundaryKind(.simple),
    releases: parts[1])
}
// Looked for in whole files first, which takes a fraction of the time.
let anyName = newer.map(\.text).joined(separator: "|")
let literal = try Regex(#""(?:[^"\\]|\\.)*""#)

/// The Swift files in a directory of the package.
func sources(in directory: String) -> [String] {
  let files = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String }
  return (files ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { "\(directory)/\($0)" }
}

let tests = try FileManager.default.contentsOfDirectory(atPath: "Tests")
  .filter { $0.hasSuffix("Tests") }.map { "Tests/\($0)" }
let files = (["Sources", "Snippets"] + tests.sorted()).flatMap(sources)
var faults: [String] = []
for file in files {
  let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
  guard text.range(of: anyName, options: .regularExpression) != nil else { continue }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  for (index, line) in lines.enumerated() {
    let statement = line.replacing(literal, with: "")
    let code = statement.prefix(
      upTo: statement.firstRange(of: "//")?.lowerBound ?? statement.endIndex)
    let isGuarded = lines[max(0, index - 3)...index].contains { $0.contains("available(") }
    for api in newer where !isGuarded && code.contains(api.name) {
      faults.append("\(file):\(index + 1): needs \(api.releases): \(line.drop { $0 == " " })")
    }
  }
}
for fault in faults { print(fault) }
print("\(files.count) files, \(newer.count) names; \(faults.count) uses need a newer release")
exit(faults.isEmpty && files.count > 100 ? 0 : 1)
