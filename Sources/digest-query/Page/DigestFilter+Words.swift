import DigestStore
import ResilientDecoding

extension DigestFilter {
  /// The filter in the words of the page. Any of several values is accepted.
  var words: [(name: String, values: [HTML])] {
    func texts(_ names: [String]) -> [HTML] { names.map { "\($0)" } }
    let words = [
      ("Model", texts(models)), ("Coding path", texts(codingPaths)),
      ("Kind", texts(kinds.map(\.rawValue))),
      ("Novel value", texts(novelValues)),
      ("Release", texts(releases) + (hasNoRelease ? ["none"] : [])),
      ("Environment", texts(environments)), ("Operation", texts(operations)),
      ("Since", since.map { [$0.html] } ?? []), ("Until", until.map { [$0.html] } ?? []),
    ]
    return words.filter { !$1.isEmpty }
  }

  /// A command with this filter, quoted for a shell.
  func command(_ name: String) -> String {
    let options = [
      ("--model", models), ("--path", codingPaths), ("--kind", kinds.map(\.rawValue)),
      ("--value", novelValues),
      ("--release", releases), ("--environment", environments), ("--operation", operations),
      ("--since", since.map { [$0.iso8601] } ?? []),
      ("--until", until.map { [$0.iso8601] } ?? []),
    ]
    let words = options.flatMap { option, values in
      values.map { value in
        // A value that looks like an option has to be in the same word as its option.
        let separator = value.utf8.first == UInt8(ascii: "-") ? "=" : " "
        return "\(option)\(separator)\(value.shellQuoted)"
      }
    }
    return (["digest-query", name] + words + (hasNoRelease ? ["--no-release"] : []))
      .joined(separator: " ")
  }
}
