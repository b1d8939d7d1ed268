#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that appears whole or not at all.
///
/// Stdout goes into a temporary file beside it, which takes its name when all is written: so a
/// command prints as it does into a pipe, and knows nothing of it.
struct OutputFile {
  /// The name that it was given, and where that leads if it is a link.
  private let path: String
  private let target: String

  /// Where what is printed goes until it is complete; nil for a device or a pipe, which takes it at
  /// once.
  private var temporary: String?

  /// What stdout was before.
  private let standardOutput = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)

  /// Has stdout go into the file.
  ///
  /// - Throws: a ``Failure`` when there can be no such file.
  init(_ path: String) throws {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if exists && kind == S_IFDIR || path.hasSuffix("/") {
      throw Self.failure("\(path): this is a directory; name a file in it")
    }
    target = exists ? Self.resolved(path) : path
    guard !exists || kind == S_IFREG else {
      try redirect(open(path, O_WRONLY | O_CLOEXEC))
      return
    }
    guard !exists || !Self.isDatabase(path) else {
      throw Self.failure("\(path): this is a database; name another file")
    }
    guard !Self.isCompanion(target), !Self.isCompanion(target, suffixes: [".cursors"]) else {
      throw Self.failure("\(path): this belongs to a database; name another file")
    }
    let temporary = "\(Self.folder(of: target)).digest-query-\(UInt64.random(in: .min ... .max))"
    // Before the file exists, so that no signal leaves it behind.
    TemporaryFiles.deleteOnSignal(temporary)
    self.temporary = temporary
    // Values of a store are for its owner, as the store is; a file that is there keeps its mode.
    try redirect(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    if exists { fchmod(STDOUT_FILENO, status.st_mode & 0o7777) }
  }

  /// Has the file appear with all that was printed.
  ///
  /// - Throws: a ``Failure`` when it cannot; then what was there before is still there.
  func appear() throws {
    guard let temporary else { return }
    guard fsync(STDOUT_FILENO) == 0, rename(temporary, target) == 0 else { throw failure() }
    Self.synchronizeName(of: target)
  }

  /// Has nothing appear, and gives stdout back.
  func discard() {
    if let temporary { unlink(temporary) }
    dup2(standardOutput, STDOUT_FILENO)
  }

  /// Has the name of a file be on the disk too; where that cannot be done, the system does it some
  /// time.
  static func synchronizeName(of path: String) {
    let directory = open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// The directory of a file, with a slash behind it.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
  }

  private func redirect(_ descriptor: Int32) throws {
    guard descriptor >= 0, dup2(descriptor, STDOUT_FILENO) >= 0 else { throw failure() }
    close(descriptor)
  }

  /// What the system says just now of the file.
  private func failure() -> Failure {
    let reason = errno == ENOENT ? "there is no such directory" : String(cString: strerror(errno))
    return Self.failure("\(path): \(reason); name another file")
  }

  private static func failure(_ message: String) -> Failure {
    Failure.io(message)
  }

  /// The file behind all links.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether SQLite keeps a part of a database at this path, or would: its log, the log's index, or the
  /// journal that it rolls back (SQLite, "Temporary Files Used By SQLite").
  static func isCompanion(
    _ path: String, suffixes: [String] = ["-wal", "-shm", "-journal"]
  ) -> Bool {
    // Some file systems ignore case.
    let name = path.lowercased()
    return suffixes.contains {
      name.hasSuffix($0) && isDatabase(String(path.dropLast($0.count)))
    }
  }

  /// Whether it is a store, most likely, which nobody wants to have replaced (SQLite, "Database File
  /// Format").
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
