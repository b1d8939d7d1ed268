import ResilientDecoding

/// Counts the digests with missing and unknown keys, one by one and in pairs.
struct RenameReader: Sendable {
  let keys: RenameKeys

  func count(_ digest: StoredDigest, in counts: inout RenameCounts) {
    /// The exact paths of the objects in which each key is missing or unknown.
    var objects: [RenameKeys.Key: Set<String>] = [:]
    for error in digest.errors {
      guard let key = keys[error.failure.id] else { continue }
      if error.times > 1 {
        objects[key, default: []] = objects[key] ?? []
      } else if let object = PayloadKey(error.codingPath)?.object {
        objects[key, default: []].insert(object)
      }
    }
    for key in objects.keys { counts.count(key) }
    guard Set(objects.keys.lazy.map(\.isNew)).count == 2 else { return }
    // By object, because a digest may have many keys, but an object has few candidates.
    for keysOfObject in Dictionary(grouping: objects, by: \.key.object).values {
      let old = keysOfObject.filter { !$0.key.isNew }
      for (new, places) in keysOfObject where new.isNew {
        for (old, others) in old
        where keys.canBeRename(old, new) && !places.isDisjoint(with: others) {
          counts.count(
            RenameCounts.Pair(old: old, new: new), at: digest.recordedAt, release: digest.release)
        }
      }
    }
  }
}
