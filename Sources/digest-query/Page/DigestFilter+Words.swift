import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DigestFilter {
  /// What it lets through, with the names that the page has for it.
  var words: [(name: String, value: HTML)] {
    let words: [(String, HTML?)] = [
      ("Model", model.map { "\($0)" }),
      ("Coding path", codingPath.map { "\($0)" }),
      ("Kind", kind.map { "\($0)" }),
      ("Novel value", novelValue.map { "\($0)" }),
      ("Release", hasNoRelease ? "none" : release.map { HTML("\($0)") }),
      ("Since", since?.html), ("Until", until?.html),
    ]
    return words.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The command that asks with it, as a shell takes it.
  func command(_ name: String) -> String {
    let options = [
      ("--model", model), ("--path", codingPath), ("--kind", kind), ("--value", novelValue),
      ("--release", release), ("--since", since?.iso8601), ("--until", until?.iso8601),
    ]
    let words = options.compactMap { option, value in
      value.map { value in
        // A value that looks like an option is taken for one, unless it is in one word with its own.
        let separator = value.utf8.first == UInt8(ascii: "-") ? "=" : " "
        return "\(option)\(separator)\(value.shellQuoted)"
      }
    }
    return (["digest-query", name] + words + (hasNoRelease ? ["--no-release"] : []))
      .joined(separator: " ")
  }
}
