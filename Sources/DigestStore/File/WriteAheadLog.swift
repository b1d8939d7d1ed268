import ResilientPlatform

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

/// The contents of a log (SQLite, "WAL-mode File Format", section 1).
struct LogContents: ~Copyable {
  private let descriptor: Int32
  private let header: [UInt8]

  /// Opens the log of a database; nil if there is none, or if it has no header.
  init?(ofFileAt path: String) {
    let descriptor = open("\(path)-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard let header = read(32, at: 0, of: descriptor),
      [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]].contains(Array(header[..<4]))
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.header = header
  }

  deinit { close(descriptor) }

  /// The size of the pages of its database.
  var pageSize: Int { header[8..<12].bigEndianInteger }

  /// Returns the first page for which `isWanted` returns true.
  func firstPage(where isWanted: (_ number: Int, _ page: [UInt8]) -> Bool) -> [UInt8]? {
    var offset = 32
    // Frames of an earlier log may follow, with another salt.
    while let frame = read(24 + pageSize, at: offset, of: descriptor),
      frame[8..<16] == header[16..<24]
    {
      let page = Array(frame[24...])
      if isWanted(frame[..<4].bigEndianInteger, page) { return page }
      offset += frame.count
    }
    return nil
  }
}

private func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
}
