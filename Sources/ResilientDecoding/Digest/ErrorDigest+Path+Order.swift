extension ErrorDigest.Path {
  /// Whether this path is sorted before the other: a place comes before those in it.
  func precedes(_ other: Self) -> Bool {
    components.lexicographicallyPrecedes(other.components) { $0.precedes($1) }
  }
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
