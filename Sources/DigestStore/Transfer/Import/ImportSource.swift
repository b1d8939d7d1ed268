import ResilientPlatform

/// NDJSON input that can be read twice. The first reading copies a pipe to a temporary file.
struct ImportSource: ~Copyable {
  private let descriptor: Int32

  /// The start of the input in a regular file; nil for a pipe and the like.
  private let start: off_t?

  /// The number of bytes in the file from `start` on.
  let length: Int?

  /// The temporary file with the data of a pipe. It has no name, and is deleted with this value.
  private let spool: Int32?

  /// - Throws: ``DigestStoreError`` when a temporary file is needed and cannot be made.
  init(descriptor: Int32) throws {
    self.descriptor = descriptor
    var status = stat()
    let position = lseek(descriptor, 0, SEEK_CUR)
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    start = isFile && position >= 0 ? position : nil
    length = start.map { max(0, Int(status.st_size - $0)) }
    spool = start == nil ? try Self.makeSpool() : nil
  }

  deinit {
    if let spool { close(spool) }
  }

  /// Reads the input for the first time.
  ///
  /// - Parameter progress: called before each read with the number of bytes read so far.
  func firstReading(_ progress: ((DigestReader.Progress) throws -> Void)? = nil) -> LineReader {
    let total = length
    return LineReader(
      descriptor: descriptor, copyingTo: spool,
      beforeReading: progress.map { progress in
        { try progress(DigestReader.Progress(unit: .bytes, done: $0, total: total)) }
      })
  }

  /// Reads the input again, up to the length of the first reading.
  ///
  /// - Throws: ``DigestStoreError`` when the input cannot be read from its start.
  func secondReading(length: Int) throws -> LineReader {
    let file = spool ?? descriptor
    guard lseek(file, start ?? 0, SEEK_SET) >= 0 else {
      let reason = String(cString: strerror(errno))
      throw DigestStoreError(.inputOutput, "the input cannot be read again: \(reason)")
    }
    return LineReader(descriptor: file, upTo: length)
  }

  /// Makes a file that only its owner can read, and unlinks it.
  private static func makeSpool() throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.path
    var path = Array("\(folder)/digest-import-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw DigestStoreError(
        .inputOutput,
        "no temporary file for the input can be made in \(folder): \(reason); import it from a file"
      )
    }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
