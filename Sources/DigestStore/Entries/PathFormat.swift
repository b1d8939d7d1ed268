import ResilientDecoding

/// An exact path, split into a pattern and the arguments for its placeholders.
///
/// `items[3].kind` becomes the format `items[%s].kind`, which all its siblings share, and the
/// argument `3`. SQLite's `printf` joins them again, in views and queries.
struct PathFormat {
  /// The largest number of arguments that the views pass to `printf`.
  static let maximumArguments = 8

  let pattern: String
  let format: String

  /// The arguments, each as JSON.
  let arguments: [String]

  init(_ path: ErrorDigest.Path) {
    var pattern = ""
    var format = ""
    var arguments: [String] = []
    for component in path.components {
      let isFirst = pattern.isEmpty
      let general = component.generalized.text(isFirst: isFirst)
      pattern += general
      switch component {
      case .key:
        format += general.replacingScalars("%", with: "%%")
      case .index(let index):
        format += "[%s]"
        arguments.append("\(index)")
      case .anyIndex:
        format += "[%s]"
        arguments.append("\"\"")
      case .dictionaryKey, .anyDictionaryKey:
        format += "%s"
        arguments.append(component.text(isFirst: isFirst).jsonQuoted)
      }
    }
    self.pattern = pattern
    if arguments.count <= Self.maximumArguments {
      self.format = format
      self.arguments = arguments
    } else {
      self.format = "%s"
      self.arguments = [path.description.jsonQuoted]
    }
  }
}
