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
