#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The log that stands beside a store while it is open (SQLite, "Write-Ahead Logging").
enum WriteAheadLog {
  /// Has the disk keep what has been committed so far, whatever happens to the power.
  ///
  /// What is in the file itself the disk has already: a checkpoint synchronizes it before the log
  /// begins anew. No lock of SQLite's is on the log, so that closing it here gives none away.
  ///
  /// - Throws: ``DigestStoreError`` when the disk cannot.
  static func synchronize(ofStoreAt path: String) throws {
    // Where there is no log, or the file system is one that is only read, there is nothing to keep.
    for place in ["\(path)-wal", path.directory] {
      let descriptor = open(place, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      guard synchronize(descriptor) != 0, errno == EIO else { continue }
      throw DigestStoreError(.inputOutput, "\(place): the disk does not keep it; check the disk")
    }
  }

  private static func synchronize(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      // There fsync leaves it to the drive when it writes (fsync(2)).
      return fcntl(descriptor, F_FULLFSYNC)
    #else
      return fsync(descriptor)
    #endif
  }
}
