import ResilientPlatform

/// NDJSON input that can be read twice. The first reading copies a pipe to a temporary file.
struct ImportSource: ~Copyable {
  private let descriptor: Int32

  /// Whether the descriptor is closed with this value.
  private let ownsDescriptor: Bool

  /// The start of the input in a regular file; nil for a pipe and the like.
  private let start: off_t?

  /// The number of bytes in the file from `start` on.
  let length: Int?

  /// The temporary file with the data of a pipe. It has no name, and is deleted with this value.
  private let spool: Int32?

  /// - Throws: ``DigestStoreError`` when the descriptor is not open, or when a temporary file is
  ///   needed and cannot be made. The descriptor is then closed too, if this value were to own it.
  init(descriptor: Int32, ownsDescriptor: Bool = false) throws {
    var status = stat()
    // The temporary file would get the number of a closed descriptor.
    guard fstat(descriptor, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      throw DigestStoreError(
        .inputOutput, "the input cannot be read: \(reason); name a file, or pipe one into it")
    }
    let position = lseek(descriptor, 0, SEEK_CUR)
    let isFile = status.st_mode & S_IFMT == S_IFREG
    let start = isFile && position >= 0 ? position : nil
    let spool: Int32?
    do {
      spool = start == nil ? try Self.makeSpool() : nil
    } catch {
      if ownsDescriptor { close(descriptor) }
      throw error
    }
    self.descriptor = descriptor
    self.ownsDescriptor = ownsDescriptor
    self.start = start
    length = start.map { max(0, Int(status.st_size - $0)) }
    self.spool = spool
  }

  /// Opens a file.
  ///
  /// - Throws: ``DigestStoreError`` when it cannot be opened.
  init(_ url: URL) throws {
    guard url.isFileURL else {
      throw DigestStoreError(.inputOutput, "\(url) is not the URL of a file")
    }
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DigestStoreError(.inputOutput, "\(url.path): \(String(cString: strerror(errno)))")
    }
    try self.init(descriptor: descriptor, ownsDescriptor: true)
  }

  /// Copies data to a temporary file.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be made or written.
  init(_ data: Data) throws {
    let file = try Self.makeSpool()
    let reason = data.withUnsafeBytes { bytes -> String? in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 || errno == EINTR else { return String(cString: strerror(errno)) }
        rest = rest.dropFirst(max(0, count))
      }
      return nil
    }
    if let reason {
      close(file)
      throw DigestStoreError(
        .inputOutput,
        "a temporary file cannot be written: \(reason); free space, or set TMPDIR to another folder"
      )
    }
    lseek(file, 0, SEEK_SET)
    try self.init(descriptor: file, ownsDescriptor: true)
  }

  deinit {
    if let spool { close(spool) }
    if ownsDescriptor { close(descriptor) }
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
