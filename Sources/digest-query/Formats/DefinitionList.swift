extension String {
  /// Names and their meanings as indented lines of a help text, with aligned meanings.
  static func definitions(_ items: [(name: String, meaning: String)]) -> String {
    let width = items.map(\.name.count).max() ?? 0
    return items.map { name, meaning in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(meaning)"
    }.joined(separator: "\n")
  }
}
