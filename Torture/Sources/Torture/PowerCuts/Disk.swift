import CPowerCut
import Foundation

/// What a disk holds for sure, and what it may hold, after some of the events of a recording.
struct Disk {
  /// A file as a disk has it; nil where there is none.
  typealias Contents = [UInt8]?

  private struct File {
    var durable: Contents = nil
    /// What has happened since the last sync.
    var pending: [PowerCutEvent] = []
  }

  /// How much of a write is there or is not (SQLite, "Atomic Commit In SQLite", section 2).
  private static let sector = 512

  private var files: [Int32: File] = [:]

  /// - Parameter durable: what is there before the first event.
  init(_ durable: [Int32: [UInt8]] = [:]) {
    files = durable.mapValues { File(durable: $0) }
  }

  mutating func apply(_ event: PowerCutEvent) {
    switch event.action {
    case .write, .truncate: files[event.file, default: File()].pending.append(event)
    case .delete:
      files[event.file, default: File()].pending.append(event)
      if event.offset == 1 { syncDirectory() }
    case .sync:
      // With its entry in the directory, if it is a new file: SQLite syncs that too.
      let file = files[event.file] ?? File()
      files[event.file] = File(durable: Self.contents(of: file) { true } ?? [])
      if event.offset == 1 { syncDirectory() }
    }
  }

  /// Lets what was deleted not come back any more.
  private mutating func syncDirectory() {
    files = files.mapValues { file in
      guard let deletion = file.pending.lastIndex(where: { $0.action == .delete }) else {
        return file
      }
      return File(durable: nil, pending: Array(file.pending[(deletion + 1)...]))
    }
  }

  /// What a file holds when nothing is cut.
  func afterSync(of number: Int32) -> Contents {
    files[number].flatMap { Self.contents(of: $0) { true } }
  }

  /// What may be found when the power is back.
  func afterCut(using random: inout SeededGenerator) -> [Int32: Contents] {
    // All of what was not synced, nothing of it, or any part.
    let probability =
      [0, 1, 0.5, Double.random(in: 0...1, using: &random)]
      .randomElement(using: &random) ?? 0
    return files.mapValues { file in
      Self.contents(of: file) { Double.random(in: 0..<1, using: &random) < probability }
    }
  }

  /// - Parameter happened: whether the next thing that was not synced has reached the disk.
  private static func contents(of file: File, happened: () -> Bool) -> Contents {
    var contents = file.durable
    for event in file.pending {
      switch event.action {
      case .write: write(event, to: &contents, happened: happened)
      case .truncate:
        guard happened(), let length = contents?.count else { continue }
        contents?.removeLast(max(0, length - Int(event.offset)))
      case .delete:
        // What is written after that goes to another file of the same name.
        guard happened() else { return contents }
        contents = nil
      case .sync: break
      }
    }
    return contents
  }

  private static func write(
    _ event: PowerCutEvent, to contents: inout Contents, happened: () -> Bool
  ) {
    guard let bytes = event.bytes else { return }
    let (start, end) = (Int(event.offset), Int(event.offset + event.length))
    var position = start
    while position < end {
      let next = min(end, (position / sector + 1) * sector)
      if happened() {
        if contents == nil { contents = [] }
        let missing = next - (contents?.count ?? 0)
        if missing > 0 { contents?.append(contentsOf: repeatElement(0, count: missing)) }
        contents?.replaceSubrange(
          position..<next,
          with: UnsafeRawBufferPointer(start: bytes + position - start, count: next - position))
      }
      position = next
    }
  }
}
