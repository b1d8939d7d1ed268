import Foundation

/// The files of Recipes, which users copy.
enum Recipe {
  private static func url(_ path: String) -> URL {
    var folder = URL(filePath: #filePath)
    // From this file, in Tests/DigestQueryTests/Support, to the package.
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appending(path: "Recipes/\(path)")
  }

  static func file(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }

  /// The texts of a folder by their names.
  static func files(in path: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: url(path).path)
    let texts = try names.map { String(decoding: try file("\(path)/\($0)"), as: UTF8.self) }
    return Dictionary(uniqueKeysWithValues: zip(names, texts))
  }
}
