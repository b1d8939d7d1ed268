import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DigestFilter {
  /// What it lets through, with the names that the page has for it; of several values any will do.
  var words: [(name: String, values: [HTML])] {
    func texts(_ names: [String]) -> [HTML] { names.map { "\($0)" } }
    let words = [
      ("Model", texts(models)), ("Coding path", texts(codingPaths)), ("Kind", texts(kinds)),
      ("Novel value", texts(novelValues)),
      ("Release", texts(releases) + (hasNoRelease ? ["none"] : [])),
      ("Since", since.map { [$0.html] } ?? []), ("Until", until.map { [$0.html] } ?? []),
    ]
    return words.filter { !$1.isEmpty }
  }

  /// The command that asks with it, as a shell takes it.
  func command(_ name: String) -> String {
    let options = [
      ("--model", models), ("--path", codingPaths), ("--kind", kinds), ("--value", novelValues),
      ("--release", releases), ("--since", since.map { [$0.iso8601] } ?? []),
      ("--until", until.map { [$0.iso8601] } ?? []),
    ]
    let words = options.flatMap { option, values in
      values.map { value in
        // A value that looks like an option is taken for one, unless it is in one word with its own.
        let separator = value.utf8.first == UInt8(ascii: "-") ? "=" : " "
        return "\(option)\(separator)\(value.shellQuoted)"
      }
    }
    return (["digest-query", name] + words + (hasNoRelease ? ["--no-release"] : []))
      .joined(separator: " ")
  }
}
