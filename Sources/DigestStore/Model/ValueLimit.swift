import ResilientDecoding

/// Cuts long text from payloads, and appends a mark to it.
struct ValueLimit {
  /// The largest length in bytes of UTF-8, including the mark.
  let maximumLength: Int

  init(_ maximumLength: Int) {
    self.maximumLength = min(max(64, maximumLength), 1 << 16)
  }

  /// The largest number of components of a path.
  static let maximumComponents = 128

  /// The largest number of bytes of all keys in a pattern together.
  private var maximumPatternLength: Int { 8 * maximumLength }

  /// Whether a text stays uncut.
  func leaves(_ text: String) -> Bool { text.utf8.count <= maximumLength }

  /// Returns short text unchanged, and of long text the beginning with its length and hash.
  ///
  /// Different texts stay different unless someone constructs them with equal hashes. Text that has
  /// been cut is not cut again.
  func cut(_ text: String) -> String {
    guard text.utf8.count > maximumLength else { return text }
    let hash = String(text.fnv1a, radix: 16)
    let mark = "… (\(text.utf8.count) bytes, \(hash))"
    // Cuts between scalars. Characters may be longer than any limit.
    var room = maximumLength - mark.utf8.count
    let kept = text.unicodeScalars.prefix { scalar in
      room -= UTF8.width(scalar)
      return room >= 0
    }
    return String(kept) + mark
  }

  /// Whether a text ends with the mark of a cut.
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
  /// Whether a path is short enough as a whole. Depends only on the pattern, so that all
  /// occurrences of a failure are cut alike.
  fileprivate func hasRoom(for path: ErrorDigest.Path) -> Bool {
    path.components.count <= Self.maximumComponents
      && length(of: path.components[...]) <= maximumPatternLength
  }

  /// Returns the beginning of a path with a last key that contains the number of components and a
  /// hash.
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
  /// Returns the path with its keys cut, and without its end if it is too long.
  func cut(to limit: ValueLimit) -> Self {
    var path = self
    if components.contains(where: { $0.key.map(limit.leaves) == false }) {
      path = Self(components.map { $0.mapKey(limit.cut) })
    }
    return limit.hasRoom(for: path) ? path : limit.cutEnd(of: path)
  }
}

extension ErrorDigest.Path.Component {
  /// The key of a keyed or dictionary component; nil for others.
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
  /// A 64-bit FNV-1a hash, which is the same in every run.
  var fnv1a: UInt64 {
    utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
