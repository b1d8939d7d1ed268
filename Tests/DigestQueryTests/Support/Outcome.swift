/// The whole consequence of a run.
struct Outcome: Equatable, CustomStringConvertible {
  var status: Int32 = 0
  var stdout = ""
  var stderr = ""

  /// Compares bytes: strings are equal also when only their meaning is.
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.status == rhs.status && lhs.stdout.utf8.elementsEqual(rhs.stdout.utf8)
      && lhs.stderr.utf8.elementsEqual(rhs.stderr.utf8)
  }

  var description: String {
    "exit \(status)\n--- stdout\n\(stdout)--- stderr\n\(stderr)---"
  }
}

extension Outcome {
  private static let name = "digest-query: "

  /// The lines of stdout without their breaks.
  var lines: [String] { stdout.split(separator: "\n").map(String.init) }

  /// The lines of stderr without the name of the tool.
  var notes: [String] {
    stderr.split(separator: "\n").map {
      $0.hasPrefix(Self.name) ? String($0.dropFirst(Self.name.count)) : "not a note: \($0)"
    }
  }

  init(status: Int32 = 0, stdout: String = "", notes: [String]) {
    self.init(
      status: status, stdout: stdout, stderr: notes.map { "\(Self.name)\($0)\n" }.joined())
  }

  init(status: Int32 = 0, lines: [String], notes: [String] = []) {
    self.init(status: status, stdout: lines.map { $0 + "\n" }.joined(), notes: notes)
  }

  /// A run that ends with one line on stderr and nothing on stdout.
  static func failure(_ status: Int32, _ message: String) -> Self {
    Self(status: status, notes: [message])
  }

  /// A command line that is refused, with the help to read.
  static func usage(_ command: String, _ message: String) -> Self {
    failure(64, "\(message); see digest-query \(command) --help")
  }

  /// A run that finds nothing, and prints only this, and the reason.
  static func nothing(_ stdout: String = "", _ reason: String? = nil, isJSON: Bool = false) -> Self
  {
    let notes = ["nothing found that matches", reason].compactMap(\.self)
    return isJSON
      ? Self(stdout: stdout, stderr: notes.map { "{\"note\": \"\($0)\"}\n" }.joined())
      : Self(stdout: stdout, notes: notes)
  }

  /// A run that has imported.
  static func imported(_ added: Int, known: Int = 0, leftOut: Int = 0) -> Self {
    let digests = "\(added) digest\(added == 1 ? "" : "s")"
    let lines = "\(leftOut) line\(leftOut == 1 ? "" : "s")"
    return Self(lines: ["imported \(digests), \(known) were there already, \(lines) left out"])
  }

  /// A run that misses a store.
  static func noStore(_ path: String = Sandbox.store) -> Self {
    failure(66, "no such store: \(path); name one with --store PATH or in $DIGEST_STORE")
  }
}
