import ArgumentParser
import DigestStore
import ResilientPlatform

extension CompletionKind {
  /// Names from the store of the command line.
  static func names(of category: DigestReader.NameCategory) -> Self {
    .custom { words, _, _ in NameCompletion(words: words).names(of: category) }
  }
}

/// Completes a word in a shell with names from a store.
///
/// Names come from payloads and apps, and shells interpret candidates: bash expands them as if they
/// had been typed, including `<(command)`; zsh reads the part after a colon as a description.
/// Escaping differs between shells and their versions, so only names that no shell interprets are
/// offered.
struct NameCompletion {
  /// The words of the command line, as typed.
  let words: [String]

  func names(of category: DigestReader.NameCategory) -> [String] {
    var options = StoreOptions()
    options.store = store
    // Without a store there are no candidates. The command itself reports that the store is
    // missing.
    guard let names = try? options.openForReading().names(of: category) else { return [] }
    return names.filter(\.isHarmlessInShells)
  }

  /// The store of the command line: `--store PATH` or `--store=PATH`, which bash splits. The parser
  /// passes only words here.
  private var store: String? {
    var store: String?
    for (index, word) in words.enumerated() where word.hasPrefix("--store") {
      let rest = words[(index + 1)...]
      if word == "--store" {
        store = (rest.first == "=" ? rest.dropFirst() : rest).first
      } else if word.hasPrefix("--store=") {
        store = String(word.dropFirst("--store=".count))
      }
    }
    guard let store else { return nil }
    let home = store.hasPrefix("~/") ? getenv("HOME").map { String(cString: $0) } : nil
    return home.map { $0 + store.dropFirst().unquoted } ?? store.unquoted
  }
}

extension String {
  /// Whether no shell interprets the name, and no program reads it as an option.
  fileprivate var isHarmlessInShells: Bool {
    // By bytes: a hyphen with a combining mark is another Character.
    !isEmpty && utf8.first != UInt8(ascii: "-") && utf8.allSatisfy(\.isHarmlessInShells)
  }
}

extension StringProtocol {
  /// The word as the shell passes it to a program, without its quotes.
  fileprivate var unquoted: String {
    var text = ""
    var quote: Unicode.Scalar?
    var scalars = unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil: quote = scalar
      case "\\" where quote != "'":
        if let next = scalars.popFirst() { text.unicodeScalars.append(next) }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
