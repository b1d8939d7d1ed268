#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs `body` while no other process does so in the directory of a file.
///
/// For renaming the files of a store: no lock on one of them would still be on it afterwards. The
/// kernel lets go of the lock when the process dies, and nothing is left in the directory. Where a
/// directory cannot be locked, or is so for a second, `body` runs all the same.
func withDirectoryLock<Result>(of path: String, _ body: () throws -> Result) rethrows -> Result {
  let descriptor = open(path.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  defer { if descriptor >= 0 { close(descriptor) } }
  // Renaming takes no time: who has the lock for a second is stuck.
  for _ in 0..<1_000 where descriptor >= 0 {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
    guard errno == EWOULDBLOCK || errno == EINTR else { break }
    usleep(1_000)
  }
  return try body()
}
