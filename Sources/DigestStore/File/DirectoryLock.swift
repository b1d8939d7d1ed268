import ResilientPlatform

/// The lock on the directory of a store, which only one process or thread has at a time.
///
/// Protects the renaming of a store's files, and prevents others from opening them meanwhile. A
/// lock on one of the files would move away with it. The kernel releases the lock when the process
/// dies, and nothing remains in the directory.
enum DirectoryLock {
  /// This thread has the lock, or the file system has no such locks, so that nobody has it.
  case held

  /// Another process or thread kept the lock.
  case heldByAnother

  /// The directory cannot be opened. The value is that of `errno`.
  case unavailable(Int32)

  /// Checks that this thread has the lock.
  ///
  /// - Throws: ``DigestStoreError`` with code `busy`, or ``SQLiteError`` with the system's code.
  func check(_ path: String) throws {
    switch self {
    case .held: return
    case .heldByAnother:
      throw DigestStoreError(
        .busy, "\(path): another process keeps the directory locked; try again")
    case .unavailable(let code): throw SQLiteError.system(code)
    }
  }
}

/// Locks the directory of a file, and runs `body` with the result.
///
/// - Parameter milliseconds: how long to wait for the lock.
func lockingDirectory<Result>(
  of path: String,
  waiting milliseconds: Int,
  _ body: (DirectoryLock) throws -> Result
) rethrows -> Result {
  let descriptor = open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return try body(.unavailable(errno)) }
  defer {
    // Closing is not enough, because a child forked meanwhile has the descriptor too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
  return try body(lock(descriptor, within: milliseconds))
}

private func lock(_ descriptor: Int32, within milliseconds: Int) -> DirectoryLock {
  for _ in 0..<max(1, milliseconds) {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .held }
    guard errno == EWOULDBLOCK || errno == EINTR else { return .held }
    usleep(1_000)
  }
  return .heldByAnother
}

extension String {
  /// Rejects an empty path, and everything but a regular file: SQLite has no clear error for a
  /// directory, and would wait for a pipe.
  ///
  /// - Throws: ``DigestStoreError``, or ``SQLiteError`` if the path cannot be examined.
  func checkIsFile() throws {
    guard !isEmpty else {
      throw DigestStoreError(.inputOutput, "the path of the store is empty; name a file")
    }
    guard let file = try FileIdentity.find(self) else { return }
    switch file.kind {
    case S_IFREG: return
    case S_IFDIR:
      throw DigestStoreError(.inputOutput, "\(self): this is a directory; name a file in it")
    default:
      throw DigestStoreError(.inputOutput, "\(self): this is not a regular file; name another one")
    }
  }

  /// The absolute path without symbolic links, or the path unchanged if its directory does not
  /// exist.
  ///
  /// SQLite resolves a path in the same way when it opens a file, and keeps the result.
  var resolvedPath: String { resolvedPath(followingLinks: 40) }

  /// - Parameter count: the number of links to missing files that are followed, as by Linux.
  private func resolvedPath(followingLinks count: Int) -> String {
    if let path = Self.realPath(self) { return path }
    // Only links have a destination.
    if count > 0, let link = try? FileManager.default.destinationOfSymbolicLink(atPath: self) {
      return (link.hasPrefix("/") ? link : "\(directory)/\(link)")
        .resolvedPath(followingLinks: count - 1)
    }
    guard let directory = Self.realPath(directory) else { return self }
    return directory == "/" ? "/\(fileName)" : "\(directory)/\(fileName)"
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// A `read` or `write` that failed and can be made again.
///
/// A standard stream does not block if another program that has the same pipe or terminal open made
/// it so (`O_NONBLOCK`).
package enum RepeatableCall {
  case read, write

  /// Whether a signal interrupted the call, or the descriptor was not ready. Waits until it is.
  ///
  /// Reads `errno`, so ask at once.
  package func canRepeat(on descriptor: Int32) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
    let event = self == .read ? Int16(POLLIN) : Int16(POLLOUT)
    var poll = pollfd(fd: descriptor, events: event, revents: 0)
    // If this fails, or a signal ends it, the caller repeats the call, and then this.
    _ = ResilientPlatform.poll(&poll, 1, -1)
    return true
  }
}
