/// What a process does until it is killed.
enum Role: String {
  /// Several threads record digests.
  case write
  /// The same, and the store is opened and closed again and again.
  case reopen
  /// Asks all that a store can be asked.
  case report
  /// Records too, and does away with all digests that are a moment old.
  case evict
  /// Several threads record digests, and pass over one that is not written because another process
  /// keeps the file locked.
  case endure
  /// Several threads record digests, and another reads the file, as an app does to upload it.
  case upload
  /// The file is opened for each digest, which is imported, and closed.
  case visit

  /// Several threads record some digests, and the store is closed. The process ends by itself.
  case finish

  /// What the processes do that are killed at any moment.
  static let killed: [Role] = [.write, .reopen, .report, .evict]

  var records: Bool { self != .report }
}
