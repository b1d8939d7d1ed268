import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

extension Page {
  /// The failures by operation, because a team owns operations: those of the first section first.
  func writeFailures(_ write: (HTML) throws -> Void) rethrows {
    try write(
      """
      <section>
      <h2 id="failures">Failures</h2>
      <p class="note">\(explanation)</p>
      <div class="scroll" role="region" aria-labelledby="failures" tabindex="0">
      <table class="cards" id="list" data-contexts="\(contexts)" data-rest="\(rest)">
      <thead><tr>\(PageCell.headers(hasRates: details.hasRates))</tr></thead>

      """)
    var groups: [(operation: String?, failures: [DigestStore.OverviewFailure])] = []
    var indexes: [String?: Int] = [:]
    for failure in overview.failures {
      let operation = failure.row.operations.first
      if let index = indexes[operation] {
        groups[index].failures.append(failure)
      } else {
        indexes[operation] = groups.count
        groups.append((operation, [failure]))
      }
    }
    for group in groups {
      if groups.count > 1 || group.operation != nil {
        try write(heading(group.operation))
      }
      for failure in group.failures { try write(row(failure)) }
    }
    try write("</table>\n</div>\n")
    if rest > 0 {
      try write(
        """
        <p class="more">\(overview.failures.count.grouped) of \(overview.failureCount.grouped). \
        All: <code>\(filter.command("top-failures"))</code></p>

        """)
    }
    try write("</section>\n")
  }

  /// The number of failures that are not listed.
  private var rest: Int { overview.failureCount - overview.failures.count }

  private var explanation: HTML {
    let rates: HTML =
      details.hasRates
      ? "Share is the share of the model\u{2019}s decodes that have the failure. " : ""
    return "\(rates)Open a row for its releases, operations and more."
  }

  private func heading(_ operation: String?) -> HTML {
    let name: HTML = operation.map { "<bdi>\($0)</bdi>" } ?? "No operation"
    let columns = PageCell.count(hasRates: details.hasRates)
    return """
      <tbody class="group"><tr><th scope="rowgroup" colspan="\(columns)">\(name)</th></tr></tbody>

      """
  }

  /// The operations of a failure, the one with most errors first.
  private func operations(of failure: DigestStore.OverviewFailure) -> [String] {
    let parts = parts(of: failure, by: \.operation).compactMap(\.name)
    return parts.isEmpty ? failure.row.operations : parts
  }
}

/// A row, and what it opens.
extension Page {
  private func row(_ failure: DigestStore.OverviewFailure) -> HTML {
    let (row, count) = (failure.row, failure.row.failure)
    let detail = details[count.failureKey]
    let cells: [(PageCell, HTML)] = [
      (.place, marks(row, detail) + .place(count.codingPath, of: count.model)),
      (.found, found(failure)),
      (.rate, rate(row)),
      (.trend, Sparkline(trend: overview.trend, occurrences: row.course).html),
      (.occurrences, "\(count.occurrences.grouped)"),
      (.first, count.firstSeen.html + (count.firstRelease.map { HTML.release($0) } ?? "")),
      (.last, count.lastSeen.html),
    ]
    let shown = cells.filter { details.hasRates || $0.0 != .rate }
    return """
      <tbody class="failure"\(attributes(of: failure, detail))>
      <tr>\(shown.map { $0.0.cell($0.1) }.joined())</tr>
      <tr class="detail"><td colspan="\(shown.count)"><details>
      <summary>\(hint(failure))</summary>
      \(facts(failure, detail))</details></td></tr>
      </tbody>

      """
  }

  /// The section, the verdicts and the state, one word each.
  private func marks(_ row: DigestStore.SummarizedFailure, _ detail: PageDetail) -> HTML {
    var words = row.section == .ongoing ? [] : [row.section.rawValue]
    if row.isOver, row.section != .over { words.append("over") }
    words += detail.verdicts.map(\.verdict.rawValue)
    if detail.state != .open, detail.state.rawValue != words.first {
      words.append(detail.state.rawValue)
    }
    return words.map { HTML(#"<span class="mark \#($0)">\#($0)</span> "#) }.joined()
  }

  private func found(_ listed: DigestStore.OverviewFailure) -> HTML {
    let failure = listed.row.failure
    var found: HTML
    if let key = listed.row.renamedTo {
      found = "missing; now \(HTML.path(key))"
    } else if let value = failure.novelValue {
      found = .value(value, ofType: nil)
    } else if let value = failure.foundValue {
      found = .value(value, ofType: failure.foundType?.rawValue)
    } else {
      found = "\(failure.sample ?? failure.kind.inWords)"
    }
    let expected = failure.knownValues(in: listed.message) ?? failure.expectedInWords
    if let expected { found += #" <span class="of expected">expected \#(expected)</span>"# }
    return found
  }

  private func rate(_ row: DigestStore.SummarizedFailure) -> HTML {
    guard let rate = row.failure.rate else { return .nothing }
    let now: HTML = #"<span class="now">\#(rate.percent)</span>"#
    guard let before = row.rateBefore, row.section != .new, row.section != .vanished else {
      return now
    }
    return now + #" <span class="of before">before: \#(before.percent)</span>"#
  }

  /// The data that the script filters and counts by.
  private func attributes(
    of failure: DigestStore.OverviewFailure, _ detail: PageDetail
  ) -> HTML {
    let count = failure.row.failure
    // One that the filter names counts as an error.
    let isNotice = filter.kinds.isEmpty && ErrorKinds.others.contains(count.kind)
    let words: [(String, String)] = [
      ("kind", count.kind.inWords), ("model", count.model),
      ("section", failure.row.section.rawValue),
      ("state", detail.state.rawValue), ("notice", isNotice ? "1" : ""),
      (
        "text",
        [
          count.codingPath, count.novelValue, count.foundValue, count.expectedType,
          failure.row.renamedTo, count.id,
        ].compactMap(\.self).joined(separator: " ")
      ),
    ]
    let verdicts = detail.verdicts.map(\.verdict.rawValue.jsonQuoted).joined(separator: ",")
    let parts = failure.parts.map { part in
      let course = part.course.sorted { $0.key < $1.key }.map { "\($0.key),\($0.value)" }
      let numbers = [part.context, part.occurrences, part.ratedDigests].map(String.init)
      return "[\((numbers + course).joined(separator: ","))]"
    }
    return words.filter { !$1.isEmpty }.map { HTML(#" data-\#($0)="\#($1)""#) }.joined()
      + (live == nil ? "" : #" data-decision="\#(Self.decision(on: count))""#)
      + (verdicts.isEmpty ? "" : #" data-verdicts="[\#(verdicts)]""#)
      + #" data-parts="[\#(parts.joined(separator: ","))]""#
  }

  /// The patterns that name a failure in the file of decisions, in JSON.
  private static func decision(on failure: DigestStore.FailureCount) -> String {
    let patterns = [
      ("model", failure.model), ("path", failure.codingPath), ("kind", failure.kind.rawValue),
      ("value", failure.novelValue),
    ]
    let members = patterns.compactMap { name, text in
      text.map { "\(name.jsonQuoted):\($0.jsonQuoted)" }
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// The contexts in JSON, each with the decodes of its models. Names are as the page shows them.
  private var contexts: String {
    let contexts = overview.contexts.map { context in
      let names = [context.operation, context.release, context.environment, context.source].map {
        $0.map(\.printable.jsonQuoted) ?? "null"
      }
      let decodes = Dictionary(
        context.decodes.map { ($0.key.text.printable, $0.value) }, uniquingKeysWith: +
      ).map { "\($0.key.jsonQuoted):\($0.value)" }.sorted()
      return "[\(names.joined(separator: ",")),{\(decodes.joined(separator: ","))}]"
    }
    return "[\(contexts.joined(separator: ","))]"
  }
}

/// What a row opens.
extension Page {
  /// The counts of a failure by a name of its contexts, most frequent first.
  private func parts(
    of failure: DigestStore.OverviewFailure, by name: PageDetails.PartName
  ) -> [(name: String?, occurrences: Int, share: Double?)] {
    let model = BinaryString(failure.row.failure.model)
    var counts: [String?: (occurrences: Int, rated: Int)] = [:]
    for part in failure.parts {
      let name = overview.contexts[part.context][keyPath: name]
      counts[name, default: (0, 0)].occurrences += part.occurrences
      counts[name, default: (0, 0)].rated += part.ratedDigests
    }
    return counts.map { key, count in
      let decodes = details.decodes[name]?[model]?[key] ?? 0
      // It may have occurred only before decodes were counted.
      let isRated = decodes > 0 && count.rated > 0
      return (key, count.occurrences, isRated ? Double(count.rated) / Double(decodes) : nil)
    }.sorted { ($0.1, $1.0 ?? "") > ($1.1, $0.0 ?? "") }
  }

  /// The text of the line that opens a row.
  private func hint(_ failure: DigestStore.OverviewFailure) -> HTML {
    let releases = parts(of: failure, by: \.release).compactMap(\.name)
    let operations = operations(of: failure)
    let words = [
      operations.count > 1 ? operations.count.counting("operation") : nil,
      releases.count > 3
        ? releases.count.counting("release")
        : releases.isEmpty ? nil : "release \(releases.joined(separator: ", "))",
    ].compactMap(\.self)
    return "\(words.isEmpty ? "More" : words.joined(separator: "; "))"
  }

  private func facts(
    _ failure: DigestStore.OverviewFailure, _ detail: PageDetail
  ) -> HTML {
    let count = failure.row.failure
    let names: [(String, PageDetails.PartName)] = [
      ("Releases", \.release), ("Environments", \.environment), ("Operations", \.operation),
      ("Sources", \.source),
    ]
    let counts = names.compactMap { title, name -> (String, HTML)? in
      let all = parts(of: failure, by: name)
      // Each digest has a source. It says something if there are several.
      guard all.contains(where: { $0.name != nil }), all.count > 1 || title != "Sources" else {
        return nil
      }
      let parts = all.map { part -> HTML in
        let share = part.share.map { ", \($0.percent) of the decodes" } ?? ""
        return "<bdi>\(part.name ?? "none")</bdi>: \(part.occurrences.grouped)\(share)"
      }
      return (title, list(parts))
    }
    // A large page has no counts by context.
    let operations = failure.parts.isEmpty ? failure.row.operations : []
    let verdicts = detail.verdicts.map { verdict, reason -> HTML in
      "<p>\(verdict.rawValue): \(reason)</p>"
    }
    let facts: [(String, HTML?)] =
      [
        ("Kind", "\(count.kind.inWords)"), ("Model", .name(count.model)),
        ("Digests", "\(count.digests.grouped)"),
        (
          "Since it began",
          failure.row.rateSinceItBegan.map { "\($0.percent) of the model\u{2019}s decodes" }
        ),
        ("Renamed to", failure.row.renamedTo.map { .path($0) }),
        ("Operations", operations.isEmpty ? nil : list(operations.map { "<bdi>\($0)</bdi>" })),
      ] + counts + [
        ("Not affected", failure.adoption.sentence.map { "\($0)" }),
        ("Verdict", verdicts.isEmpty ? nil : verdicts.joined()),
        ("In a terminal", "<code>digest-query show \(count.id)</code>"),
        (
          "More",
          live == nil
            ? nil : #"<a href="failure?name=\#(count.id)">digests, sources and course</a>"#
        ),
      ]
    let rows = facts.compactMap { title, fact in
      fact.map { HTML("<div><dt>\(title)</dt><dd>\($0)</dd></div>\n") }
    }
    return "<dl class=\"facts\">\n\(rows.joined())</dl>\n"
  }

  /// The first ten items.
  private func list(_ items: [HTML]) -> HTML {
    let shown = items.prefix(10).map { HTML("<li>\($0)</li>\n") }.joined()
    let rest: HTML = items.count > 10 ? "<li>and \(items.count - 10) more</li>" : ""
    return "<ul>\(shown)\(rest)</ul>"
  }
}

extension DigestStore.FailureCount {
  /// What the app expects, for readers who do not know its language; nil if that is unknown.
  var expectedInWords: String? {
    guard let expectedType, path?.components.isEmpty == false else { return nil }
    if kind == .unknownNovelValue { return "a known value" }
    let name = expectedType.split(separator: ".").last.map(String.init) ?? expectedType
    switch name {
    case "String", "Substring", "Character": return "text"
    case "Double", "Float", "Decimal", "CGFloat": return "a number"
    case _ where name.wholeMatch(of: /U?Int[0-9]*/) != nil: return "a whole number"
    case "Bool": return "true or false"
    case "Date": return "a date"
    case "URL": return "an address"
    default: return name
    }
  }
}

/// A column of the table of failures.
enum PageCell: String, CaseIterable {
  case place, found, rate, trend, occurrences, first, last

  var title: String {
    switch self {
    case .place: "Where"
    case .found: "What came"
    case .rate: "Share"
    case .trend: "Trend"
    case .occurrences: "Occurrences"
    case .first: "First seen"
    case .last: "Last seen"
    }
  }

  private var classes: String {
    switch self {
    case .rate, .occurrences: "number \(rawValue)"
    case .first, .last: "seen \(rawValue)"
    case .place, .found, .trend: rawValue
    }
  }

  func cell(_ content: HTML) -> HTML { #"<td class="\#(classes)">\#(content)</td>"# }

  static func headers(hasRates: Bool) -> HTML {
    allCases.filter { hasRates || $0 != .rate }.map {
      HTML(#"<th scope="col" class="\#($0.classes)">\#($0.title)</th>"#)
    }.joined()
  }

  static func count(hasRates: Bool) -> Int { allCases.count - (hasRates ? 0 : 1) }
}
