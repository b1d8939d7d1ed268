import Foundation

/// An article of the documentation.
struct Article {
  let text: String

  /// The language and the text of each fenced block.
  let blocks: [(language: String, text: String)]

  init(_ name: String) throws {
    let path = "Sources/DigestStore/DigestStore.docc/\(name).md"
    var folder = URL(filePath: #filePath)
    // From this file, in Tests/DigestQueryTests/Support, to the package.
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    // Before the first fence, and between two blocks, there is text.
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    blocks = parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { _, part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
    }
  }
}
