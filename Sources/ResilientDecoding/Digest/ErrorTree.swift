/// Errors as a tree of the places in a payload, indented by two spaces a level.
///
/// Members are sorted by name, elements by index.
package struct ErrorTree {
  /// The greatest depth of the tree, in which further levels are one: the greatest of
  /// `JSONDecoder`.
  private static let maximumDepth = 512

  private var errors: [(path: ErrorDigest.Path, lines: [String])] = []

  package init() {}

  /// Adds the text of an error, in one line or several.
  package mutating func insert(_ lines: [String], at path: ErrorDigest.Path) {
    let rest = ErrorDigest.Path(Array(path.components.dropFirst(Self.maximumDepth)))
    let last = rest.components.isEmpty ? [] : [ErrorDigest.Path.Component.key(rest.description)]
    errors.append((ErrorDigest.Path(path.components.prefix(Self.maximumDepth) + last), lines))
  }

  /// The errors of the whole document, then each child with its subtree.
  ///
  /// Control characters in names are escaped.
  package var lines: [String] {
    var lines: [String] = []
    var place: [ErrorDigest.Path.Component] = []
    for error in errors.sorted(by: { $0.path }) {
      let components = error.path.components
      var depth = 0
      // In this order, no place comes after the next one.
      while depth < min(place.count, components.count), !place[depth].precedes(components[depth]) {
        depth += 1
      }
      for depth in depth..<components.count {
        lines.append(Self.indented(components[depth].name.onOneLine, by: depth))
      }
      lines += error.lines.map { Self.indented($0, by: components.count) }
      place = components
    }
    return lines
  }

  private static func indented(_ line: String, by depth: Int) -> String {
    String(repeating: "  ", count: depth) + line
  }
}
