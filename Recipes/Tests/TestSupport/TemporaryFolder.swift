public import DigestStore
import Foundation

/// A folder that is removed with the test.
public final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory
    .appending(path: "recipes-\(UUID().uuidString)")

  public init() {}

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Opens the store of the folder.
  public func makeStore(
    _ configuration: DigestStore.Configuration = DigestStore.Configuration()
  ) throws -> DigestStore {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return try DigestStore(
      path: url.appending(path: "digests.sqlite").path, configuration: configuration)
  }
}
