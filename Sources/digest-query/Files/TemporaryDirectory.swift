import ResilientPlatform

/// A directory in `$TMPDIR` that only its owner may enter.
enum TemporaryDirectory {
  /// Runs `body` with a path in a new directory, and deletes the directory afterwards. If a signal
  /// ends the process, a database at the path is deleted with the other files of SQLite and the
  /// directory.
  static func with(_ name: String, _ body: (_ path: String) throws -> Void) throws {
    let variable = ProcessInfo.processInfo.environment["TMPDIR"]
    let parent = variable.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent)/digest-query-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ExitFailure.io(
        "\(parent): cannot create a directory there (\(String(cString: strerror(errno)))); choose "
          + "another place with TMPDIR")
    }
    let directory = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The system empties the directory around it.
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = "\(directory)/\(name)"
    let files = ["", "-wal", "-shm", "-journal"].map { path + $0 }
    TemporaryFiles.deleteOnSignal(files + [directory])
    try body(path)
  }
}
