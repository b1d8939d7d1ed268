import Foundation

/// A file system of a few megabytes that may grow, where the one who tests may mount one.
final class LimitedDisk {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  static let isAvailable: Bool = (try? LimitedDisk(megabytes: 1)) != nil

  /// - Parameter owner: the user who may write to it.
  init(megabytes: Int, owner: String = "root") throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.run(
      "mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,uid=\(owner)", "tmpfs", folder.path)
  }

  deinit {
    // What is still mounted goes with the machine.
    try? Self.run("umount", "-l", folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  func grow(toMegabytes megabytes: Int) throws {
    try Self.run("mount", "-o", "remount,size=\(megabytes)m", folder.path)
  }

  private struct Failure: Error {}

  private static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
  }
}
