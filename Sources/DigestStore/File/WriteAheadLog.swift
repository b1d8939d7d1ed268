#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The log of a store while it is open (SQLite, "Write-Ahead Logging").
enum WriteAheadLog {
  /// Writes everything committed so far to the disk, so that it survives a power cut.
  ///
  /// The disk has the contents of the file itself already: a checkpoint synchronizes it before the
  /// log restarts. SQLite has no locks on the log, so closing a descriptor of it releases none.
  ///
  /// - Throws: ``DigestStoreError`` when the disk fails.
  static func synchronize(ofStoreAt path: String) throws {
    // Without a log, or on a read-only file system, there is nothing to synchronize.
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
      // There fsync does not make the drive write its cache (fsync(2)).
      return fcntl(descriptor, F_FULLFSYNC)
    #else
      return fsync(descriptor)
    #endif
  }
}
