/// The age of releases, by their names.
///
/// Versions are in the order of Semantic Versioning 2.0.0, section 11: `4.2.0-beta.2`, `4.2.0`,
/// `4.10.0`. A `v` in front, missing or more numbers (`4.2`, `4.2.0.7`), and build metadata (`+77`,
/// or a number in parentheses) make no difference to what is a version; metadata makes none to its
/// age either. What is no version is older than every version, and among itself in the order in
/// which the store first met it; digests without a release come before all.
struct ReleaseOrder {
  private enum Age {
    case none
    case name(Int64)
    case version([Int64], preRelease: [Identifier])
  }

  private enum Identifier: Equatable {
    case number(Int64)
    case text([UInt8])
  }

  private let age: Age

  /// - Parameters:
  ///   - name: the release's name; nil for that of digests without one.
  ///   - id: its number in the file, in which releases are numbered as they come.
  init(_ name: String?, id: Int64) {
    guard let name else {
      age = .none
      return
    }
    age = Self.version(name) ?? .name(id)
  }

  /// Whether this release came before another one; not so for two of the same version.
  func isOlder(than other: Self) -> Bool {
    switch (age, other.age) {
    case (.none, .none): false
    case (.none, _): true
    case (_, .none): false
    case (.name(let id), .name(let other)): id < other
    case (.name, .version): true
    case (.version, .name): false
    case (.version(let numbers, let preRelease), .version(let others, let otherPreRelease)):
      Self.isOlder(numbers, others)
        ?? Self.isOlder(preRelease: preRelease, otherPreRelease)
    }
  }
}

extension ReleaseOrder {
  private static func version(_ name: String) -> Age? {
    var text = name[...]
    if text.first == "v" || text.first == "V" { text.removeFirst() }
    if let build = text.firstIndex(where: { $0 == "+" || $0 == "(" }) {
      text = text[..<build]
      while text.last == " " { text.removeLast() }
    }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map {
      number($0)
    }
    var known = numbers.compactMap { $0 }
    guard known.count == numbers.count else { return nil }
    // 4.2 is 4.2.0.
    while known.last == 0 { known.removeLast() }
    guard parts.count == 2 else { return .version(known, preRelease: []) }
    let identifiers = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard identifiers.allSatisfy({ !$0.isEmpty }) else { return nil }
    return .version(
      known,
      preRelease: identifiers.map { number($0).map(Identifier.number) ?? .text(Array($0.utf8)) })
  }

  /// Reads digits and nothing else, no more than a number can have.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int64(text)
  }

  /// - Returns: nil where the numbers are the same.
  private static func isOlder(_ lhs: [Int64], _ rhs: [Int64]) -> Bool? {
    lhs == rhs ? nil : lhs.lexicographicallyPrecedes(rhs)
  }

  private static func isOlder(preRelease lhs: [Identifier], _ rhs: [Identifier]) -> Bool {
    // What comes before a version is older than it.
    guard !lhs.isEmpty, !rhs.isEmpty else { return !lhs.isEmpty && rhs.isEmpty }
    return lhs.lexicographicallyPrecedes(rhs) { lhs, rhs in
      switch (lhs, rhs) {
      case (.number(let number), .number(let other)): number < other
      case (.number, .text): true
      case (.text, .number): false
      case (.text(let text), .text(let other)): text.lexicographicallyPrecedes(other)
      }
    }
  }
}
