extension String {
  /// The names that this text may be a misspelling of: the likeliest, or several that are equally
  /// likely.
  ///
  /// A misspelling differs in at most one letter of three. A part of a name counts too.
  func similar(among names: [String]) -> [String] {
    // Nobody has typed a longer one, and to compare it takes long.
    guard utf8.count <= 200 else { return [] }
    let written = bare
    var least = max(1, written.count / 3)
    var similar: [String] = []
    for name in names where !name.allSatisfy(\.isWhitespace) {
      guard let distance = written.distance(to: name.bare, atMost: least) else { continue }
      if distance < least { similar = [] }
      least = distance
      similar.append(name)
    }
    guard similar.isEmpty, written.count >= 3 else { return similar }
    // Longer names would not fit on a line.
    return names.filter { $0.utf8.count < 80 && $0.bare.contains(written) }
  }

  /// A question that suggests similar names; nil without one.
  func suggestion(among names: [String]) -> String? { Self.question(similar(among: names)) }

  /// A question that suggests some names; nil without one.
  static func question(_ names: [String]) -> String? {
    names.isEmpty ? nil : "did you mean \(names.prefix(3).joined(separator: " or "))?"
  }

  /// A suggestion or, without one, the list of all names.
  func remedy(among names: [String]) -> String {
    suggestion(among: names) ?? "write one of \(names.joined(separator: ", "))"
  }

  /// The text without case, hyphens and underscores, which people mix up.
  private var bare: [Unicode.Scalar] {
    lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }
  }
}

extension [Unicode.Scalar] {
  /// The number of insertions, deletions, changes and swaps of neighbors that make the other text
  /// (restricted Damerau-Levenshtein distance); nil if it exceeds `limit`.
  fileprivate func distance(to other: Self, atMost limit: Int) -> Int? {
    guard abs(count - other.count) <= limit else { return nil }
    var before: [Int] = []
    var last = [Int](0...other.count)
    for (i, character) in enumerated() {
      var row = [i + 1]
      for (j, candidate) in other.enumerated() {
        var least = Swift.min(
          last[j] + (character == candidate ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, character == other[j - 1], self[i - 1] == candidate {
          least = Swift.min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      // Swapping looks two rows back.
      guard Swift.min(row.min() ?? 0, last.min() ?? 0) <= limit else { return nil }
      (before, last) = (last, row)
    }
    return last[other.count] <= limit ? last[other.count] : nil
  }

  fileprivate func contains(_ part: Self) -> Bool {
    guard let first = part.first, part.count <= count else { return part.isEmpty }
    return (0...count - part.count).contains {
      self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
