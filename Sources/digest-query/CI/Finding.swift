/// A result for a service that shows those of tests and linters.
struct Finding {
  enum Level: String {
    case error, warning
    /// The check passed, or the result is for information.
    case note
  }

  /// The rule, such as `contract-broken` or `new_novel_values`.
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
  let findings: [Finding]

  /// The file of findings without a location: code scanning wants one for each.
  let file: String

  func text(_ format: FindingsFormat) throws -> String {
    switch format {
    case .github: gitHubAnnotations
    case .sarif: try sarif
    case .junit: junit
    }
  }
}
