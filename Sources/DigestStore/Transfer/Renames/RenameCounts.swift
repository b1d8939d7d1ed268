import ResilientPlatform

/// The digests with missing and unknown keys, one by one and in pairs.
package struct RenameCounts: Sendable {
  struct Pair: Hashable {
    let old: RenameKeys.Key
    let new: RenameKeys.Key
  }

  /// The digests of a pair.
  struct Meeting {
    var digests: Int64
    var first: Moment
    var last: Moment
    var firstRelease: String?
  }

  private var digests: [RenameKeys.Key: Int64] = [:]
  private var meetings: [Pair: Meeting] = [:]

  package init() {}

  mutating func count(_ key: RenameKeys.Key) {
    digests[key] = (digests[key] ?? 0).adding(count: 1)
  }

  mutating func count(_ pair: Pair, at moment: Moment, release: String?) {
    add(Meeting(digests: 1, first: moment, last: moment, firstRelease: release), of: pair)
  }

  private mutating func add(_ meeting: Meeting, of pair: Pair) {
    guard var sum = meetings[pair] else {
      meetings[pair] = meeting
      return
    }
    sum.digests = sum.digests.adding(count: meeting.digests)
    // At the same moment, the same release in whatever order stores are read.
    if (meeting.first, meeting.firstRelease ?? "") < (sum.first, sum.firstRelease ?? "") {
      (sum.first, sum.firstRelease) = (meeting.first, meeting.firstRelease)
    }
    sum.last = max(sum.last, meeting.last)
    meetings[pair] = sum
  }

  /// Adds the digests of another part of the store, or of another store.
  package mutating func merge(_ other: RenameCounts) {
    digests.merge(other.digests) { $0.adding(count: $1) }
    for (pair, meeting) in other.meetings { add(meeting, of: pair) }
  }

  /// The share of the digests with one of the keys that must have both, in tenths.
  private static let minimumTenths: Int64 = 9

  /// Whether two keys with these numbers of digests can be a rename.
  static func isShare(_ count: Int64, of other: Int64) -> Bool {
    min(count, other) * 10 >= max(count, other) * minimumTenths
  }

  /// The most renames of one object whose names are not similar.
  private static let maximumDissimilar = 16

  /// Returns the pairs that are probably renames, most digests first.
  package func renames(limit: Int? = nil) -> [DigestStore.KeyRename] {
    let likely = meetings.filter { pair, meeting in
      meeting.digests * 10
        >= max(digests[pair.old] ?? 0, digests[pair.new] ?? 0) * Self.minimumTenths
    }
    let rows = Dictionary(grouping: likely.keys, by: \.old.object)
      .values.flatMap(Self.best)
      .filter { $0.old.isMatching || $0.new.isMatching }
      .compactMap { pair in likely[pair].map { DigestStore.KeyRename(pair, $0) } }
      .sorted(by: DigestStore.KeyRename.precede)
    return Array(rows.prefix(limit.flatMap { $0 < 0 ? nil : $0 } ?? .max))
  }

  /// Selects pairs with similar names, each key once, and then the pairs of the other keys.
  private static func best(of pairs: [Pair]) -> [Pair] {
    func name(_ key: RenameKeys.Key) -> String { KeyPath(key.path)?.key ?? "" }
    let rated = pairs.map { (pair: $0, similarity: name($0.old).similarity(to: name($0.new))) }
      .sorted {
        ($0.similarity, $1.pair.old.path, $1.pair.new.path)
          > ($1.similarity, $0.pair.old.path, $0.pair.new.path)
      }
    var (best, used): ([Pair], Set<RenameKeys.Key>) = ([], [])
    for (pair, similarity) in rated where similarity >= 0.6 {
      guard !used.contains(pair.old), !used.contains(pair.new) else { continue }
      best.append(pair)
      used.formUnion([pair.old, pair.new])
    }
    let others = rated.lazy.map(\.pair).filter { !used.contains($0.old) && !used.contains($0.new) }
    return best + others.prefix(maximumDissimilar)
  }
}

extension DigestStore.KeyRename {
  /// Sorts renames: most digests first.
  static func precede(_ lhs: Self, _ rhs: Self) -> Bool {
    (lhs.digests, rhs.model, rhs.oldPath, rhs.newPath)
      > (rhs.digests, lhs.model, lhs.oldPath, lhs.newPath)
  }

  fileprivate init(_ pair: RenameCounts.Pair, _ meeting: RenameCounts.Meeting) {
    self.init(
      model: pair.old.model, oldPath: pair.old.path, newPath: pair.new.path,
      digests: Int(clamping: meeting.digests), firstSeen: meeting.first.date,
      lastSeen: meeting.last.date, firstRelease: meeting.firstRelease)
  }
}

extension String {
  /// The share of letters and digits that two names have in common in the same order, from 0 to 1.
  fileprivate func similarity(to other: String) -> Double {
    func letters(_ name: String) -> [Character] {
      Array(name.lowercased().prefix(64).filter { $0.isLetter || $0.isNumber })
    }
    let (left, right) = (letters(self), letters(other))
    guard !left.isEmpty, !right.isEmpty else { return 0 }
    // The length of the longest common subsequence, row by row.
    var lengths = [Int](repeating: 0, count: right.count + 1)
    for letter in left {
      var diagonal = 0
      for (index, candidate) in right.enumerated() {
        let above = lengths[index + 1]
        lengths[index + 1] =
          letter == candidate ? diagonal + 1 : max(above, lengths[index])
        diagonal = above
      }
    }
    return 2 * Double(lengths[right.count]) / Double(left.count + right.count)
  }
}
