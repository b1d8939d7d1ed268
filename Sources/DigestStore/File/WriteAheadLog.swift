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

  /// Reads the first copy of a page in the log; nil if there is none.
  static func page(_ number: Int, ofSize size: Int, ofStoreAt path: String) -> [UInt8]? {
    let descriptor = open("\(path)-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Frames of an earlier log may follow; they have other salts (SQLite, "WAL-mode File Format",
    // section 2).
    guard let header = read(32, at: 0, of: descriptor) else { return nil }
    var offset = 32
    while let frame = read(24, at: offset, of: descriptor), frame[8..<16] == header[16..<24] {
      if integer(frame[0..<4]) == number { return read(size, at: offset + 24, of: descriptor) }
      offset += 24 + size
    }
    return nil
  }

  private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
