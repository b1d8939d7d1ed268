import ResilientPlatform

/// Decides when the write-ahead log is long enough to be copied into the file.
///
/// On a volume that is nearly full this is earlier than elsewhere. A log that takes all the space
/// could never be copied, because the file could not grow.
struct CheckpointSchedule {
  /// After how many more pages of the log the free space is looked at again: a quarter of a
  /// megabyte.
  private static let lookInterval = 64

  private let pageSize: Int

  /// Returns the free space of the volume, in bytes.
  private let freeSpace: () -> Int

  /// The length after which the log is copied, in pages.
  private var interval = 0

  /// The length of the log after the last commit, when a checkpoint was last due, and at which the
  /// free space is looked at, in pages.
  private var length = 0
  private var lastDue = 0
  private var nextLook = 0

  init(pageSize: Int, freeSpace: @escaping () -> Int) {
    self.pageSize = pageSize
    self.freeSpace = freeSpace
  }

  /// - Parameter path: a file on the volume.
  init(path: String, pageSize: Int) {
    self.init(pageSize: pageSize) { Self.freeSpace(at: path) }
  }

  /// Whether a checkpoint is due earlier than on a volume with enough space.
  var isEarly: Bool { interval < LogLength.checkpoint / pageSize }

  /// Whether a checkpoint is due.
  ///
  /// - Parameter pages: the length of the log, in pages.
  mutating func isDue(pages: Int) -> Bool {
    defer { length = pages }
    // A log that is shorter than after the last commit has restarted.
    if pages < length { (lastDue, nextLook) = (0, 0) }
    if pages >= nextLook {
      interval = min(LogLength.checkpoint, freeSpace() / 4) / pageSize
      nextLook = pages + Self.lookInterval
    }
    guard pages - lastDue >= max(1, interval) else { return false }
    // If a reader blocks the checkpoint, the next digest does not try it again.
    lastDue = pages
    return true
  }

  /// The bytes that an unprivileged process can use; `Int.max` if that is unknown.
  private static func freeSpace(at path: String) -> Int {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    let (bytes, isTooLarge) = UInt64(status.f_frsize).multipliedReportingOverflow(
      by: UInt64(status.f_bavail))
    return isTooLarge ? .max : Int(clamping: bytes)
  }
}
