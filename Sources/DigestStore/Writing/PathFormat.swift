import ResilientDecoding

/// An exact path taken apart: its pattern, and what stands in the pattern's places.
///
/// `items[3].kind` is the format `items[%s].kind`, which all its siblings share, and `3`. SQLite's
/// `printf` puts it together again, in a view as in a query.
struct PathFormat {
  /// The most arguments that the views hand to `printf`.
  static let maximumArguments = 8

  let pattern: String
  let format: String

  /// The arguments, each as JSON.
  let arguments: [String]

  init(_ path: ErrorDigest.Path) {
    pattern = path.pattern
    let places = path.components.count { !$0.isFixed }
    guard places <= Self.maximumArguments else {
      format = "%s"
      arguments = [path.description.jsonQuoted]
      return
    }
    var text = ""
    var format = ""
    var arguments: [String] = []
    for component in path.components {
      let start = text.endIndex
      component.write(to: &text)
      let written = text[start...]
      switch component {
      case .index(let index):
        format += "[%s]"
        arguments.append("\(index)")
      case .dictionaryKey, .anyDictionaryKey:
        format += "%s"
        arguments.append(String(written).jsonQuoted)
      case .anyIndex:
        format += "[%s]"
        arguments.append("\"\"")
      case .key:
        format += written.replacing("%", with: "%%")
      }
    }
    self.format = format
    self.arguments = arguments
  }
}

extension ErrorDigest.Path.Component {
  fileprivate var isFixed: Bool {
    if case .key = self { true } else { false }
  }
}
