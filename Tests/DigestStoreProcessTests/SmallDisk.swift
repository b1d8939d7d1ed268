import Foundation

@testable import DigestStoreTests

/// A file system of a few megabytes, on systems where the tests may mount one.
final class SmallDisk: Sendable {
  let folder: TemporaryFolder

  /// Whether one can be mounted here: on Linux, as root.
  static let isAvailable: Bool = (try? SmallDisk()) != nil

  /// - Parameter owner: the user who may write to it.
  init(megabytes: Int = 2, owner: String = "root") throws {
    folder = try TemporaryFolder()
    try Self.run(
      "mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,uid=\(owner)", "tmpfs", folder.url.path)
  }

  deinit {
    // What is still mounted goes with the machine.
    try? Self.run("umount", "-l", folder.url.path)
  }

  /// Leaves no space to whoever wants to write, or some bytes.
  func fill(leaving bytes: Int = 0) throws {
    let filler = folder.url.appending(path: "filler")
    try Data().write(to: filler)
    let file = try FileHandle(forWritingTo: filler)
    // Until it fails; then there is less than one block left.
    while (try? file.write(contentsOf: Data(repeating: 1, count: 4_096))) != nil {}
    if bytes > 0 { try file.truncate(atOffset: try file.seekToEnd() - UInt64(bytes)) }
    try file.close()
  }

  /// Takes back what was filled.
  func empty() throws {
    let filler = folder.url.appending(path: "filler")
    // While another process has it open, deleting it frees nothing.
    try FileHandle(forWritingTo: filler).truncate(atOffset: 0)
    try FileManager.default.removeItem(at: filler)
  }

  func grow(toMegabytes megabytes: Int) throws {
    try Self.run("mount", "-o", "remount,size=\(megabytes)m", folder.url.path)
  }

  func makeReadOnly(_ isReadOnly: Bool) throws {
    try Self.run("mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", folder.url.path)
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
