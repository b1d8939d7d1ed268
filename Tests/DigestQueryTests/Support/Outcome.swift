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

  /// A run that ends with one line on stderr and nothing on stdout.
  static func failure(_ status: Int32, _ message: String) -> Self {
    Self(status: status, stderr: "digest-query: \(message)\n")
  }

  /// A run that finds nothing, and prints only this, and the reason.
  static func nothing(_ stdout: String = "", _ reason: String? = nil, isJSON: Bool = false) -> Self
  {
    let notes = ["nothing found that matches", reason].compactMap(\.self)
    return Self(
      stdout: stdout,
      stderr: notes.map { isJSON ? "{\"note\": \"\($0)\"}\n" : "digest-query: \($0)\n" }.joined())
  }

  /// A run that has imported.
  static func imported(_ added: Int, known: Int = 0, leftOut: Int = 0) -> Self {
    Self(
      stdout:
        "imported \(added) digest\(added == 1 ? "" : "s"), \(known) were there already, "
        + "\(leftOut) line\(leftOut == 1 ? "" : "s") left out\n"
    )
  }
}

extension Outcome {
  /// The lines of stdout without their breaks.
  var lines: [String] {
    stdout.split(separator: "\n").map(String.init)
  }
}
