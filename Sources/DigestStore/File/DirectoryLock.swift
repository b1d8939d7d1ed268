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
