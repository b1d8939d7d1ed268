/// JUnit's XML, as Jenkins and most services read it: a test case for each result, which fails if
/// the result is an error, and is skipped if nobody has to act on it; and a passed test
/// case for each rule without a result, because services refuse a file without test cases.
extension Findings {
  var junit: String {
    let cases = findings.map { finding in
      let message = Self.escaped(finding.message)
      let result =
        finding.level == .error
        ? """
        <failure type="\(Self.escaped(finding.rule))" message="\(message)">\(Self.details(finding))</failure>
        """
        : finding.suppression.map { #"<skipped message="\#(Self.escaped($0))"/>"# } ?? ""
      let output =
        finding.level == .error ? "" : "<system-out>\(Self.details(finding))</system-out>"
      return """
            <testcase classname="\(Self.escaped(finding.subject.model))" \
        name="\(Self.escaped([finding.rule, finding.subject.place].filter { !$0.isEmpty }.joined(separator: " ")))">\(result)\(output)</testcase>

        """
    }
    let kept = rules.filter { rule in !findings.contains { $0.rule == rule.id } }.map { rule in
      """
          <testcase classname="digest-query \(command)" name="\(Self.escaped(rule.id))"/>

      """
    }
    let failures = findings.count { $0.level == .error }
    let skipped = findings.count { $0.level != .error && $0.suppression != nil }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="digest-query \(command)" tests="\(cases.count + kept.count)" failures="\(failures)" errors="0" skipped="\(skipped)">
      \((cases + kept).joined())  </testsuite>
      </testsuites>

      """
  }

  private static func details(_ finding: Finding) -> String {
    let place = finding.location.map { location in
      " (\(location.file)\(location.line.map { ":\($0)" } ?? "") \(location.pointer))"
    }
    return escaped(finding.message + (place ?? ""))
  }

  /// The text with escapes for markup. Characters that XML cannot have are shown as in a terminal.
  private static func escaped(_ text: String) -> String {
    text.printable.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      // Not characters of XML 1.0, section 2.2.
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: String(Character(scalar))
      }
    }.joined()
  }
}
