/// Reads digests with missing and unknown keys, one page at a time.
struct RenameReader: Sendable {
  private let cursor: DigestCursor
  private let keys: RenameKeys
  private var failures = StoredFailures()
  private var names = NameCache()

  init(_ cursor: DigestCursor, _ keys: RenameKeys) {
    self.cursor = cursor
    self.keys = keys
  }

  mutating func page(
    of ids: ClosedRange<Int64>, on connection: Connection
  ) throws -> (RenameCounts, PageEnd) {
    let findFailure = try StoredFailure.statement(DigestFilter(), connection)
    var counts = RenameCounts()
    let cursor = cursor
    let end = try cursor.readPage(of: ids, on: connection) { digest in
      try count(digest, findFailure, in: &counts)
      return true
    }
    return (counts, end)
  }

  private mutating func count(
    _ digest: StoredDigest, _ findFailure: borrowing Statement, in counts: inout RenameCounts
  ) throws {
    /// The exact paths of the objects in which each key is missing or unknown.
    var objects: [RenameKeys.Key: Set<String>] = [:]
    var reader = digest.reader
    while try reader.next() {
      guard let key = keys[reader.failure] else { continue }
      if reader.isOmission {
        objects[key, default: []] = objects[key] ?? []
        continue
      }
      let failure = try failures.failure(reader.failure, findFailure)
      let path = reader.path(failure.pathSegments)
      if let object = KeyPath(path)?.object { objects[key, default: []].insert(object) }
    }
    let hasBoth = Set(objects.keys.lazy.map(\.isNew)).count == 2
    let release = hasBoth ? try names.release(digest.release, findFailure.connection) : nil
    for key in objects.keys { counts.count(key) }
    guard hasBoth else { return }
    // By object, because a digest may have many keys, but an object has few candidates.
    for keysOfObject in Dictionary(grouping: objects, by: \.key.object).values {
      let old = keysOfObject.filter { !$0.key.isNew }
      for (new, places) in keysOfObject where new.isNew {
        for (old, others) in old
        where keys.canBeRename(old, new) && !places.isDisjoint(with: others) {
          counts.count(
            RenameCounts.Pair(old: old, new: new), at: digest.recordedAt, release: release)
        }
      }
    }
  }
}
