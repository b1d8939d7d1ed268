import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The decision of a team on some failures: a line of the triage file.
struct Decision: Hashable {
  enum State: String, CaseIterable {
    /// The failures need no action for now.
    case ignored
    /// The failures are fixed, or will be.
    case resolved
  }

  /// When a decision ends.
  enum End: Hashable {
    case date(Date)
    /// The failure is seen in this release or a later one.
    case release(String)
  }

  /// Patterns with the wildcards of filters; nil for any.
  var model: String?
  var path: String?
  var kind: ErrorDigest.Kind?
  var value: String?

  var state: State
  var reason: String?
  var until: End?
  var by: String?
  var at: Date?
}

extension Decision.End {
  /// Reads a day or a time in ISO 8601, or a release that is a version: `4.3.0`.
  ///
  /// - Returns: nil for other text: a name that isn't a version is neither older nor newer than others.
  init?(_ text: String) {
    if let date = Date(iso8601: text) {
      self = .date(date)
    } else if ReleaseOrder.isVersion(text),
      // A date of another form isn't a release.
      text.wholeMatch(
        of: /[0-9]{4}-.*|[0-9]{1,2}[-.][0-9]{1,2}[-.][0-9]{4}|[0-9]{1,2}-[0-9]{1,2}-[0-9]{2}/)
        == nil
    {
      self = .release(text)
    } else {
      return nil
    }
  }

  var text: String {
    switch self {
    case .date(let date):
      date.iso8601.hasSuffix("T00:00:00.000Z") ? date.day : date.iso8601
    case .release(let name): name
    }
  }

  /// When a failure regresses, as words after "regresses if it".
  var condition: String {
    switch self {
    case .date: "is seen on or after \(text)"
    case .release: "is seen in release \(text) or a later one"
    }
  }
}

extension Decision {
  /// Why a line isn't a decision.
  struct DecisionProblem: Error { let description: String }

  /// Reads a line of the file.
  ///
  /// - Throws: a ``DecisionProblem``. A member of another name is one: without it a decision would be about
  ///   more.
  init(line: some StringProtocol) throws {
    // The decoder's error speaks of types, not of the line.
    guard
      let members = try? JSONDecoder().decode([String: String?].self, from: Data(line.utf8))
    else {
      throw DecisionProblem(description: "is not a JSON object with string values")
    }
    let names = ["model", "path", "kind", "value", "state", "reason", "until", "by", "at"]
    if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
      throw DecisionProblem(
        description: "has an unknown member \(unknown)"
          + (unknown.suggestion(among: names).map { "; \($0)" } ?? ""))
    }
    func text(_ name: String) -> String? { members[name] ?? nil }
    model = text("model")
    path = text("path")
    kind = try text("kind").map { name in
      guard let kind = ErrorDigest.Kind(rawValue: name) else {
        let remedy = name.remedy(among: ErrorDigest.Kind.names)
        throw DecisionProblem(description: "has an unknown kind \(name); \(remedy)")
      }
      return kind
    }
    value = text("value")
    guard model != nil || path != nil || kind != nil || value != nil else {
      throw DecisionProblem(
        description: "names no failure: it has none of model, path, kind and value")
    }
    guard let name = text("state"), let state = State(rawValue: name) else {
      throw DecisionProblem(description: "has a state that is neither ignored nor resolved")
    }
    self.state = state
    reason = text("reason")
    by = text("by")
    until = try text("until").map { text in
      guard let end = End(text) else {
        throw DecisionProblem(
          description: "has an until that is neither a date nor a version: \(text)")
      }
      return end
    }
    at = try text("at").map { text in
      guard let date = Date(iso8601: text) else {
        throw DecisionProblem(description: "has a time that is not ISO 8601: \(text)")
      }
      return date
    }
    if state == .resolved, until == nil, at == nil {
      throw DecisionProblem(description: "is resolved but has neither at nor until")
    }
  }

  /// The decision as a line of the file, without its line break.
  var line: String {
    let texts: [(String, String?)] = [
      ("model", model), ("path", path), ("kind", kind?.rawValue), ("value", value),
      ("state", state.rawValue), ("reason", reason), ("until", until?.text), ("by", by),
      ("at", at?.iso8601),
    ]
    let members = texts.compactMap { name, text in
      text.map { "\(name.jsonQuoted): \($0.jsonQuoted)" }
    }
    return "{\(members.joined(separator: ", "))}"
  }
}
