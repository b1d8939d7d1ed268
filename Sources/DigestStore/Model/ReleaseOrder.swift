/// The age of a release, derived from its name.
///
/// Versions sort as in Semantic Versioning 2.0.0, section 11: `4.2.0-beta.2`, `4.2.0`, `4.10.0`. A
/// name is also a version with a leading `v`, with fewer or more numbers (`4.2`, `4.2.0.7`), or
/// with build metadata (`+77`, or a number in parentheses). Metadata does not change the order.
/// Other names are older than all versions, and sort in the order in which the store first received
/// them. Digests without a release are older than all releases.
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
  ///   - name: the name of the release; nil for digests without one.
  ///   - id: the id of the release in the file. Ids ascend in the order of arrival.
  init(_ name: String?, id: Int64) {
    guard let name else {
      age = .none
      return
    }
    age = Self.version(name) ?? .name(id)
  }

  /// Whether this release is older than another one. False if both have the same version.
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
    // 4.2 equals 4.2.0.
    while known.last == 0 { known.removeLast() }
    guard parts.count == 2 else { return .version(known, preRelease: []) }
    let identifiers = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard identifiers.allSatisfy({ !$0.isEmpty }) else { return nil }
    return .version(
      known,
      preRelease: identifiers.map { number($0).map(Identifier.number) ?? .text(Array($0.utf8)) })
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

  private static func isOlder(preRelease lhs: [Identifier], _ rhs: [Identifier]) -> Bool {
    // A pre-release is older than its version.
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

extension [String] {
  /// The names of releases, oldest first. Those that are no versions are in no particular order.
  var sortedByAge: [String] {
    guard count > 1 else { return self }
    return map { (name: $0, order: ReleaseOrder($0, id: 0)) }
      .sorted { $0.order.isOlder(than: $1.order) }.map(\.name)
  }
}
