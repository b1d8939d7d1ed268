extension String {
  /// The names that someone may have meant who wrote this, the likeliest alone or some as likely.
  ///
  /// A slip of the fingers is another letter in three at most; who writes a part of a name means it.
  func similar(among names: [String]) -> [String] {
    let written = bare
    let distances = names.map { (name: $0, distance: written.distance(to: $0.bare)) }
    let least = distances.map(\.distance).min() ?? 0
    if least <= max(1, written.count / 3) {
      return distances.filter { $0.distance == least }.map(\.name)
    }
    return written.count < 3 ? [] : names.filter { String($0.bare).contains(String(written)) }
  }

  /// Without what people mix up or leave out.
  private var bare: [Character] { lowercased().filter { $0 != "-" && $0 != "_" }.map { $0 } }
}

extension [Character] {
  /// How many characters have to be put in, left out or changed to make the other (Levenshtein).
  fileprivate func distance(to other: Self) -> Int {
    var row = [Int](0...other.count)
    for (i, character) in enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, candidate) in other.enumerated() {
        let changed = diagonal + (character == candidate ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(changed, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[other.count]
  }
}
