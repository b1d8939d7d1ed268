import APIContract
import DigestStore
import ResilientPlatform

/// A failure for people.
struct FailureText {
  /// The most rows of a part.
  private static let rows = 10

  let detail: FailureDetail
  let store: StoreOptions

  private var failure: DigestStore.FailureCount { detail.failure }

  func text(isColored: Bool, fitting width: Int?) -> String {
    let heading = "\(failure.model) \(failure.place)  \(failure.id)".lines(fitting: width)
      .dropLast()
    let sentences =
      [what, rename, counts, times, section, course, adoption, decision]
      + verdicts
    var text = String(heading).bold(isColored) + "\n"
    for sentence in sentences.compactMap(\.self) { text += sentence.lines(fitting: width) }
    text += parts(isColored, width)
    guard let last = detail.digests.first else {
      return text + "\nIts digests were deleted, and are still counted.\n"
    }
    text += "\n" + "LAST DIGESTS".bold(isColored) + "\n"
    for digest in detail.digests {
      let words = [digest.shortID, digest.recordedAt.second, digest.release]
      text += words.compactMap(\.self).joined(separator: "  ").lines(fitting: width)
    }
    return text + "\n" + store.next("show \(last.shortID)").lines(fitting: nil)
  }

  private var what: String {
    let sample = failure.sample.map { ": \($0)" } ?? ""
    let known = detail.knownValues.map { ": \($0)" } ?? ""
    let expected = failure.expectedType.map { "; expected \($0)\(known)" } ?? ""
    return failure.kind.inWords + sample + expected
  }

  /// The key that came in place of a missing one, or the other way round.
  private var rename: String? {
    guard let rename = detail.rename else { return nil }
    let both = "both in \(rename.digests.grouped) of the latest digests"
    return rename.oldPath == failure.codingPath
      ? "perhaps renamed to \(rename.newPath): \(both)"
      : "perhaps the new name of \(rename.oldPath): \(both)"
  }

  private var counts: String {
    var rate = failure.rate.map { ": \($0.percent) of the model's decodes" } ?? ""
    // Since it ended, its share only falls.
    if !rate.isEmpty, detail.summarized?.isOver ?? true, let seen = detail.rateWhileSeen?.percent,
      seen != failure.rate?.percent
    {
      rate += ", \(seen) until it was last seen"
    }
    let digests = failure.digests.counting("digest")
    let since = detail.since.map { " since \($0.minute)" } ?? ""
    return "\(failure.occurrences.counting("occurrence")) in \(digests)\(since)\(rate)"
  }

  private var times: String {
    let release = failure.firstRelease.map { " in release \($0)" } ?? ""
    return "first seen \(failure.firstSeen.minute)\(release), last seen \(failure.lastSeen.minute)"
  }

  private var section: String? {
    guard let summarized = detail.summarized else {
      return "since \(detail.summarizedSince.minute): not seen"
    }
    let section = summarized.isOver ? DigestStore.SummarySection.over : summarized.section
    let before = section == summarized.section ? "" : "\(summarized.section.rawValue) and "
    return
      "since \(detail.summarizedSince.minute): \(before)\(section.rawValue), \(section.meaning)"
  }

  private var course: String? {
    guard let trend = detail.trend else { return nil }
    // A period that has just begun would look like an end.
    let points = trend.points.last?.isPartial == true ? trend.points.dropLast() : trend.points[...]
    guard let first = points.first, let last = points.last, points.count > 1 else { return nil }
    let line = Histogram(width: 40).line(points.map(\.occurrences))
    let isOfDays = [.day, .week].contains(trend.unit)
    let ends = [first, last].map { isOfDays ? $0.start.day : $0.start.minute }
    return "\(line)  by \(trend.unit.rawValue), \(ends[0]) to \(ends[1])"
  }

  /// The share of traffic without the failure; nil if the failure is over.
  private var adoption: String? {
    detail.summarized?.isOver == true ? nil : detail.adoption?.sentence
  }

  private var decision: String? { detail.decision.map { "triage: \($0)" } }

  private var verdicts: [String] {
    detail.verdicts.map { row in
      let operation = row.operationList.map { " in \($0)" } ?? ""
      return "\(row.judgement.verdict.rawValue)\(operation): \(row.judgement.text)"
    }
  }

  /// The counts by release, environment and so on.
  private func parts(_ isColored: Bool, _ width: Int?) -> String {
    var table = TextTable(DigestStore.ModelCount.partColumns)
    var headings: [String] = []
    for part in detail.parts {
      let all = part.counts.count
      let rest = all > Self.rows ? " (\(Self.rows) of \(all))" : ""
      for count in part.counts.prefix(Self.rows) {
        table.append(count)
        headings.append(part.name.rawValue.uppercased() + rest)
      }
    }
    guard !headings.isEmpty else { return "" }
    table.removeEmptyColumns()
    return "\n" + table.text(isColored: isColored, fitting: width, under: headings).0
  }
}

extension DigestStore.ModelCount {
  /// The columns of a part of a failure's counts.
  fileprivate static var partColumns: [Column<Self>] {
    [.text("name") { $0.contextName }] + countColumns
  }

  private static var countColumns: [Column<Self>] {
    [
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests }.dropped(at: 3),
      .number("decodes") { $0.decodes }.omittedIfEmpty.dropped(at: 4),
      .share("rate") { $0.rate }.omittedIfEmpty,
      .time("first_seen") { $0.firstSeen }.dropped(at: 2),
      .time("last_seen") { $0.lastSeen }.dropped(at: 1),
    ]
  }

  /// The object of a part in JSON.
  fileprivate func json(_ name: DigestStore.ContextName) -> String {
    let columns = [.text(name.rawValue) { $0.contextName }] + Self.countColumns
    return JSON.object(columns, self)
  }
}

extension FailureDetail {
  /// The columns of the failure, with its course, its parts and so on as arrays of objects.
  var json: String {
    let course = (trend?.points ?? []).map { point in
      JSON.object(
        [.time("start") { $0.start }, .number("occurrences") { $0.occurrences }], point)
    }
    let days = (adoption?.days ?? []).map { day in
      JSON.object(
        [
          .text("day") { $0.start.day }, .number("decodes") { $0.decodes },
          .number("unaffected") { $0.unaffected }, .share("share") { $0.share },
        ], day)
    }
    let digests = digests.map { digest in
      JSON.object(
        [
          .text("id") { $0.id }, .time("recorded_at") { $0.recordedAt },
          .text("release") { $0.release },
        ], digest)
    }
    let verdicts = verdicts.map { row in
      JSON.object(
        [
          .text("operation") { $0.operationList },
          .text("verdict") { $0.judgement.verdict.rawValue },
          .text("pointer") { $0.judgement.place?.text }, .text("reason") { $0.judgement.text },
        ], row)
    }
    let arrays =
      [("course", course)]
      + parts.map { part in
        ("\(part.name.rawValue)s", part.counts.map { $0.json(part.name) })
      } + [("adoption", days), ("last_digests", digests), ("verdicts", verdicts)]
    let columns = DigestStore.FailureCount.columns.map { $0.of(\FailureDetail.failure) }
    let rest: [Column<FailureDetail>] = [
      .time("since") { $0.since }, .text("section") { $0.summarized?.section.rawValue },
      .flag("is_over") { $0.summarized?.isOver ?? false },
      .share("rate_while_seen") { $0.rateWhileSeen },
      .text("known_values") { $0.knownValues },
      .text("renamed_from") {
        $0.rename.flatMap { $0.newPath == failure.codingPath ? $0.oldPath : nil }
      },
      .text("renamed_to") {
        $0.rename.flatMap { $0.oldPath == failure.codingPath ? $0.newPath : nil }
      },
      .text("decision") { $0.decision },
    ]
    return JSON.object(columns + rest, self, arrays)
  }
}
