import ResilientDecoding

/// Cuts text from outside to a length, and marks what it has cut.
struct ValueLimit {
  /// In bytes of UTF-8, the mark included.
  let maximumLength: Int

  init(_ maximumLength: Int) {
    self.maximumLength = min(max(64, maximumLength), 1 << 16)
  }

  /// The most components of a path that is kept.
  static let maximumComponents = 128

  /// How many bytes the keys of a pattern may have together.
  private var maximumPatternLength: Int { 8 * maximumLength }

  /// Whether a text stays as it is.
  func leaves(_ text: String) -> Bool { text.utf8.count <= maximumLength }

  /// Returns short text as it is, and of long text the beginning, its length and its hash.
  ///
  /// Different texts stay different unless someone makes them for having the same hash, and a text
  /// that has been cut is not cut again.
  func cut(_ text: String) -> String {
    guard text.utf8.count > maximumLength else { return text }
    let hash = String(text.fnv1a, radix: 16)
    let mark = "… (\(text.utf8.count) bytes, \(hash))"
    // By scalars, so that none is cut in two; a character may be longer than any limit.
    var room = maximumLength - mark.utf8.count
    let kept = text.unicodeScalars.prefix { scalar in
      room -= UTF8.width(scalar)
      return room >= 0
    }
    return String(kept) + mark
  }

  /// Whether a text ends with the mark of one that was cut.
  static func hasCut(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.last == UInt8(ascii: ")"), let start = bytes.lastIndex(of: UInt8(ascii: "(")),
      bytes[..<start].suffix(4).elementsEqual("… ".utf8)
    else { return false }
    let words = String(decoding: bytes[(start + 1)...].dropLast(), as: UTF8.self)
      .split(separator: " ")
    return words.count == 3 && Int(words[0]) != nil && words[1] == "bytes,"
      && UInt64(words[2], radix: 16) != nil
  }
}

extension ValueLimit {
  /// Whether the pattern of a path stays as it is.
  func leavesPattern(of path: ErrorDigest.Path) -> Bool {
    path.components.allSatisfy { component in
      if case .key(let key) = component { leaves(key) } else { true }
    } && hasRoom(for: path)
  }

  /// Whether a path is short enough as a whole. It depends on the pattern alone, so that all
  /// occurrences of a failure are cut alike.
  fileprivate func hasRoom(for path: ErrorDigest.Path) -> Bool {
    path.components.count <= Self.maximumComponents
      && length(of: path.components[...]) <= maximumPatternLength
  }

  /// The beginning of a path, and a last key that says how many components there were.
  fileprivate func cutEnd(of path: ErrorDigest.Path) -> ErrorDigest.Path {
    let hash = String(path.pattern.fnv1a, radix: 16)
    let mark = "… (\(path.components.count) components, \(hash))"
    var kept = path.components.prefix(Self.maximumComponents - 1)
    while length(of: kept) > maximumPatternLength - mark.utf8.count { kept.removeLast() }
    return ErrorDigest.Path(kept + [.key(mark)])
  }

  private func length(of components: ArraySlice<ErrorDigest.Path.Component>) -> Int {
    components.reduce(0) { length, component in
      if case .key(let key) = component { length + key.utf8.count } else { length }
    }
  }
}

extension ErrorDigest.Path {
  /// The path with its keys cut, and without its end where there is too much of it.
  func cut(to limit: ValueLimit) -> Self {
    var path = self
    if components.contains(where: { $0.key.map(limit.leaves) == false }) {
      path = Self(components.map { $0.mapKey(limit.cut) })
    }
    return limit.hasRoom(for: path) ? path : limit.cutEnd(of: path)
  }
}

extension ErrorDigest.Path.Component {
  /// The key of an object, whether it is a dictionary's or not.
  var key: String? {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index, .anyIndex, .anyDictionaryKey: nil
    }
  }

  fileprivate func mapKey(_ transform: (String) -> String) -> Self {
    switch self {
    case .key(let key): .key(transform(key))
    case .dictionaryKey(let key): .dictionaryKey(transform(key))
    case .index, .anyIndex, .anyDictionaryKey: self
    }
  }
}

extension String {
  /// A hash that is the same in every run: FNV-1a, 64 bits.
  var fnv1a: UInt64 {
    utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
