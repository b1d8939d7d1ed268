import Foundation

/// The files of this package.
enum Package {
  static func url(_ path: String) -> URL {
    var folder = URL(filePath: #filePath)
    // From this file, in Tests/DigestQueryTests/Support, to the package.
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appending(path: path)
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }

  /// The texts of a folder by their names.
  static func texts(in path: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: url(path).path)
    let texts = try names.map { try text("\(path)/\($0)") }
    return Dictionary(uniqueKeysWithValues: zip(names, texts))
  }
}

/// An article of the documentation.
struct Article {
  let text: String

  /// The language and the text of each fenced block.
  let blocks: [(language: String, text: String)]

  init(_ name: String) throws {
    text = try Package.text("Sources/DigestStore/DigestStore.docc/\(name).md")
    // Before the first fence, and between two blocks, there is text.
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    blocks = parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { _, part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
    }
  }
}
