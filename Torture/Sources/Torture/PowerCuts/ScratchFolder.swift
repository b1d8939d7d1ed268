import Foundation

/// A new folder in memory, where the system has such a place: these files need no disk, their
/// power cuts are made up.
func makeScratchFolder() throws -> URL {
  let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
  let parent =
    FileManager.default.isWritableFile(atPath: memory.path)
    ? memory : FileManager.default.temporaryDirectory
  let folder = parent.appending(path: "power-cut-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}
