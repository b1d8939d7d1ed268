import DigestStore
import ResilientPlatform

/// A small file that one process at a time reads, and adds lines to.
///
/// The kernel releases the lock when the process ends. A file that is still empty is deleted with
/// this object, because it was created only for the lock.
final class LockedFile: Sendable {
  /// The reason why an operation on the file fails.
  struct FileProblem: Error, CustomStringConvertible {
    let description: String

    /// The reason that `errno` describes.
    static var last: Self { Self(description: String(cString: strerror(errno))) }
  }

  private static let maximumLength = 1 << 24

  /// The path with all links resolved.
  private let target: String
  private let descriptor: Int32

  /// Opens the file, creates it if it does not exist, and waits until no other process uses it.
  ///
  /// - Parameter wait: called once before waiting.
  /// - Throws: a ``FileProblem``.
  init(_ path: String, willWait wait: () -> Void) throws {
    descriptor = try Self.openLocked(path, wait)
    target = OutputFile.resolved(path)
  }

  deinit {
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size == 0, Self.isAt(target, descriptor) {
      unlink(target)
    }
    close(descriptor)
  }

  /// Reads the whole file.
  ///
  /// - Throws: a ``FileProblem``.
  func read() throws -> Data {
    let length = Int(lseek(descriptor, 0, SEEK_END))
    guard length <= Self.maximumLength else { throw FileProblem(description: "it is too long") }
    var bytes = [UInt8](repeating: 0, count: length)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == length else { throw FileProblem.last }
    return Data(bytes)
  }

  /// Adds lines at the end, also after a last line without its end. They are on the disk when this
  /// returns, and the file is unchanged if it throws.
  ///
  /// - Throws: a ``FileProblem``.
  func append(_ lines: String) throws {
    let length = lseek(descriptor, 0, SEEK_END)
    var last = UInt8(ascii: "\n")
    if length > 0 { pread(descriptor, &last, 1, length - 1) }
    let text = last == UInt8(ascii: "\n") ? lines : "\n\(lines)"
    guard Array(text.utf8).withUnsafeBytes({ writeAll($0, to: descriptor) }), fsync(descriptor) == 0
    else {
      let problem = FileProblem.last
      ftruncate(descriptor, length)
      throw problem
    }
    guard Self.isAt(target, descriptor) else {
      throw FileProblem(description: "it was replaced meanwhile; run the command again")
    }
    OutputFile.synchronizeName(of: target)
  }

  private static func openLocked(_ path: String, _ wait: () -> Void) throws -> Int32 {
    var hasWaited = false
    while true {
      let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw FileProblem.last }
      do {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          throw FileProblem(description: "not a regular file")
        }
        try lock(descriptor) {
          if !hasWaited { wait() }
          hasWaited = true
        }
      } catch {
        close(descriptor)
        throw error
      }
      // The process that held the lock before may have deleted the file.
      if isAt(path, descriptor) { return descriptor }
      close(descriptor)
    }
  }

  private static func lock(_ descriptor: Int32, _ wait: () -> Void) throws {
    var isWaiting = false
    while flock(descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK where !isWaiting:
        isWaiting = true
        wait()
      default: throw FileProblem.last
      }
    }
  }

  /// Whether an open file is the one at a path.
  private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }
}

/// Writes all bytes.
///
/// - Returns: whether that succeeded; `errno` says why not.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let part = UnsafeRawBufferPointer(rebasing: rest)
    let count = write(descriptor, part.baseAddress, part.count)
    guard count >= 0 || RepeatableCall.write.canRepeat(on: descriptor) else { return false }
    rest = rest.dropFirst(max(0, count))
  }
  return true
}
