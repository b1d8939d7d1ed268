/// The age of a release, derived from its name.
///
/// Versions sort as in Semantic Versioning 2.0.0, section 11: `4.2.0-beta.2`, `4.2.0`, `4.10.0`. A
/// name is also a version with a leading `v` or `NAME@`, with fewer or more numbers (`4.2`,
/// `4.2.0.7`), with metadata (`+77`), or with a build number in parentheses: `4.2.0 (77)` is older
/// than `4.2.0 (80)`. Equal versions sort in the order in which the store first received them. Other
/// names, including a number alone, which may be a commit, are older than all versions and sort in
/// the same way.
/// Digests without a release are older than all releases.
package struct ReleaseOrder {
  private enum Age {
    case none
    case name
    case version([Int64], preRelease: [Identifier], build: [Int64])
  }

  private enum Identifier: Equatable {
    case number(Int64)
    case text([UInt8])
  }

  private let age: Age
  private let id: Int64

  /// - Parameters:
  ///   - name: the name of the release; nil for digests without one.
  ///   - id: the id of the release in the file, nil if it has none. Ids ascend in the order of
  ///     arrival. Without one a version is the first of its equals, and another name the last.
  init(_ name: String?, id: Int64?) {
    age = name.map { Self.version($0) ?? .name } ?? .none
    self.id = id ?? (name.map(Self.isVersion) == true ? .min : .max)
  }

  /// Whether the name of a release is a version, so that it is older or newer than others.
  package static func isVersion(_ name: String) -> Bool { version(name) != nil }

  /// Whether this release is older than another one.
  func isOlder(than other: Self) -> Bool {
    switch (age, other.age) {
    case (.none, .none): false
    case (.none, _): true
    case (_, .none): false
    case (.name, .name): id < other.id
    case (.name, .version): true
    case (.version, .name): false
    case (
      .version(let numbers, let preRelease, let build),
      .version(let others, let otherPreRelease, let otherBuild)
    ):
      Self.isOlder(numbers, others) ?? Self.isOlder(preRelease: preRelease, otherPreRelease)
        ?? Self.isOlder(build, otherBuild) ?? (id < other.id)
    }
  }
}

extension ReleaseOrder {
  private static func version(_ name: String) -> Age? {
    var text = name[...]
    let metadata = text.firstIndex { $0 == "+" || $0 == "(" } ?? text.endIndex
    if let at = text[..<metadata].lastIndex(of: "@") { text = text[text.index(after: at)...] }
    // Such as 4113942, a commit.
    guard number(text) == nil else { return nil }
    if text.first == "v" || text.first == "V" { text.removeFirst() }
    var build: [Int64] = []
    if text.last == ")", let open = text.lastIndex(of: "(") {
      build = text[text.index(after: open)...].dropLast().split(separator: ".").map {
        number($0) ?? 0
      }
    }
    if let end = text.firstIndex(where: { $0 == "+" || $0 == "(" }) {
      text = text[..<end]
      while text.last == " " { text.removeLast() }
    }
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map {
      number($0)
    }
    var known = numbers.compactMap { $0 }
    guard known.count == numbers.count else { return nil }
    // 4.2 equals 4.2.0.
    while known.last == 0 { known.removeLast() }
    guard parts.count == 2 else { return .version(known, preRelease: [], build: build) }
    let identifiers = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard identifiers.allSatisfy({ !$0.isEmpty }) else { return nil }
    return .version(
      known,
      preRelease: identifiers.map { number($0).map(Identifier.number) ?? .text(Array($0.utf8)) },
      build: build)
  }

  /// Parses text that consists of digits only; nil if the number is too large.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int64(text)
  }

  /// - Returns: nil if the numbers are equal.
  private static func isOlder(_ lhs: [Int64], _ rhs: [Int64]) -> Bool? {
    lhs == rhs ? nil : lhs.lexicographicallyPrecedes(rhs)
  }

  /// - Returns: nil if the pre-releases are equal.
  private static func isOlder(preRelease lhs: [Identifier], _ rhs: [Identifier]) -> Bool? {
    if lhs == rhs { return nil }
    // A pre-release is older than its version.
    guard !lhs.isEmpty, !rhs.isEmpty else { return rhs.isEmpty }
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

extension [String] {
  /// The names of releases, oldest first. Those that aren't versions are in no particular order.
  package var sortedByAge: [String] {
    guard count > 1 else { return self }
    return map { (name: $0, order: ReleaseOrder($0, id: nil)) }
      .sorted { $0.order.isOlder(than: $1.order) }.map(\.name)
  }
}
