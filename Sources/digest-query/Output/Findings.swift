/// A result for a service that shows those of tests and linters.
struct Annotation {
  enum Level: String {
    case error, warning
    /// The check passed, or the result is for information.
    case note
  }

  /// The rule, such as `contract-broken` or `new`.
  let rule: String

  /// The model that the rule was applied to, and the place in it.
  let subject: (model: String, place: String)

  let level: Level
  let message: String

  /// The texts by which later runs recognize the result, besides the rule.
  let identity: [String?]

  /// Why nobody has to act on the result; nil if someone has to.
  var suppression: String?

  /// The file and the line that it is about.
  var location: (file: String, line: Int?, pointer: String)?
}

/// The results of a run.
struct Findings {
  /// The command, such as `spec`.
  let command: String

  /// The rules that can have results, and what they mean.
  let rules: [(id: String, text: String)]
  let findings: [Annotation]

  /// The file of findings without a location: code scanning wants one for each.
  let file: String

  /// The text for a CI service; empty for a format of rows.
  func text(_ format: CIFormat) -> String {
    switch format {
    case .github: gitHubAnnotations
    case .sarif: sarif
    case .junit: junit
    case .table, .csv, .tsv, .json, .ndjson, .markdown: ""
    }
  }
}

/// Annotations of GitHub Actions ("Workflow commands for GitHub Actions").
extension Findings {
  /// The number of annotations of each level that GitHub shows for a step.
  private static let maximumShown = 10

  /// A line for each result, after one that says if GitHub does not show all of them.
  var gitHubAnnotations: String {
    let levels = Dictionary(grouping: findings, by: \.level).values
    guard levels.contains(where: { $0.count > Self.maximumShown }) else { return annotations }
    return "::notice title=digest-query::GitHub shows \(Self.maximumShown) annotations of each "
      + "level; the log has all \(findings.count)\n" + annotations
  }

  /// A line for each result; those for information are notices.
  private var annotations: String {
    findings.map { finding in
      var properties: [(String, String)] = []
      if let location = finding.location {
        properties.append(("file", location.file))
        if let line = location.line { properties.append(("line", "\(line)")) }
      }
      properties.append(("title", "\(finding.rule): \(finding.subject.model)"))
      let parameters = properties.map { "\($0)=\(Self.escaped($1, isProperty: true))" }
      let level = finding.level == .note ? "notice" : finding.level.rawValue
      let place = finding.subject.place.isEmpty ? "" : "\(finding.subject.place): "
      let message = Self.escaped("\(place)\(finding.message)", isProperty: false)
      return "::\(level) \(parameters.joined(separator: ","))::\(message)\n"
    }.joined()
  }

  /// The text with escapes for what would end the message or the property.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    // By scalars: a comma with a combining mark is another Character.
    text.printable.unicodeScalars.map { scalar in
      switch scalar {
      // Line breaks are printed as escapes.
      case "%": "%25"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: String(Character(scalar))
      }
    }.joined()
  }
}

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

  private static func details(_ finding: Annotation) -> String {
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
