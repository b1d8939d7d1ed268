import Foundation

@testable import DigestStore

extension TemporaryStore {
  /// The files that hold something of the store, and whether a text is in the bytes of one.
  func files(containing text: String) throws -> [String] {
    try ["", "-wal", "-shm"].filter { suffix in
      guard FileManager.default.fileExists(atPath: path + suffix) else { return false }
      return try Data(contentsOf: URL(fileURLWithPath: path + suffix)).range(of: Data(text.utf8))
        != nil
    }
  }
}
