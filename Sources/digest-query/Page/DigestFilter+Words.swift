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
    let words = options.compactMap { option, value in value.map { "\(option) \($0.shellQuoted)" } }
    return (["digest-query", name] + words + (hasNoRelease ? ["--no-release"] : []))
      .joined(separator: " ")
  }
}

extension String {
  fileprivate var shellQuoted: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: #"'\''"#))'"
  }
}
