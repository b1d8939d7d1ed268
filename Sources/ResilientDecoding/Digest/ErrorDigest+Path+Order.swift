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
