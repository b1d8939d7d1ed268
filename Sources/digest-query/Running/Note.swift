import DigestStore
import ResilientPlatform

/// One-line messages on stderr: text for people, and objects for programs that want JSON.
enum Note {
  /// Writes a note about an answer.
  static func write(_ message: String) {
    write(line: line("note", message))
  }

  /// Writes notes, each on a line.
  static func write(_ messages: [String]) {
    for message in messages { write(message) }
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
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let count = systemWrite(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest))
        // Nothing can report that this fails.
        guard count >= 0 || RepeatableCall.write.canRepeat(on: STDERR_FILENO) else { return }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }
}
