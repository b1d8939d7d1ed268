import DigestStore
import ResilientPlatform

extension DigestStore.SummarySection {
  var meaning: String {
    switch self {
    case .new: "never seen before the window"
    case .regressed: "seen again after the end of a decision"
    case .growing: "in a larger share of decodes than in the window before"
    case .vanished: "a missing key that the app does not require, new or growing"
    case .ongoing: "neither new, growing nor over"
    case .over: "absent for more decodes than chance explains"
    }
  }

  /// The failures of the section, in the first sentence.
  func counted(_ count: Int) -> String {
    self == .vanished
      ? count.counting("vanished key") : "\(count.grouped) \(rawValue)"
  }
}

extension DigestStore.DecodeCounts {
  /// Says that no decode had an error; nil if one had, or if nothing was decoded.
  func nothingWrong(_ filter: DigestFilter) -> String? {
    guard decodes > 0, digests == 0 else { return nil }
    let noun = decodes == 1 ? "decode" : "decodes"
    return "no \(filter.choosesErrors ? "matching " : "")errors in \(decodes.grouped) \(noun)"
  }
}

extension DigestStore.Summary {
  /// The answer in a sentence.
  ///
  /// - Parameters:
  ///   - asked: the filter of the command.
  ///   - filter: the filter of the summary, which may end now.
  func sentence(
    _ asked: DigestFilter, matching filter: DigestFilter, in store: DigestReader, before now: Date
  ) throws -> String {
    let newest = try store.newestDecode(matching: filter, before: min(now, window.upperBound))
    return try sentence(asked, newest: newest, isStoreEmpty: store.newestTime() == nil)
  }

  /// - Parameters:
  ///   - filter: the filter of the command.
  ///   - newest: when the newest decode before the end of the window was recorded.
  ///   - isStoreEmpty: whether the store has no decode at all.
  private func sentence(_ filter: DigestFilter, newest: Date?, isStoreEmpty: Bool) -> String {
    let time =
      filter.until.map { "from \(window.lowerBound.minute) to \($0.minute)" }
      ?? "since \(window.lowerBound.minute)"
    guard !totals.isEmpty else {
      guard decided.isEmpty else {
        return "No open failures \(time): all are ignored or resolved\(rates)."
      }
      return isStoreEmpty
        ? "Nothing was ever decoded: is this the right store?" : silence(time, newest, filter)
    }
    let bad: [DigestStore.SummarySection] = [.new, .regressed, .growing, .vanished]
    var counts = bad.compactMap { section in
      totals[section].map { section.counted($0) }
    }
    if counts.isEmpty { counts = ["nothing new or growing"] }
    if overCount > 0 { counts.append("\(overCount.grouped) over") }
    let what = counts.joined(separator: ", ")
    return "\(what.withCapital) \(time)\(rates).\(beginning(filter).map { " \($0)" } ?? "")"
  }

  /// A sentence if the store begins in one of the windows; nil if both are complete.
  private func beginning(_ filter: DigestFilter) -> String? {
    guard let oldest else {
      let what = filter.choosesErrors ? "Nothing that matches" : "Nothing"
      // A decision may be older.
      let areNew = totals[.regressed] == nil
      return "\(what) is older than this window\(areNew ? ", so all failures are new" : "")."
    }
    // That nothing is in the first hour alone doesn't mean that recording began later.
    guard oldest.hour > windowBefore.lowerBound else { return nil }
    return "The first record is from \(oldest.minute), so the window before is incomplete."
  }

  /// The failures that are left out of sections, in words; nil if none are.
  var more: String? {
    let rests = DigestStore.SummarySection.allCases.compactMap { section -> String? in
      let rest = (totals[section] ?? 0) - failures.count { $0.section == section }
      return rest > 0 ? section.counted(rest) : nil
    }
    return rests.isEmpty ? nil : "Not shown: \(rests.joined(separator: ", ")) (--limit shows more)"
  }

  /// The answer if there are no failures.
  private func silence(_ time: String, _ newest: Date?, _ filter: DigestFilter) -> String {
    let isFiltered = filter.choosesErrors
    let errors = isFiltered ? "No matching errors" : "No errors"
    guard hasAllCounts else {
      return "\(errors) are left \(time): counts of these days were dropped to save space."
    }
    // Decodes are of whole hours, in which there may be errors outside of the window.
    if let nothing = decodes?.nothingWrong(filter) { return "\(nothing.withCapital) \(time)." }
    let nothing = "Nothing\(isFiltered ? " that matches" : "") was decoded \(time)"
    guard let newest else { return "\(nothing)." }
    return newest < window.lowerBound
      ? "\(nothing); the last decode was at \(newest.minute)." : "\(errors) \(time)."
  }

  private var rates: String {
    guard let decodes else {
      return "; there are no rates, because decodes were not counted"
    }
    // Of several failures that are not all, the digests are unknown; or all are of a time before decodes
    // were counted.
    guard let rate = decodes.rate, decodes.digests != 0 || totals.keys.allSatisfy({ $0 == .over })
    else { return "" }
    let before = decodesBefore?.rate.map { " (\($0.percent) \(nameOfWindowBefore))" } ?? ""
    let noun = decodes.decodes == 1 ? "decode" : "decodes"
    return "; \(rate.percent) of \(decodes.decodes.grouped) \(noun) affected\(before)"
  }

  private var nameOfWindowBefore: String {
    let minutes = Int(
      (window.upperBound.timeIntervalSince(window.lowerBound) / 60).rounded())
    // A window that begins at a whole hour may have a part of one more.
    let hours = minutes / 60
    switch hours {
    case 0, 1: return "in the \(minutes.counting("minute")) before"
    case 24: return "the day before"
    case 168: return "the week before"
    case _ where hours % 24 == 0: return "in the \((hours / 24).counting("day")) before"
    default: return "in the \(hours.counting("hour")) before"
    }
  }
}
