/// Errors as a tree of the places in a payload, indented by two spaces a level.
///
/// Members are sorted by name, elements by index.
package struct ErrorTree {
  /// The greatest depth of the tree, in which further levels are one: the greatest of
  /// `JSONDecoder`.
  private static let maximumDepth = 512

  private var errors: [String] = []
  private var children: [ErrorDigest.Path.Component: ErrorTree] = [:]

  package init() {}

  /// Adds the text of an error, in one line or several.
  package mutating func insert(_ lines: [String], at path: ErrorDigest.Path) {
    let rest = ErrorDigest.Path(Array(path.components.dropFirst(Self.maximumDepth)))
    let last = rest.components.isEmpty ? [] : [ErrorDigest.Path.Component.key(rest.description)]
    insert(lines, at: path.components.prefix(Self.maximumDepth) + last)
  }

  /// The errors of the whole document, then each child with its subtree.
  ///
  /// Control characters in names are escaped.
  package var lines: [String] {
    errors
      + children.sorted { $0.key.precedes($1.key) }.flatMap { component, tree in
        [component.name.onOneLine] + tree.lines.map { "  " + $0 }
      }
  }

  private mutating func insert(
    _ lines: [String],
    at path: ArraySlice<ErrorDigest.Path.Component>
  ) {
    guard let first = path.first else {
      errors += lines
      return
    }
    children[first, default: ErrorTree()].insert(lines, at: path.dropFirst())
  }
}
