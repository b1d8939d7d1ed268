import ResilientPlatform

/// Locks the directory of a file and runs `body`. Only one process or thread runs it at a time.
///
/// Protects the renaming of a store's files, and prevents others from opening them meanwhile. A
/// lock on one of the files would move away with it. The kernel releases the lock when the process
/// dies, and nothing remains in the directory.
///
/// - Parameters:
///   - milliseconds: how long to wait for the lock.
///   - body: receives whether the directory is locked. It is not if another process keeps the lock,
///     or if the directory may not be read. A file system without such locks counts as locked,
///     because nobody else can have the lock either.
func lockingDirectory<Result>(
  of path: String,
  waiting milliseconds: Int,
  _ body: (_ isLocked: Bool) throws -> Result
) rethrows -> Result {
  let descriptor = open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  defer {
    if descriptor >= 0 {
      // Closing is not enough, because a child forked meanwhile has the descriptor too.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }
  return try body(descriptor >= 0 && isLocked(descriptor, within: milliseconds))
}

private func isLocked(_ descriptor: Int32, within milliseconds: Int) -> Bool {
  for _ in 0..<max(1, milliseconds) {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { return true }
    usleep(1_000)
  }
  return false
}

extension DigestStoreError {
  /// The error for a directory that stays locked for longer than a store waits.
  static func lockedDirectory(_ path: String) -> Self {
    Self(.busy, "\(path): another process keeps the directory locked; try again")
  }
}
