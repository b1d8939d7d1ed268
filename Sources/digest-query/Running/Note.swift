import DigestStore
import ResilientPlatform

/// A message of one line on stderr: text for people, and an object for programs that want JSON.
struct Note: Hashable, ExpressibleByStringInterpolation {
  enum Importance {
    /// Says what an answer lacks, or what it could be mistaken for. It is always written.
    case caveat
    /// Helps a person to go on. It is written only to a terminal.
    case hint
  }

  let text: String
  let importance: Importance

  init(_ text: String, _ importance: Importance = .caveat) {
    self.text = text
    self.importance = importance
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  private static let isForPeople = isatty(STDERR_FILENO) == 1

  /// Writes a note about an answer.
  static func write(_ text: String, _ importance: Importance = .caveat) {
    guard importance == .caveat || isForPeople else { return }
    write(line: line("note", text))
  }

  /// Writes notes, each on a line.
  static func write(_ notes: [Note]) {
    for note in notes { write(note.text, note.importance) }
  }

  /// Writes that a file is in use.
  static func writeWaiting(for path: String) {
    write("\(path): another run uses it; waiting until that is done")
  }

  /// Writes an error.
  static func writeError(_ message: String, status: Int32) {
    write(line: line("error", message, [("status", .number(Int(status)))]))
  }

  /// The line of an error without a status, which is not known yet.
  static func line(ofError message: String) -> String {
    line("error", message)
  }

  /// Writes how many digests the answer omits because they cannot be read, if any.
  static func write(unreadable digests: Int, in store: String) {
    guard digests > 0 else { return }
    write(
      "\(digests.counting("digest")) of \(store) cannot be read and \(digests == 1 ? "was" : "were") "
        + "skipped; run digest-query verify")
  }

  private static func line(
    _ name: String, _ message: String, _ others: [(String, Cell)] = []
  ) -> String {
    let message = Secrets.removed(from: message)
    let members = [(name, Cell.text(message))] + others
    return Invocation.usesJSON
      ? JSON.forTerminal(JSON.object(members.map(\.0), members.map(\.1))) + "\n"
      : "digest-query: \(message.printable)\n"
  }

  private static func write(line: String) {
    var line = line
    // Nothing can report that this fails.
    line.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }
}

/// The passwords and parameters of the URLs on the command line, in `$DIGEST_STORE` and in
/// `$DIGEST_TRIAGE`, which no message shows.
///
/// A message may quote any argument or a part of it, whatever it was meant to be, and so may the
/// messages of the parser. So the secrets are removed where messages are printed.
enum Secrets {
  /// Returns a message without them.
  static func removed(from message: String) -> String {
    let defaults = ["DIGEST_STORE", "DIGEST_TRIAGE"].compactMap {
      ProcessInfo.processInfo.environment[$0]
    }
    let parts = (CommandLine.arguments.dropFirst() + defaults).flatMap(parts)
    return parts.flatMap(beginnings).reduce(message) {
      String($0.unicodeScalars.replacing($1.unicodeScalars, with: "".unicodeScalars))
    }
  }

  /// A secret and its beginnings up to each slash, the longest first, because a message may quote
  /// only the directory of a path, and what follows each equals sign, at which `--map` is divided.
  /// One or two characters are too common to remove.
  private static func beginnings(of secret: Substring) -> [Substring] {
    let scalars = secret.unicodeScalars
    let slashes = scalars.indices.filter { scalars[$0] == "/" }
    let values = scalars.indices.filter { scalars[$0] == "=" }.map {
      secret[scalars.index(after: $0)...]
    }
    return [secret]
      + (slashes.reversed().map { secret[..<$0] } + values).filter { $0.count > 2 }
  }

  /// The secret parts of a text that may contain a URL, scalar by scalar, so that a combining mark
  /// cannot hide a separator.
  private static func parts(of text: String) -> [Substring] {
    // One slash is enough: a URL may be mistyped.
    let scalars = Substring(text).unicodeScalars
    guard let start = scalars.firstRange(of: ":/".unicodeScalars)?.upperBound else { return [] }
    let url = scalars[start...]
    // A password may have any separator that should have been escaped.
    let at = url.lastIndex(of: "@")
    let end = at ?? url.dropFirst().firstIndex { "/?#".unicodeScalars.contains($0) } ?? url.endIndex
    let password = url[..<end].drop { $0 != ":" }
    let isPort = at == nil && password.dropFirst().allSatisfy { ("0"..."9").contains($0) }
    let parameters = url[end...].drop { !"?#".unicodeScalars.contains($0) }
    return [isPort ? Substring() : Substring(password), Substring(parameters)].filter {
      !$0.isEmpty
    }
  }
}
