import Foundation
import Testing

/// The server's disk, which is full where Scripts/test-fleet could arrange for that.
enum FullDisk {
  static var isPossible: Bool { !Server.value("FLEET_FULL_DISK").isEmpty }

  /// Runs `body` while the server's tables may grow by so many times only.
  static func run<Value>(leaving growths: Int, _ body: () throws -> Value) throws -> Value {
    let path = Server.value("FLEET_FULL_DISK")
    // The server's user takes from it.
    let isMade = FileManager.default.createFile(
      atPath: path, contents: Data(count: growths), attributes: [.posixPermissions: 0o666])
    defer { try? FileManager.default.removeItem(atPath: path) }
    try #require(isMade)
    return try body()
  }
}
