import ResilientPlatform

/// The digests with missing and unknown keys, one by one and in pairs.
struct RenameCounts: Sendable {
  struct Pair: Hashable {
    let old: RenameKeys.Key
    let new: RenameKeys.Key
  }

  /// The digests of a pair.
  struct PairCount {
    var digests: Int64
    var first: Moment
    var last: Moment
    var firstRelease: String?
  }

  private var digests: [RenameKeys.Key: Int64] = [:]
  private var pairCounts: [Pair: PairCount] = [:]
  private let history: RenameHistory

  /// - Parameter history: that of the keys; none for a part of the counts.
  init(history: RenameHistory = RenameHistory()) {
    self.history = history
  }

  mutating func count(_ key: RenameKeys.Key) {
    digests[key] = (digests[key] ?? 0).adding(count: 1)
  }

  mutating func count(_ pair: Pair, at moment: Moment, release: String?) {
    add(PairCount(digests: 1, first: moment, last: moment, firstRelease: release), of: pair)
  }

  private mutating func add(_ count: PairCount, of pair: Pair) {
    guard var sum = pairCounts[pair] else {
      pairCounts[pair] = count
      return
    }
    sum.digests = sum.digests.adding(count: count.digests)
    // Of two digests at the same moment the smaller release, so that the result does not depend on
    // the order.
    if (count.first, count.firstRelease ?? "") < (sum.first, sum.firstRelease ?? "") {
      (sum.first, sum.firstRelease) = (count.first, count.firstRelease)
    }
    sum.last = max(sum.last, count.last)
    pairCounts[pair] = sum
  }

  /// Adds the counts of another page of digests.
  mutating func merge(_ other: RenameCounts) {
    digests.merge(other.digests) { $0.adding(count: $1) }
    for (pair, count) in other.pairCounts { add(count, of: pair) }
  }

  /// The smallest share of the digests with either key that have both, and the smallest
  /// correlation.
  static let minimumShare = 0.5

  /// The most renames of one object whose names are not similar.
  private static let maximumDissimilar = 16

  /// The least similarity of similar names.
  private static let minimumSimilarity = 0.6

  /// Two keys that may be a rename.
  private struct Candidate {
    let pair: Pair
    let rename: DigestStore.KeyRename

    /// The time between the first digests with each key, in milliseconds.
    let gap: Int64
    let similarity: Double
  }

  /// Returns probable renames, most digests first, and the pairs that `convertFromSnakeCase`
  /// explains.
  func renames(
    limit: Int? = nil
  ) -> (renames: [DigestStore.KeyRename], converted: [DigestStore.KeyRename]) {
    let pairs = pairCounts.compactMap { pair, count -> (Pair, DigestStore.KeyRename)? in
      let (old, new) = (digests[pair.old] ?? 0, digests[pair.new] ?? 0)
      let rename = DigestStore.KeyRename(pair, count, oldDigests: old, newDigests: new)
      return rename.share >= Self.minimumShare ? (pair, rename) : nil
    }
    let converted = pairs.filter {
      PayloadKey($0.0.old.path)?.key.snakeCased == PayloadKey($0.0.new.path)?.key
    }
    let explained = Set(converted.flatMap { [$0.0.old, $0.0.new] })
    let candidates = pairs.compactMap { pair, rename -> Candidate? in
      let share = Double(rename.digests) / Double(max(1, rename.newDigests))
      guard !explained.contains(pair.old), !explained.contains(pair.new),
        history.isRename(pair.old, pair.new, share: share)
      else { return nil }
      func name(_ key: RenameKeys.Key) -> String { PayloadKey(key.path)?.key ?? "" }
      return Candidate(
        pair: pair, rename: rename, gap: history.gap(pair.old, pair.new),
        similarity: name(pair.old).similarity(to: name(pair.new)))
    }
    let best = Dictionary(grouping: candidates, by: \.pair.old.object).values.flatMap(Self.best)
    func rows(_ pairs: [(Pair, DigestStore.KeyRename)]) -> [DigestStore.KeyRename] {
      pairs.filter { $0.0.old.isMatching || $0.0.new.isMatching }.map(\.1)
        .sorted(by: DigestStore.KeyRename.precede)
    }
    let renames = rows(best.map { ($0.pair, $0.rename) })
    return (
      Array(renames.prefix(limit.flatMap { $0 < 0 ? nil : $0 } ?? .max)), rows(converted)
    )
  }

  /// Selects the most probable pairs: by the share of digests, then by the time between the first
  /// digests, and then by the names. A pair excludes others with one of its keys that are clearly
  /// less probable. Chance makes the share and the time of a key that is often missing differ a
  /// little.
  private static func best(of candidates: [Candidate]) -> [Candidate] {
    func best(
      of candidates: [Candidate], by precedes: (Candidate, Candidate) -> Bool,
      excluding excludes: (_ better: Candidate, _ other: Candidate) -> Bool
    ) -> [Candidate] {
      // If the first pair of a key excludes no other, nor do those that follow it.
      var first: [RenameKeys.Key: Candidate] = [:]
      return candidates.sorted(by: precedes).filter { candidate in
        let keys = [candidate.pair.old, candidate.pair.new]
        guard !keys.contains(where: { first[$0].map { excludes($0, candidate) } ?? false }) else {
          return false
        }
        for key in keys { first[key] = first[key] ?? candidate }
        return true
      }
    }
    let common = best(of: candidates) {
      $0.rename.share > $1.rename.share
    } excluding: {
      $0.rename.share > $1.rename.share + 0.1
    }
    let timely = best(of: common) {
      $0.gap < $1.gap
    } excluding: {
      $1.gap > 2 * $0.gap + Moment.hour
    }
    let pairs = best(of: timely) {
      ($0.similarity, $1.rename.oldPath, $1.rename.newPath)
        > ($1.similarity, $0.rename.oldPath, $0.rename.newPath)
    } excluding: { better, _ in
      better.similarity >= minimumSimilarity
    }
    let similar = pairs.prefix { $0.similarity >= minimumSimilarity }
    return Array(similar) + pairs.dropFirst(similar.count).prefix(maximumDissimilar)
  }
}

extension DigestStore.KeyRename {
  /// Sorts renames: most digests first.
  static func precede(_ lhs: Self, _ rhs: Self) -> Bool {
    (lhs.digests, rhs.model, rhs.oldPath, rhs.newPath)
      > (rhs.digests, lhs.model, lhs.oldPath, lhs.newPath)
  }

  fileprivate init(
    _ pair: RenameCounts.Pair, _ count: RenameCounts.PairCount, oldDigests: Int64, newDigests: Int64
  ) {
    self.init(
      model: pair.old.model, oldPath: pair.old.path, newPath: pair.new.path,
      digests: Int(clamping: count.digests), firstSeen: count.first.date,
      lastSeen: count.last.date, firstRelease: count.firstRelease,
      oldDigests: Int(clamping: oldDigests), newDigests: Int(clamping: newDigests))
  }
}

extension String {
  /// The name in snake case, as `convertToSnakeCase` makes it: `html_url_string` of
  /// `htmlURLString`.
  fileprivate var snakeCased: String {
    let scalars = Array(unicodeScalars)
    return scalars.indices.map { index in
      let scalar = scalars[index]
      guard scalar.properties.isUppercase else { return String(scalar) }
      let word = scalar.properties.lowercaseMapping
      guard index > 0, scalars[index - 1] != "_" else { return word }
      // The last capital of several begins a word.
      let isInside =
        scalars[index - 1].properties.isUppercase
        && (index + 1 == scalars.count || !scalars[index + 1].properties.isLowercase)
      return isInside ? word : "_" + word
    }.joined()
  }

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
