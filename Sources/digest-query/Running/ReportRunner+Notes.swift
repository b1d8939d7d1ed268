import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ReportRunner {
  /// Says on stderr what the window should have and the file could not keep, and which names the store
  /// has never met.
  ///
  /// - Parameters:
  ///   - subject: what the answer is about.
  ///   - unit: the length of the periods of a trend.
  ///   - isCut: whether there was more than was wanted, so that nobody looks for what is older.
  static func noteLosses(
    of store: DigestStore,
    matching filter: DigestFilter,
    about subject: LossMessage.Subject = .counts,
    by unit: Trend.Unit? = nil,
    isCut: Bool = false
  ) throws {
    for note in try mistakes(in: filter, in: store) { Note.write(note) }
    let notes = try losses(of: store, matching: filter, about: subject, by: unit, isCut: isCut)
    for note in notes { Note.write(note) }
  }

  /// What to say of a window that ends before it begins, and of the names in a filter that the store
  /// has never met.
  static func mistakes(in filter: DigestFilter, in store: DigestStore) throws -> [String] {
    let isReversed = (filter.since ?? .distantPast) > (filter.until ?? .distantFuture)
    let window = isReversed ? ["--until is before --since: there is no time between them"] : []
    let categories: [(DigestStore.NameCategory, [String])] = [
      (.model, filter.models.filter { !$0.hasWildcards }),
      (.codingPath, filter.codingPaths.filter { !$0.hasWildcards }),
      (.novelValue, filter.novelValues.filter { !$0.hasWildcards }), (.release, filter.releases),
    ]
    return window
      + (try categories.flatMap { category, names in
        try names.compactMap { try unknownName($0, of: category, in: store) }
      })
  }

  /// Why the answer to a question is 0 for a part of it at least, whatever happened: the store has
  /// never met a name in the filter, or the window is empty or in the future.
  ///
  /// - Returns: all that is wrong; empty where the answer can be another one.
  static func emptiness(
    of filter: DigestFilter, in store: DigestStore, before now: Date
  ) throws -> [String] {
    let mistakes = try mistakes(in: filter, in: store)
    guard mistakes.isEmpty else { return mistakes }
    if let since = filter.since, since > now { return ["the window begins in the future"] }
    let patterns =
      filter.models.map { ("model", $0, DigestFilter(model: $0)) }
      + filter.codingPaths.map { ("path", $0, DigestFilter(codingPath: $0)) }
      + filter.novelValues.map { ("value", $0, DigestFilter(novelValue: $0)) }
    return try patterns.compactMap { noun, pattern, filter in
      try store.occurrences(matching: filter) == 0
        ? "the store has no \(noun) that matches \(pattern)" : nil
    }
  }

  /// Ends a command that would answer a question about what is not there.
  ///
  /// - Parameters:
  ///   - consequence: what was not done.
  ///   - remedy: what to do if that was meant; nil where there is nothing.
  static func checkIsNotEmpty(
    _ filter: DigestFilter, in store: DigestStore, before now: Date,
    _ consequence: String, remedy: String? = nil
  ) throws {
    let reasons = try emptiness(of: filter, in: store, before: now)
    guard let last = reasons.last else { return }
    for reason in reasons.dropLast() { Note.write(reason) }
    let isQuestion = last.hasSuffix("?")
    let rest = remedy.map {
      isQuestion ? " \($0.prefix(1).uppercased())\($0.dropFirst())" : "; \($0)"
    }
    throw Failure.missing("\(consequence): \(last)\(rest ?? "")")
  }

  /// What to say of a name that the store has never met, and what may have been meant; nil where it
  /// has.
  static func unknownName(
    _ name: String,
    of category: DigestStore.NameCategory,
    in store: DigestStore
  ) throws -> String? {
    guard try !store.hasName(name, of: category) else { return nil }
    let suggestion = name.suggestion(among: try store.names(of: category))
    return ["the store has no \(category.noun) \(name)", suggestion]
      .compactMap { $0 }.joined(separator: "; ")
  }

  /// What to say of all that the window should have and the file could not keep.
  static func losses(
    of store: DigestStore,
    matching filter: DigestFilter,
    about subject: LossMessage.Subject = .counts,
    by unit: Trend.Unit? = nil,
    isCut: Bool = false
  ) throws -> [String] {
    let isOfAllTime = filter.since == nil && filter.until == nil
    var byReason = Dictionary(grouping: try store.losses(matching: filter), by: \.reason)
    // No digest is missing, and the sum of all time has not gone either.
    if subject != .counts || isOfAllTime && unit == nil { byReason[Loss.undated] = nil }
    let isOfDigests = [.newDigests, .sentDigests].contains(subject) || subject == .digests && isCut
    if isOfDigests { byReason[Loss.evicted] = nil }
    var notes = byReason.sorted { $0.key < $1.key }.map { reason, losses in
      LossMessage(reason: reason, losses).text(about: subject)
    }
    guard subject == .counts else { return notes }
    let window = try store.countedWindow(matching: filter, by: unit)
    if !window.isExact { notes.append(LossMessage.text(of: window)) }
    let hits = try store.limitsHit(matching: filter)
    if !hits.isEmpty { notes.append(LossMessage.text(of: hits, matching: filter)) }
    return notes
  }

  static let whyDigestsAreUnknown =
    "digests are unknown for models of which several failures match, but not all; use "
    + "fewer filters or a shorter window"
}

extension DigestStore.NameCategory {
  fileprivate var noun: String {
    switch self {
    case .codingPath: "coding path"
    case .novelValue: "novel value"
    case .model, .kind, .release: rawValue
    }
  }
}
