import ResilientPlatform

/// A file that appears whole or not at all.
///
/// Stdout leads to a temporary file in the same directory, which is renamed once all output is
/// written. A command prints as it does to a pipe and needs no code for this.
struct OutputFile {
  /// The path as given, and the path behind its links.
  private let path: String
  private let target: String

  /// The file that collects the output; nil for a device or a pipe, which receives it at once.
  private var temporary: String?

  /// A duplicate of the previous stdout.
  private let standardOutput = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)

  /// Whether a file is the one that stdout leads to.
  private static func isStandardOutput(_ file: stat) -> Bool {
    var output = stat()
    return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file.st_dev
      && output.st_ino == file.st_ino
  }

  /// Redirects stdout to the file.
  ///
  /// - Throws: an ``ExitFailure`` if the file cannot be created.
  init(_ path: String) throws {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists && kind == S_IFDIR || path.hasSuffix("/") {
      throw Self.failure("\(path): this is a directory; name a file in it")
    }
    target = exists ? Self.resolved(path) : path
    // Stdout itself, as `/dev/stdout`, may be a file that a shell appends to.
    guard !exists || !Self.isStandardOutput(status) else { return }
    guard !exists || kind == S_IFREG else {
      try redirect(open(path, O_WRONLY | O_CLOEXEC))
      return
    }
    guard !exists || !Self.isDatabase(path) else {
      throw Self.failure("\(path): this is a database; name another file")
    }
    guard !Self.isCompanion(target) else {
      throw Self.failure("\(path): this belongs to a database; name another file")
    }
    let temporary = "\(Self.folder(of: target)).digest-query-\(UInt64.random(in: .min ... .max))"
    // Before the file exists, so that no signal leaves it behind.
    TemporaryFiles.deleteOnSignal([temporary])
    self.temporary = temporary
    // Only the owner may read values of a store, as with the store. An existing file keeps its
    // mode.
    try redirect(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    if exists { fchmod(STDOUT_FILENO, status.st_mode & 0o7777) }
  }

  /// Puts the file in its place, with all output.
  ///
  /// - Throws: an ``ExitFailure`` if that fails, or if the run has read the file that would be
  ///   replaced. An earlier file is unchanged then.
  func appear() throws {
    guard let temporary else { return }
    if InputFiles.contains(target) {
      throw ExitFailure.usage("--output \(path) would replace what was read: name another file")
    }
    guard fsync(STDOUT_FILENO) == 0, rename(temporary, target) == 0 else { throw failure() }
    Self.synchronizeName(of: target)
  }

  /// Deletes the output and restores stdout.
  func discard() {
    if let temporary { unlink(temporary) }
    dup2(standardOutput, STDOUT_FILENO)
  }

  /// Writes the name of a file to the disk. If that fails, the system does so at some later time.
  static func synchronizeName(of path: String) {
    let directory = open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// The directory of a file, with a trailing slash.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
  }

  private func redirect(_ descriptor: Int32) throws {
    guard descriptor >= 0, dup2(descriptor, STDOUT_FILENO) >= 0 else { throw failure() }
    close(descriptor)
  }

  /// The failure that `errno` describes.
  private func failure() -> ExitFailure {
    let reason = errno == ENOENT ? "there is no such directory" : String(cString: strerror(errno))
    return Self.failure("\(path): \(reason); name another file")
  }

  private static func failure(_ message: String) -> ExitFailure {
    ExitFailure.io(message)
  }

  /// The path with all links resolved.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether the path is one of a file beside a database: the write-ahead log, its index, and the
  /// rollback journal (SQLite, "Temporary Files Used By SQLite"), or what checks have reported.
  private static func isCompanion(_ path: String) -> Bool {
    // Some file systems ignore case.
    let name = path.lowercased()
    return ["-wal", "-shm", "-journal", ".checks"].contains {
      name.hasSuffix($0) && isDatabase(String(path.dropLast($0.count)))
    }
  }

  /// Whether the file is a database, such as a store, which must not be replaced (SQLite, "Database
  /// File Format").
  private static func isDatabase(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let magic = "SQLite format 3\0"
    let beginning = String(unsafeUninitializedCapacity: magic.utf8.count) { bytes in
      max(0, read(descriptor, bytes.baseAddress, bytes.count))
    }
    return beginning == magic
  }
}

/// The files that must not outlive the process when a signal ends it.
///
/// A signal handler can reach nothing but globals.
enum TemporaryFiles {
  /// The address of the paths, each followed by a NUL, and of one more NUL; 0 without any.
  private static let paths = AtomicInteger(0)

  private static let registered = Locked<[String]>([])

  /// Registers more files, and directories that are empty by then, to be deleted in this order.
  static func deleteOnSignal(_ paths: [String]) {
    registered.withLock { registered in
      registered += paths
      let bytes: [UInt8] = registered.flatMap { Array($0.utf8) + [0 as UInt8] } + [0]
      // Never freed: a handler may be reading it.
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = buffer.initialize(from: bytes)
      Self.paths.store(Int(bitPattern: buffer.baseAddress))
    }
  }

  /// Deletes them. A signal handler may call this once it has been called outside of one.
  static func deleteAll() {
    var next = UnsafePointer<CChar>(bitPattern: paths.load())
    while let path = next, path.pointee != 0 {
      if unlink(path) != 0 { rmdir(path) }
      next = path + strlen(path) + 1
    }
  }
}

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
    // If that fails, the system empties the directory around it.
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = "\(directory)/\(name)"
    let files = ["", "-wal", "-shm", "-journal"].map { path + $0 }
    TemporaryFiles.deleteOnSignal(files + [directory])
    try body(path)
  }
}
