extension ErrorDigest {
  /// A place in a payload, exact (`items[3].kind`) or as a pattern (`items[].kind`).
  ///
  /// A key that is not a plain word of letters, digits and underscores is quoted: `a["x.y"].b`. The
  /// empty path is the whole document. Paths are equal if their keys have the same Unicode scalars.
  public struct Path: Sendable, Hashable {
    /// A step from a value to a value that it contains.
    public enum Component: Sendable, Hashable {
      /// A member of an object, by the name in the payload.
      case key(String)
      /// An entry of a dictionary. Its key is data, and is left out of patterns.
      case dictionaryKey(String)
      /// Any entry of a dictionary, in a pattern.
      case anyDictionaryKey
      /// An element of an array, from 0.
      case index(Int)
      /// Any element of an array, in a pattern.
      case anyIndex
    }

    /// The steps from the document to the place.
    public package(set) var components: [Component]

    /// Creates a path from its components; without any, the path of the whole document.
    public init(_ components: [Component] = []) {
      self.components = components
    }
  }
}

extension ErrorDigest.Path: CustomStringConvertible {
  /// The path as text, with all known indices and keys.
  public var description: String {
    var text = ""
    for component in components { text += component.text(isFirst: text.isEmpty) }
    return text
  }

  /// The path as text, with every index as `[]` and every known dictionary key as `*`.
  public var pattern: String {
    generalized.description
  }

  /// The pattern of the path: without its indices and dictionary keys.
  public var generalized: Self {
    Self(components.map(\.generalized))
  }

  package func starts(with prefix: Self) -> Bool {
    components.starts(with: prefix.components)
  }
}

extension ErrorDigest.Path.Component {
  /// Compares the components, keys by their Unicode scalars: precomposed and decomposed letters
  /// differ.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.key(let key), .key(let other)), (.dictionaryKey(let key), .dictionaryKey(let other)):
      key.hasSameScalars(as: other)
    case (.index(let index), .index(let other)): index == other
    case (.anyIndex, .anyIndex), (.anyDictionaryKey, .anyDictionaryKey): true
    default: false
    }
  }

  /// The key of an object's member or of a dictionary's entry, if known.
  var keyName: String? {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index, .anyIndex, .anyDictionaryKey: nil
    }
  }

  /// The component in a pattern.
  package var generalized: Self {
    switch self {
    case .key, .anyIndex, .anyDictionaryKey: self
    case .index: .anyIndex
    case .dictionaryKey: .anyDictionaryKey
    }
  }

  /// The component as text in a path, with a leading dot unless it comes first or is in brackets.
  package func text(isFirst: Bool) -> String {
    switch self {
    case .index(let index): "[\(index)]"
    case .anyIndex: "[]"
    case .anyDictionaryKey: isFirst ? "*" : ".*"
    case .key(let key), .dictionaryKey(let key):
      if !key.isPlainWord {
        "[\(key.jsonQuoted)]"
      } else {
        isFirst ? key : ".\(key)"
      }
    }
  }
}

extension String {
  fileprivate var isPlainWord: Bool {
    // Nearly all keys are ASCII: their bytes decide.
    if utf8.allSatisfy(\.isPlain) { return !isEmpty }
    // A letter can form one character with punctuation after it, which would separate components.
    guard utf8.allSatisfy({ $0 >= 0x80 || $0.isPlain }) else { return false }
    return allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension ErrorDigest.Path {
  /// Whether this path is sorted before the other: a place comes before those in it.
  func precedes(_ other: Self) -> Bool {
    components.lexicographicallyPrecedes(other.components) { $0.precedes($1) }
  }
}

extension Array {
  /// Sorts the elements by paths, and leaves those of equal paths in their order.
  ///
  /// Each sort of another type or by another closure adds 7 KB to an app, so all sorts use this one.
  func sorted(by path: (Element) -> ErrorDigest.Path) -> Self {
    order(of: map(path)).map { self[$0] }
  }
}

/// Returns the indices of the paths in their order.
private func order(of paths: [ErrorDigest.Path]) -> [Int] {
  paths.indices.sorted { paths[$0].precedes(paths[$1]) }
}

extension ErrorDigest.Path.Component {
  /// The component in a tree of errors.
  var name: String {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index(let index): "Index \(index)"
    case .anyIndex: "[]"
    case .anyDictionaryKey: "*"
    }
  }

  /// Whether this component is sorted before the other: names by text, then indices by number.
  func precedes(_ other: Self) -> Bool {
    switch (self, other) {
    case (.index(let index), .index(let otherIndex)): index < otherIndex
    case (.index, _): false
    case (_, .index): true
    case _ where name != other.name: name < other.name
    // Equal names may differ in their scalars.
    default: name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
  }
}
